"""What `causarium recite analysis` needs of logs beside rows: documents, and reasoning."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from causarium.errors import CausariumError

if TYPE_CHECKING:
    from causarium_recite_lab.analysis.own_runs import Reasoning, Shape


def read_own_runs(
    logs: Sequence[Path],
) -> "tuple[dict[str, Shape], dict[tuple[str, str], Reasoning]]":
    """Return what each document is like, and how long each answer was thought over.

    A log that cannot be read is left out; reading its rows has named it already.
    """
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.logbook.reasoning_lengths import read_reasoning
    from causarium.families.recite import FAMILY
    from causarium_recite_lab.analysis.own_runs import Reasoning, shape_of

    shapes: dict[str, Shape] = {}
    reasoning: dict[tuple[str, str], Reasoning] = {}
    try:
        book = LogBook.read(logs)
    except CausariumError:
        return shapes, reasoning
    agents: dict[Path, dict[str, str]] = {}
    for sample in book.samples:
        if sample.row.family == FAMILY.name:
            instance, _ = sample.record.open(FAMILY)
            shapes.setdefault(instance.id, shape_of(instance))
            agents.setdefault(sample.header.path, {})[instance.id] = sample.row.agent
    for path, by_instance in agents.items():
        for length in read_reasoning(path):
            if length.id in by_instance:
                hidden = 0 if length.characters else length.tokens
                key = by_instance[length.id], length.id
                reasoning[key] = Reasoning(length.characters, hidden)
    return shapes, reasoning

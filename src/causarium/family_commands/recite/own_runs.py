"""What `causarium recite analysis` needs of logs beside rows: documents, and reasoning."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from causarium.errors import CausariumError

if TYPE_CHECKING:
    from causarium.families.recite.analysis.own_runs import Reasoning, Shape


def read_own_runs(
    logs: Iterable[Path],
) -> "tuple[dict[str, Shape], dict[tuple[str, str], Reasoning]]":
    """Return what each document is like, and how long each answer was thought over.

    A log that cannot be read is left out; reading its rows has named it already.
    """
    from causarium.engine.logbook.read_logs import agent_of, find_logs, read_header, read_records
    from causarium.engine.logbook.reasoning_lengths import read_reasoning
    from causarium.families.recite import FAMILY
    from causarium.families.recite.analysis.own_runs import Reasoning, shape_of

    shapes: dict[str, Shape] = {}
    reasoning: dict[tuple[str, str], Reasoning] = {}
    try:
        paths = find_logs(list(logs))
    except CausariumError:
        paths = []
    for path in paths:
        try:
            model = read_header(path).model
            agents: dict[str, str] = {}
            for record in read_records(path):
                if record.family == FAMILY.name:
                    instance, _ = record.open(FAMILY)
                    agents[instance.id] = agent_of(record, model)
                    if instance.id not in shapes:
                        shapes[instance.id] = shape_of(instance)
            for length in read_reasoning(path) if agents else ():
                if length.id in agents:
                    hidden = 0 if length.characters else length.tokens
                    found = Reasoning(length.characters, hidden)
                    reasoning[agents[length.id], length.id] = found
        except CausariumError:
            continue
    return shapes, reasoning

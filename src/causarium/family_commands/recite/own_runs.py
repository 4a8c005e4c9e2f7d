"""What `causarium recite analysis` needs of logs beside rows: documents, and reasoning."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from causarium.errors import CausariumError

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

    from causarium.families.recite.analysis.own_runs import Reasoning, Shape


def read_own_runs(
    logs: Iterable[Path],
) -> "tuple[dict[str, Shape], dict[tuple[str, str], Reasoning]]":
    """Return what each document is like, and how long each answer was thought over."""
    from causarium.engine.logbook.read_logs import agent_of, read_header, read_records
    from causarium.families.recite import FAMILY
    from causarium.families.recite.analysis.own_runs import shape_of

    shapes: dict[str, Shape] = {}
    reasoning: dict[tuple[str, str], Reasoning] = {}
    for path in _found_logs(logs):
        try:
            model = read_header(path).model
            agents: dict[str, str] = {}
            for record in read_records(path):
                if record.family == FAMILY.name:
                    instance, _ = record.open(FAMILY)
                    agents[instance.id] = agent_of(record, model)
                    if instance.id not in shapes:
                        shapes[instance.id] = shape_of(instance)
            for id_, length in _reasoning(path) if agents else ():
                if id_ in agents:
                    reasoning[agents[id_], id_] = length
        except CausariumError:
            continue
    return shapes, reasoning


def _found_logs(places: Iterable[Path]) -> list[Path]:
    from causarium.engine.logbook.read_logs import find_logs

    try:
        return find_logs(list(places))
    except CausariumError:
        return []


def _reasoning(path: Path) -> "Iterator[tuple[str, Reasoning]]":
    from inspect_ai.log import read_eval_log_samples

    from causarium.families.recite.analysis.own_runs import Reasoning

    for sample in read_eval_log_samples(str(path), all_samples_required=False):
        characters = reasoning_characters(sample)
        tokens = sum(usage.reasoning_tokens or 0 for usage in sample.model_usage.values())
        yield str(sample.id), Reasoning(characters, 0 if characters else tokens)


def reasoning_characters(sample: "EvalSample") -> int:
    """Return how many characters of reasoning an agent's messages hold, in parts or in tags."""
    count = 0
    for message in sample.messages:
        if message.role != "assistant":
            continue
        parts = message.content if isinstance(message.content, list) else []
        count += sum(len(getattr(part, "reasoning", "")) for part in parts)
        thought, closed, _ = message.text.rpartition("</think>")
        count += len(thought.removeprefix("<think>")) if closed else 0
    return count

"""What `causarium recite analysis` needs of logs beside rows: documents, and reasoning."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from inspect_ai.log import EvalSample, read_eval_log, read_eval_log_samples

from causarium.errors import CausariumError

if TYPE_CHECKING:
    from causarium_recite_lab.analysis.own_runs import Reasoning, Shape

_CLOSED = "</think>"


class ReasoningLength(NamedTuple):
    """What one sample's agent reasoned."""

    id: str
    characters: int
    tokens: int
    """As the provider counts them; 0 where it does not."""


def read_reasoning(path: Path) -> Iterator[ReasoningLength]:
    """Yield how long the agent of each finished sample of a log reasoned, its judges left out."""
    model = read_eval_log(str(path), header_only=True).eval.model
    for sample in read_eval_log_samples(str(path), all_samples_required=False):
        usage = sample.model_usage.get(model)
        tokens = (usage.reasoning_tokens or 0) if usage is not None else 0
        yield ReasoningLength(str(sample.id), reasoning_characters(sample), tokens)


def reasoning_characters(sample: EvalSample) -> int:
    """Return how many characters of reasoning an agent's messages hold, in parts or in tags."""
    count = 0
    for message in sample.messages:
        if message.role != "assistant":
            continue
        parts = message.content if isinstance(message.content, list) else []
        count += sum(len(part.reasoning) for part in parts if part.type == "reasoning")
        thought, closed, _ = message.text.rpartition(_CLOSED)
        count += len(thought.removeprefix("<think>")) if closed else 0
    return count


def read_own_runs(
    logs: Sequence[Path],
) -> "tuple[dict[str, Shape], dict[tuple[str, str], Reasoning]]":
    """Return what each document is like, and how long each answer was thought over.

    A log that cannot be read is left out; reading its rows has named it already.
    """
    from causarium.engine.logbook.log_book import LogBook
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

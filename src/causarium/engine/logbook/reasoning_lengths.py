"""How long agents reasoned: characters where reasoning can be read, tokens where it is counted."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from inspect_ai.log import EvalSample, read_eval_log_samples

_CLOSED = "</think>"


class ReasoningLength(NamedTuple):
    """What one sample's agent reasoned."""

    id: str
    characters: int
    tokens: int
    """As the provider counts them; 0 where it does not."""


def read_reasoning(path: Path) -> Iterator[ReasoningLength]:
    """Yield how long the agent of each finished sample of a log reasoned."""
    for sample in read_eval_log_samples(str(path), all_samples_required=False):
        tokens = sum(usage.reasoning_tokens or 0 for usage in sample.model_usage.values())
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

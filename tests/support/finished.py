"""A line in a file for every sample whose end Inspect has recorded."""

import time
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.hooks import Hooks, SampleEnd, hooks

from tests.support.bad_provider import named


@dataclass(frozen=True)
class Finished:
    """One finished sample."""

    id: str
    uuid: str
    conversation: str
    at: float
    """By this machine's clock."""


def count_finished(file: Path) -> None:
    """Have this process write down what it finishes."""

    @hooks(name="finished_samples", description="Writes down which samples are finished.")
    class FinishedSamples(Hooks):
        async def on_sample_end(self, data: SampleEnd) -> None:
            if data.sample.error is not None:
                return
            opening = data.sample.input
            assert not isinstance(opening, str)
            line = (data.sample.id, data.sample.uuid, named(m.text for m in opening))
            with file.open("a", encoding="utf-8") as lines:
                lines.write(" ".join(map(str, (*line, time.monotonic()))) + "\n")


def read_finished(file: Path) -> list[Finished]:
    """Read what was finished so far; a line that is cut off was not finished."""
    lines = file.read_text(encoding="utf-8").split("\n")[:-1] if file.exists() else []
    found = []
    for line in lines:
        id_, uuid, conversation, at = line.split()
        found.append(Finished(id_, uuid, conversation, float(at)))
    return found

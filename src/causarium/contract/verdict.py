"""What scoring says of one episode: named numbers, and named labels."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, TypeAdapter, with_config

from causarium.contract.frozen import Frozen, Numbers

Better = Literal["higher", "lower", "neither"]
"""Which way a number is better; `neither` for one that only describes, such as a count of turns."""


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a verdict."""

    about: str
    """One sentence on what it says."""
    better: Better = "neither"
    share: bool = False
    """Whether it is 0 or 1 by its nature, so that its mean is a share and has Wilson's interval."""
    least: float = 0.0
    """The least that an episode can have of it; an interval ends there."""


SLIPS = "slips"
"""The number that every verdict has: how often form alone stood between an agent and its move."""
SLIPS_METRIC = Metric("Replies whose form had to be forgiven or asked for again; never graded.")


def read_metrics(path: Path) -> dict[str, dict[str, Metric]]:
    """Read a TOML file of numbers: by its tables, and in each by name, in the order of the file.

    Of `slips`, which says the same in every family, a file only says where it stands.
    """
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    for numbers in tables.values():
        if SLIPS in numbers:
            numbers[SLIPS] = SLIPS_METRIC
    return TypeAdapter(dict[str, dict[str, Metric]]).validate_python(tables)


_SHOWN = 8
"""So many numbers stand in a verdict's short form."""


class Verdict(Frozen):
    """The score of one episode.

    A number that does not apply (a ratio with nothing beneath it) is nan, never zero, and nan is
    written as null. A verdict that could not be reached says why in `unscored`; its numbers
    are left out of every mean, and it is counted out loud.
    """

    numbers: Numbers
    """Named numbers; the family's headline metrics among them."""
    labels: dict[str, str] = Field(default_factory=dict)
    """Named classes, such as the error mode; rows may be grouped by them."""
    answer: str | None = None
    """The final answer in short, for people."""
    explanation: str = ""
    """A sentence or two for people who ask why."""
    unscored: str | None = None
    """Why there is no score, when a judge could not decide."""

    @property
    def is_answered(self) -> bool | None:
        """Whether an answer was given; None if there is no score."""
        return None if self.unscored is not None else self.answer is not None

    def __repr__(self) -> str:
        said = [f"{name}={value:g}" for name, value in self.numbers.items()]
        more = [f"{len(said) - _SHOWN} more"] if len(said) > _SHOWN else []
        why = [f"unscored={self.unscored!r}"] if self.unscored else []
        return f"Verdict({', '.join([*said[:_SHOWN], *more, *why])})"

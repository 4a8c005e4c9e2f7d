"""The parts that properties of a crystal can play, and how one part acts on the next.

A stem of properties in a row feeds two paths. The rising path pushes the resonance frequency its
own way, the falling path the other way. A gate lets one step of a path pass only while the gate is
up. All other properties are idle. Which property plays which part is what an agent finds out.
"""

from functools import cached_property
from math import perm

from pydantic import Field

from causarium.contract.frozen import Frozen

FIXED = 2
"""How many properties cannot be held, where there are any; exactly one of them is idle."""


class Part(Frozen):
    """One part of a skeleton."""

    cause: int | None
    """The part that acts on it; None if nothing does."""


class Skeleton(Frozen):
    """How many properties play each part. Parts are numbered: gates, stem, rising, falling."""

    stem: int = Field(ge=0)
    rising: int = Field(ge=1)
    falling: int = Field(ge=1)
    gates: int = Field(ge=0, le=2)
    """Of 1 the rising path has a gate, of 2 both paths."""
    idle: int = Field(ge=0)
    fixed: bool
    """Whether two properties cannot be held."""

    @property
    def size(self) -> int:
        """The number of properties."""
        return self.gates + self.stem + self.rising + self.falling + self.idle

    @property
    def holdable(self) -> int:
        """The number of properties that can be held in the manipulator."""
        return self.size - FIXED * self.fixed

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """All parts but the idle ones; each comes after its cause and its gate."""
        parts = [Part(cause=None) for _ in range(self.gates)]
        for number in range(self.stem):
            parts.append(Part(cause=len(parts) - 1 if number else None))
        source = len(parts) - 1 if self.stem else None
        for length in (self.rising, self.falling):
            for number in range(length):
                parts.append(Part(cause=len(parts) - 1 if number else source))
        return tuple(parts)

    @property
    def head(self) -> int:
        """The part at which the stem begins."""
        return self.gates

    @property
    def ends(self) -> tuple[int, int]:
        """The last part of the rising path and that of the falling path."""
        return len(self.parts) - self.falling - 1, len(self.parts) - 1

    @property
    def arrangements(self) -> int:
        """The number of ways in which properties can play the parts."""
        played = len(self.parts)
        if not self.fixed:
            return perm(self.size, played)
        return FIXED * played * perm(self.holdable, played - 1)

"""The ladder of a certified edition: configurations from the lowest rung upwards."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from causarium.errors import UsageError

ConfigT = TypeVar("ConfigT")

RUNG = "rung"
"""The facet of an instance that holds its rung."""
STANDARD = 8
"""The highest rung of the set `standard`."""


def name_rung(rung: int) -> str:
    """Return the name of the level that is a rung.

    Example:
        >>> name_rung(3)
        'rung-3'
    """
    return f"rung-{rung}"


def read_rung(instance_id: str) -> int | None:
    """Return the rung that an instance's id names; None if it names none.

    Example:
        >>> read_rung("causallink-rung-12-s5-0003"), read_rung("causallink-core-0003")
        (12, None)
    """
    found = re.search(r"-rung-(\d{1,6})-", instance_id)
    return int(found[1]) if found else None


def list_rungs(levels: Iterable[str]) -> tuple[int, ...]:
    """Return the rungs that levels are, in order; empty unless all of them are rungs.

    Example:
        >>> list_rungs(["rung-2", "rung-1"]), list_rungs(["rung-1", "core"])
        ((1, 2), ())
    """
    found = [re.fullmatch(r"rung-(\d{1,6})", level) for level in dict.fromkeys(levels)]
    return tuple(sorted(int(one[1]) for one in found if one)) if all(found) else ()


def parse_rungs(text: str | None) -> range | None:
    """Return the rungs that a text names: one, or the first and the last of some in a row.

    Raises:
        UsageError: It names none.

    Example:
        >>> parse_rungs("5-9"), parse_rungs("3")
        (range(5, 10), range(3, 4))
    """
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", text.strip())
    first = int(found[1]) if found else 0
    last = int(found[2] or first) if found else 0
    if not 1 <= first <= last:
        raise UsageError(f"rungs are numbers from 1 upwards such as 3 or 5-9, not {text!r}")
    return range(first, last + 1)


@dataclass(frozen=True)
class Rungs(Generic[ConfigT]):
    """A ladder that has no last rung by design; it ends where certificates do.

    All rungs have the same rules text, actions and reply form. Each turns one or two dials.
    """

    make: Callable[[int], ConfigT]
    """The configuration of a rung, by a rule."""
    top: int
    """The highest rung whose instances can be certified."""
    dials: Mapping[str, str] = field(default_factory=dict)
    """Name of each dial, with one sentence on why turning it is harder for a causal reason."""

    def config_of(self, rung: int) -> ConfigT:
        """Return the configuration of a rung.

        Raises:
            UsageError: There is no such rung.
        """
        if not 1 <= rung <= self.top:
            raise UsageError(f"there is no rung {rung}; rungs go from 1 to {self.top}")
        return self.make(rung)

    @property
    def levels(self) -> dict[str, ConfigT]:
        """The configurations by the names of their levels, in order."""
        return {name_rung(rung): self.make(rung) for rung in range(1, self.top + 1)}

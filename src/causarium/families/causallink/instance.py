"""What an agent of CausalLink may see, and what only the scorer knows."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from causarium.contract.instance import Instance, Public, Secret
from causarium.families.causallink.mechanics.dynamics import (
    Reach,
    close_relation,
    row_width,
)

ARROW = ">"
"""Stands between cause and effect in a stored edge."""


class LinkPublic(Public):
    """One question about one world, as it is first seen."""

    theme: str
    """Which theme words the world."""
    shapes: tuple[str, ...]
    """The variables' names, in the order in which they are listed."""
    moving: tuple[str, ...]
    """Those active at the start, in listing order."""
    cause: str
    effect: str
    cap: int
    """How many interventions are allowed: two for each variable."""

    @property
    def start(self) -> int:
        """The state at the start, as a bit mask over listing positions."""
        state = 0
        for name in self.moving:
            state |= 1 << self.shapes.index(name)
        return state


class LinkSecret(Secret):
    """The graph, and the answer that follows from it."""

    edges: tuple[str, ...]
    """Direct edges, each written `cause>effect`."""
    truth: bool
    """Whether a directed path leads from the cause to the effect."""

    def reach(self, shapes: tuple[str, ...]) -> Reach:
        """Return the reachability relation over listing positions."""
        places = {name: place for place, name in enumerate(shapes)}
        return Reach(close_edges(places, self.edges))


def close_edges(places: Mapping[str, int], edges: tuple[str, ...]) -> tuple[int, ...]:
    """Return, for each listing position, the mask of itself and everything that it causes."""
    n, direct = len(places), 0
    width = row_width(n)
    for edge in edges:
        cause, effect = _ENDS[edge]
        direct |= 1 << places[cause] * width + places[effect]
    return close_relation(n, direct)


class _Ends(dict[str, tuple[str, str]]):
    """Cause and effect of the edges read so far: all graphs of a theme are made of few."""

    most: Final = 4_096

    def __missing__(self, edge: str) -> tuple[str, str]:
        cause, effect = edge.split(ARROW)
        if len(self) >= self.most:
            self.clear()
        self[edge] = cause, effect
        return cause, effect


_ENDS = _Ends()


LinkInstance: TypeAlias = Instance[LinkPublic, LinkSecret]

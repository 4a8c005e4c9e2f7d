"""What an agent of CausalLink may see, and what only the scorer knows."""

from typing import TypeAlias

from causarium.contract.instance import Instance, Public, Secret
from causarium.families.causallink.mechanics.dynamics import Reach

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
        if len(self.moving) == len(self.shapes):
            return (1 << len(self.shapes)) - 1
        return sum(1 << self.shapes.index(name) for name in self.moving)


class LinkSecret(Secret):
    """The graph, and the answer that follows from it."""

    edges: tuple[str, ...]
    """Direct edges, each written `cause>effect`."""
    truth: bool
    """Whether a directed path leads from the cause to the effect."""

    def reach(self, shapes: tuple[str, ...]) -> Reach:
        """Return the reachability relation over listing positions."""
        return close_edges(shapes, self.edges)


def close_edges(shapes: tuple[str, ...], edges: tuple[str, ...]) -> Reach:
    """Return the reachability relation of stored edges over listing positions."""
    place = {name: x for x, name in enumerate(shapes)}
    ends = [edge.split(ARROW) for edge in edges]
    return Reach.of_edges(len(shapes), [(place[cause], place[effect]) for cause, effect in ends])


LinkInstance: TypeAlias = Instance[LinkPublic, LinkSecret]

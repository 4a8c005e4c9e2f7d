"""The core cases: three small structures and one variant, every closed start, every ordered pair.

The confounder with its extra edge has the reachability of a chain of three, so its 24 cases
are the mediation cases under other names. They carry a flag, and 60 cases are distinct.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from causarium.families.causallink.mechanics.dynamics import Reach

Edges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """A small causal structure."""

    name: str
    size: int
    edges: Edges
    repeat: bool = False
    """Whether it acts exactly like an earlier structure under other names."""


STRUCTURES = (
    Structure("direct", 2, ((0, 1),)),
    Structure("mediation", 3, ((0, 1), (1, 2))),
    Structure("confounder", 3, ((1, 0), (1, 2))),
    Structure("confounder_with_edge", 3, ((1, 0), (1, 2), (0, 2)), repeat=True),
)


@dataclass(frozen=True, slots=True)
class CoreCase:
    """One start and one question of a structure."""

    structure: Structure
    start: int
    cause: int
    effect: int

    @property
    def truth(self) -> bool:
        """Whether the cause has a path to the effect."""
        reach = Reach.of_edges(self.structure.size, self.structure.edges)
        return reach.causes(self.cause, self.effect)


@cache
def core_cases(*, distinct: bool) -> tuple[CoreCase, ...]:
    """Return the 84 core cases, or the 60 distinct ones, structure by structure."""
    return tuple(
        case
        for structure in STRUCTURES
        if not (distinct and structure.repeat)
        for case in _cases(structure)
    )


def _cases(structure: Structure) -> Iterator[CoreCase]:
    for start in Reach.of_edges(structure.size, structure.edges).closed_states():
        for first, second in combinations(range(structure.size), 2):
            yield CoreCase(structure, start, first, second)
            yield CoreCase(structure, start, second, first)

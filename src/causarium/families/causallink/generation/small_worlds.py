"""Where the graphs of practice, core and paper levels come from.

*Core.* Three small structures and one variant, every closed start, every ordered pair. The
confounder with its extra edge has the reachability of a chain of three, so its 24 cases are the
mediation cases under other names. They carry a flag, and 60 cases are distinct.

*Practice.* Two worlds that differ in one arrow, from the cause to the effect, and in nothing that
is shown. Every other variable causes the effect, and some of them, at least one, the cause. To see
a difference one has to stop all the others and then act on the cause. One recipe does it every
time, hence the name.

*Released.* The released generator's mechanics, draw by draw, for the paper edition. Edges run from
lower to higher node ids only, so the order in which shapes are listed is a causal order. A draw in
which some node is not reachable from node 0 is replaced by its complement, which is not tested
again. Questions run from the lower id to the higher, whatever the answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random

from causarium.errors import GraphError
from causarium.families.causallink.evidence.practice import find_depth, find_twin
from causarium.families.causallink.model.reach import Reach
from causarium.families.causallink.model.theme import theme

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


CAUSE, EFFECT = 0, 1
"""The variables of a practice pair that are asked about; the others follow."""


SOFT_SHARE = 0.2
"""How many practice pairs can be told apart one intervention sooner."""
ARROW_CHANCE = 0.2
"""The chance that the free variable of a soft pair causes another, and that it is caused by it."""


def draw_practice_pair(rng: Random, size: int) -> tuple[Edges, int]:
    """Draw the edges of a practice pair, but for the one from cause to effect, and its depth.

    One pair in five is softer: the last variable has arrows of its own. Otherwise the number of
    worlds would be so small that none would be left to train on.

    Args:
        rng: Where chance comes from.
        size: How many variables there are.
    """
    others = range(2, size)
    if len(others) < 2 or rng.random() >= SOFT_SHARE:
        return _draw_barrier(rng, others), size - 1
    while True:
        edges = (*_draw_barrier(rng, others[:-1]), *_draw_free_arrows(rng, others[-1]))
        if _has_depth(size, edges, size - 2):
            return edges, size - 2


def _draw_barrier(rng: Random, others: Sequence[int]) -> Edges:
    causes_of_both = rng.sample(others, rng.randint(1, len(others)))
    return (*((x, EFFECT) for x in others), *((x, CAUSE) for x in causes_of_both))


def _draw_free_arrows(rng: Random, free: int) -> Iterator[tuple[int, int]]:
    for x in range(free):
        drawn = rng.random()
        if drawn < 2 * ARROW_CHANCE:
            yield (free, x) if drawn < ARROW_CHANCE else (x, free)


def _has_depth(size: int, edges: Edges, depth: int) -> bool:
    """Say whether edges and one more from cause to effect are twins of that depth."""
    try:
        world = Reach.of_edges(size, edges)
    except GraphError:
        return False
    if world.causes(CAUSE, EFFECT) or world.causes(EFFECT, CAUSE):
        return False
    twin = find_twin(world, CAUSE, EFFECT)
    return twin is not None and find_depth(world, twin, (1 << size) - 1) == depth


POOL_SIZE = 8
"""How many names the published pool of shapes has."""


@dataclass(frozen=True, slots=True)
class ReleasedDraw:
    """A graph, its shapes in node order, and the pairs asked about, in order."""

    edges: Edges
    shapes: tuple[str, ...]
    pairs: Edges


def draw_released(rng: Random, n: int, questions: int) -> ReleasedDraw:
    """Draw one graph and its questions, in the released order of random draws."""
    slots = list(combinations(range(n), 2))
    edges = complete_edges(n, [rng.random() < 0.5 for _ in slots])
    shapes = rng.sample(theme("shapes").names[:POOL_SIZE], n)
    for _ in range(n):
        # A kind of change is drawn for every shape from a list of one and never used.
        rng.choice(("moving",))
    pairs = rng.sample(slots, questions)
    return ReleasedDraw(edges, tuple(shapes), tuple(pairs))


def complete_edges(n: int, present: Sequence[bool]) -> Edges:
    """Return the graph of one draw: its edges, or where node 0 does not reach all, the others."""
    slots = list(combinations(range(n), 2))
    drawn = tuple(slot for slot, is_present in zip(slots, present, strict=True) if is_present)
    if Reach.of_edges(n, drawn).below[0] == (1 << n) - 1:
        return drawn
    return tuple(slot for slot in slots if slot not in drawn)

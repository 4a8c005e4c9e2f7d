"""How pairs of worlds are drawn that differ in one arrow and in nothing that is shown.

In a pair the cause is variable 0, the effect is 1, and the others follow. With k others active at
first, W is what the worst case needs (`evidence/optimum.py`) and D the depth (`evidence/twins.py`).

*All active.* Every other causes the effect, and some of them, at least one, the cause: to see a
difference one has to stop all the others and then act on the cause, so D = W. One pair in five is
softer: one of the others has arrows of its own, drawn until D = W - 1. Otherwise the number of
worlds of a size would be small.

*Some active.* Neither cause nor effect is active (one in five), only the effect (one in five), or
both with at least two others; D = W throughout. With only the effect active no other is, because
any pair with active others can be told apart with W - 1 interventions, and by the same ones: stop
the others, start the cause. The first two kinds need one act and two, so they are the fewer ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from causarium.errors import GraphError
from causarium.families.causallink.evidence.optimum import least_interventions
from causarium.families.causallink.evidence.twins import find_depth, find_twin
from causarium.families.causallink.generation.core_cases import Edges
from causarium.families.causallink.mechanics.dynamics import Reach

CAUSE, EFFECT = 0, 1
SOFT_SHARE = 0.2
"""How many pairs of the all-active levels have D = W - 1."""
ARROW_CHANCE = 0.2
"""The chance that the free variable of a soft pair causes another, and that it is caused by it."""
START_KINDS = ((False, False), (False, True), (True, True), (True, True), (True, True))
"""Whether cause and effect are active in pairs that are first seen with some active, in turn."""
AMONG_ACTIVE = 0.3
FROM_INACTIVE = 0.35


@dataclass(frozen=True, slots=True)
class Pair:
    """Two worlds: one with these edges, and one with an edge from the cause to the effect too."""

    size: int
    edges: Edges
    start: int
    """The state in which both are first seen."""
    depth: int

    def edges_of(self, *, truth: bool) -> Edges:
        """Return the edges of the world in which the answer is `truth`."""
        return (*self.edges, (CAUSE, EFFECT)) if truth else self.edges


def draw_all_active(rng: Random, size: int) -> Pair:
    """Draw a pair that is first seen with everything active."""
    others = range(2, size)
    everything = (1 << size) - 1
    if len(others) < 2 or rng.random() >= SOFT_SHARE:
        return Pair(size, _barrier(rng, others), everything, depth=size - 1)
    while True:
        edges = (*_barrier(rng, others[:-1]), *_free_arrows(rng, others[-1]))
        if has_depth(size, edges, everything, size - 2):
            return Pair(size, edges, everything, depth=size - 2)


def _barrier(rng: Random, others: Sequence[int]) -> Edges:
    causes_of_both = rng.sample(others, rng.randint(1, len(others)))
    return (*((x, EFFECT) for x in others), *((x, CAUSE) for x in causes_of_both))


def _free_arrows(rng: Random, free: int) -> Iterator[tuple[int, int]]:
    """Yield the arrows of the last variable, to and from all before it."""
    for x in range(free):
        drawn = rng.random()
        if drawn < ARROW_CHANCE:
            yield free, x
        elif drawn < 2 * ARROW_CHANCE:
            yield x, free


def draw_some_active(rng: Random, size: int, number: int) -> Pair:
    """Draw a pair that is first seen with neither, only the effect, or both and others active.

    Args:
        rng: Where chance comes from.
        size: How many variables there are.
        number: The pair's number; the kinds of start take turns, so that every set has its share.
    """
    cause_active, effect_active = START_KINDS[number % len(START_KINDS)]
    if cause_active:
        count = rng.randint(min(2, size - 2), size - 2)
    else:
        count = 0 if effect_active else rng.randint(0, size - 2)
    return draw_from_start(
        rng, size, cause_active=cause_active, effect_active=effect_active, others_active=count
    )


def draw_from_start(
    rng: Random, size: int, *, cause_active: bool, effect_active: bool, others_active: int
) -> Pair:
    """Draw a pair that is first seen in a given state.

    Args:
        rng: Where chance comes from.
        size: How many variables there are.
        cause_active: Whether the cause is active at first; then the effect and others are, too.
        effect_active: Whether the effect is.
        others_active: How many of the others are; none if of the two only the effect is.
    """
    others = range(2, size)
    active, inactive = others[:others_active], others[others_active:]
    start = cause_active << CAUSE | effect_active << EFFECT | sum(1 << x for x in active)
    depth = least_interventions(
        cause_active=cause_active, effect_active=effect_active, others_active=others_active
    )
    while True:
        if cause_active:
            edges = _barrier(rng, active)
        else:
            edges = tuple(_forward(rng, active, active, AMONG_ACTIVE))
        edges = (*edges, *_forward(rng, inactive, range(size), FROM_INACTIVE))
        if has_depth(size, edges, start, depth):
            return Pair(size, edges, start, depth)


def _forward(
    rng: Random, causes: Sequence[int], effects: Sequence[int], chance: float
) -> Iterator[tuple[int, int]]:
    """Yield arrows from some variables; among themselves they run along a random order."""
    order = rng.sample(causes, len(causes))
    for place, x in enumerate(order):
        for y in effects:
            if y not in order[: place + 1] and rng.random() < chance:
                yield x, y


def has_depth(size: int, edges: Edges, start: int, depth: int) -> bool:
    """Say whether edges and one more from cause to effect are twins of that depth."""
    try:
        world = Reach.of_edges(size, edges)
    except GraphError:
        return False
    if world.causes(CAUSE, EFFECT) or world.causes(EFFECT, CAUSE):
        return False
    twin = find_twin(world, CAUSE, EFFECT)
    return (
        twin is not None
        and world.is_closed(start)
        and twin.is_closed(start)
        and find_depth(world, twin, start) == depth
    )

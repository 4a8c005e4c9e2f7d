"""What somebody knows who has read the generator: which worlds a case may be, and how likely.

In all of these worlds the cause is variable 0 and the effect 1; then come the others, those that
are active at first before those that are not. What others are called and where they are listed
says nothing, so a law treats them alike.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb
from random import Random

from causarium.families.causallink.evidence.twins import find_twin
from causarium.families.causallink.generation.core_cases import core_cases
from causarium.families.causallink.generation.twin_pairs import (
    ARROW_CHANCE,
    CAUSE,
    EFFECT,
    SOFT_SHARE,
    Pair,
    draw_all_active,
    draw_from_start,
    has_depth,
)
from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.seeds import stream

CORE_SIZE = 3
"""Worlds of up to so many variables are taken for core cases."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What is seen at first, apart from names and places."""

    size: int
    cause_active: bool
    effect_active: bool
    others_active: int

    @classmethod
    def of(cls, public: LinkPublic) -> "FirstLook":
        """Return the first look at a case."""
        cause_active, effect_active = public.cause in public.moving, public.effect in public.moving
        return cls(
            len(public.shapes),
            cause_active,
            effect_active,
            len(public.moving) - cause_active - effect_active,
        )

    @property
    def start(self) -> int:
        """The state, as a mask."""
        others = ((1 << self.others_active) - 1) << 2
        return self.cause_active << CAUSE | self.effect_active << EFFECT | others


Law = dict[Reach, float]
"""Worlds with their probabilities, which add up to 1."""


def order_names(public: LinkPublic, rng: Random) -> list[str]:
    """Return the names of a case in the order of a law; others come as chance has it."""
    others = [name for name in public.shapes if name not in {public.cause, public.effect}]
    rng.shuffle(others)
    others.sort(key=lambda name: name not in public.moving)
    return [public.cause, public.effect, *others]


@lru_cache(maxsize=32)
def core_law(look: FirstLook) -> Law:
    """Return the law of the core cases that look so at first; empty if there are none."""
    worlds: list[Reach] = []
    for case in core_cases(distinct=False):
        size = case.structure.size
        others = [x for x in range(size) if x not in {case.cause, case.effect}]
        others.sort(key=lambda x, start=case.start: not start >> x & 1)  # type: ignore[misc]
        place = {x: number for number, x in enumerate((case.cause, case.effect, *others))}
        start = sum(1 << place[x] for x in range(size) if case.start >> x & 1)
        if size == look.size and start == look.start:
            edges = [(place[a], place[b]) for a, b in case.structure.edges]
            worlds.append(Reach.of_edges(size, edges))
    return _add_up([(world, 1 / len(worlds)) for world in worlds])


@lru_cache(maxsize=8)
def all_active_law(size: int) -> Law:
    """Return the law of the pairs that are first seen with everything active, exactly."""
    count = size - 2
    soft = _soft_worlds(size) if count > 1 else []
    accepted = sum(chance for _, chance in soft)
    weighted = [
        (world, (1 - SOFT_SHARE if soft else 1) * chance) for world, chance in _hard_worlds(size)
    ]
    weighted += [(world, SOFT_SHARE * chance / accepted) for world, chance in soft]
    orders = [(CAUSE, EFFECT, *order) for order in permutations(range(2, size))]
    no_worlds = _add_up(
        [
            (_rename(world, order), chance / len(orders))
            for world, chance in weighted
            for order in orders
        ]
    )
    law: Law = {}
    for world, chance in no_worlds.items():
        for twin in (world, find_twin(world, CAUSE, EFFECT)):
            if twin is not None:
                law[twin] = chance / 2
    return law


def _hard_worlds(size: int) -> list[tuple[Reach, float]]:
    others = range(2, size)
    to_effect = [(x, EFFECT) for x in others]
    return [
        (
            Reach.of_edges(size, [*to_effect, *((x, CAUSE) for x in chosen)]),
            1 / len(others) / comb(len(others), len(chosen)),
        )
        for count in range(1, len(others) + 1)
        for chosen in combinations(others, count)
    ]


def _soft_worlds(size: int) -> list[tuple[Reach, float]]:
    """Return what one try at a soft pair leads to, with its chance, where it is accepted."""
    *others, free = range(2, size)
    to_effect = [(x, EFFECT) for x in others]
    worlds = []
    # Which of the others cause the cause makes no difference but by their number.
    for count in range(1, len(others) + 1):
        barrier = (*to_effect, *((x, CAUSE) for x in others[:count]))
        for ways in product(("none", "to", "from"), repeat=free):
            arrows = [
                (free, x) if way == "to" else (x, free)
                for x, way in enumerate(ways)
                if way != "none"
            ]
            edges = (*barrier, *arrows)
            if has_depth(size, edges, (1 << size) - 1, size - 2):
                chance = ARROW_CHANCE ** len(arrows) * (1 - 2 * ARROW_CHANCE) ** (
                    free - len(arrows)
                )
                worlds.append((Reach.of_edges(size, edges), chance / len(others)))
    return worlds


def _rename(world: Reach, order: tuple[int, ...]) -> Reach:
    below = [0] * world.n
    for x, mask in enumerate(world.below):
        below[order[x]] = sum(1 << order[y] for y in range(world.n) if mask >> y & 1)
    return Reach(tuple(below))


def _add_up(weighted: list[tuple[Reach, float]]) -> Law:
    law: defaultdict[Reach, float] = defaultdict(float)
    for world, chance in weighted:
        law[world] += chance
    return dict(law)


def draw_worlds(look: FirstLook, pairs: int, *, seed: int) -> Iterator[Reach]:
    """Yield both worlds of pairs that look so at first, as the generator draws them.

    Args:
        look: What is seen at first.
        pairs: How many pairs are drawn.
        seed: Where drawing starts.
    """
    rng = stream(seed, "causallink", "study", look.size, look.start)
    first_inactive = 2 + look.others_active
    for _ in range(pairs):
        pair = _draw_pair(rng, look)
        # Who of the others is who cannot be seen.
        active, inactive = range(2, first_inactive), range(first_inactive, look.size)
        order = (
            CAUSE,
            EFFECT,
            *rng.sample(active, len(active)),
            *rng.sample(inactive, len(inactive)),
        )
        for truth in (False, True):
            yield _rename(Reach.of_edges(pair.size, pair.edges_of(truth=truth)), order)


def _draw_pair(rng: Random, look: FirstLook) -> Pair:
    if look.start == (1 << look.size) - 1:
        return draw_all_active(rng, look.size)
    return draw_from_start(
        rng,
        look.size,
        cause_active=look.cause_active,
        effect_active=look.effect_active,
        others_active=look.others_active,
    )

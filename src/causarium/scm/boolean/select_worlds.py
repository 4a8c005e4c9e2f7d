"""Choosing worlds until nothing is open: against the obligations of the proof itself.

A candidate world gains one for each open pattern that it shows, and all of a set's open patterns if
it shows that the set cannot explain its variable. The best of many random worlds is taken, what is
open is found anew, and so on; at the end worlds without which the proof still holds are dropped.
The number of worlds is small, and no claim is made that it is smallest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from causarium.scm.boolean.certify_model import find_obliged_sets, list_reachable_rows, obligations
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.propose_worlds import Design, World, Worlds, propose
from causarium.scm.boolean.row_evidence import (
    Admissible,
    Evidence,
    Layout,
    Words,
    find_seen_patterns,
)
from causarium.scm.dag import bits

Admits = Callable[[World], bool]


@dataclass(frozen=True)
class Effort:
    """How hard to look."""

    candidates: int = 120
    """How many random worlds are compared each time."""
    pairs: int = 240
    """How many open sets are looked at for that at most."""
    disguise: bool = True
    """Whether roots are made targets about as often as the others are; see `disguise_roots`."""
    worlds: int = 60
    """How many worlds may be added at most."""
    patience: int = 5
    """After so many fruitless rounds, worlds may have more targets; after twice as many, stop."""


EFFORT = Effort()


@dataclass(frozen=True, eq=False)
class Goal:
    """What the worlds are to determine, about which model."""

    scm: BooleanScm
    admissible: Admissible
    query: Words
    """The patterns of the rows that are to be determined."""

    @classmethod
    def for_whole_model(cls, scm: BooleanScm, admissible: Admissible) -> "Goal":
        """Determine the whole model."""
        return cls.rows(scm, admissible, list_reachable_rows(scm))

    @classmethod
    def rows(cls, scm: BooleanScm, admissible: Admissible, query: Evidence) -> "Goal":
        """Determine what the model says of some rows."""
        return cls(scm, admissible, find_seen_patterns(admissible.layout, query))

    def list_shown(self, world: World) -> Words:
        """Return the patterns that a world shows."""
        layout = self.admissible.layout
        rows = np.array(world.rows, np.uint32)
        words = np.bitwise_or.reduce(layout.patterns(rows), axis=0)
        free = np.array([not world.targets >> v & 1 for v in range(layout.n)])
        return cast("Words", np.where(layout.holds & free[:, None], words, layout.word.type(0)))

    def open(self, known: Known) -> Words:
        """Return what is open; where only the roots are, the sets that could explain them."""
        duties = obligations(known, self.query, self.scm.roots)
        if duties.any() or known.feasible_roots == (self.scm.roots,):
            return duties
        layout = self.admissible.layout
        for roots in known.feasible_roots:
            for v in range(self.scm.n):
                if (self.scm.roots & ~roots) >> v & 1:
                    large = known.explains[v] & (layout.sizes == layout.sizes.max())
                    duties[v] = np.where(large, ~known.seen[v], layout.word.type(0))
        return duties

    def is_reached(self, seen: Words) -> bool:
        """Say whether these patterns determine what is to be determined."""
        known = Known(self.admissible, seen)
        return not self.open(known).any()


def select_worlds(
    goal: Goal,
    start: Sequence[World],
    design: Design,
    rng: Random,
    *,
    admits: Admits = lambda _: True,
    effort: Effort = EFFORT,
) -> tuple[World, ...] | None:
    """Return worlds that, after `start`, make the goal reached; None if none were found.

    Args:
        goal: What is to be determined.
        start: Worlds that are seen anyway.
        design: How candidate worlds are drawn.
        rng: Where chance comes from.
        admits: Which candidates may be taken at all.
        effort: How hard to look.
    """
    shown = [goal.list_shown(world) for world in start]
    seen = _union(goal.admissible.layout, shown)
    chosen: list[tuple[World, Words]] = []
    fruitless = 0
    while len(chosen) < effort.worlds and fruitless < 2 * effort.patience:
        pairs = _pairs(goal, seen, effort.pairs)
        if pairs is None:
            break
        wide = design if fruitless < effort.patience else design.widen(goal.scm.n - 1)
        worlds = propose(
            goal.scm,
            wide,
            rng,
            effort.candidates,
            pairs.focus,
            matched=effort.disguise and not fruitless,
        )
        world = _choose_best_world(worlds, _gains(goal.admissible.layout, pairs, worlds), admits)
        if world is None:
            fruitless += 1
            continue
        fruitless = 0
        chosen.append((world, goal.list_shown(world)))
        seen = cast("Words", seen | chosen[-1][1])
    if not goal.is_reached(seen):
        return None
    needed = _drop_unneeded_worlds(goal, shown, chosen)
    return disguise_roots(goal, start, needed, admits) if effort.disguise else needed


class _Pairs(NamedTuple):
    """Variables with sets of parents that have open patterns, one after the other."""

    variables: NDArray[np.intp]
    sets: NDArray[np.intp]
    open: Words
    seen: Words

    focus: tuple[int, ...]
    """Masks of parents among which targets should be looked for; none while all is open."""


def _pairs(goal: Goal, seen: Words, most: int) -> _Pairs | None:
    layout = goal.admissible.layout
    still_open = goal.open(Known(goal.admissible, seen))
    variables, sets = np.nonzero(still_open)
    if not len(variables):
        return None
    focus: tuple[int, ...] = ()
    if len(variables) > most:
        step = np.arange(most) * len(variables) // most
        variables, sets = variables[step], sets[step]
    else:
        focus = tuple(layout.parents[variables, sets].tolist())
    return _Pairs(variables, sets, still_open[variables, sets], seen[variables, sets], focus)


def _choose_best_world(worlds: Worlds, gains: NDArray[np.int64], admits: Admits) -> World | None:
    """Return the admitted world that closes most, or None if none closes anything."""
    for place in np.argsort(-gains, kind="stable"):
        if not gains[place]:
            return None
        if admits(worlds[place]):
            return worlds[place]
    return None


def _gains(layout: Layout, pairs: _Pairs, worlds: Worlds) -> NDArray[np.int64]:
    columns, at = np.unique(pairs.sets, return_inverse=True)
    patterns = layout.patterns(worlds.rows.ravel(), columns)
    shape = (*worlds.rows.shape, len(columns))
    shown = np.bitwise_or.reduce(patterns.reshape(shape), axis=1)[:, at]
    free = ~worlds.targets[:, None] >> pairs.variables.astype(np.uint32) & np.uint32(1)
    shown = shown * free.astype(layout.word)
    after = shown | pairs.seen
    shift, low = (table[pairs.variables, pairs.sets] for table in (layout.shift, layout.low))
    refuted = after & after >> shift & low != 0
    closed = np.where(refuted, pairs.open, shown & pairs.open)
    return cast("NDArray[np.int64]", np.bitwise_count(closed).sum(axis=1, dtype=np.int64))


def _drop_unneeded_worlds(
    goal: Goal, start: Sequence[Words], chosen: Sequence[tuple[World, Words]]
) -> tuple[World, ...]:
    """Drop worlds that are not needed, early ones first."""
    layout = goal.admissible.layout
    later = [_union(layout, ())]
    for _, words in reversed(chosen):
        later.append(cast("Words", later[-1] | words))
    later.reverse()
    kept: list[World] = []
    before = _union(layout, start)
    # What a set must have shown when all worlds are seen, it must have shown with fewer as well.
    all_seen = Known(goal.admissible, cast("Words", before | later[0]))
    asked = np.where(find_obliged_sets(all_seen, goal.scm.roots), goal.query, layout.word.type(0))
    for place, (world, words) in enumerate(chosen):
        without = cast("Words", before | later[place + 1])
        if (asked & ~without).any() or not goal.is_reached(without):
            kept.append(world)
            before = cast("Words", before | words)
    return tuple(kept)


def disguise_roots(
    goal: Goal,
    start: Sequence[World],
    worlds: Sequence[World],
    admits: Admits = lambda _: True,
) -> tuple[World, ...]:
    """Make roots targets about as often as the other variables are.

    Setting effects tells more than setting roots, so chosen worlds set roots less often, and who
    counts targets would know them. A root that is set, row by row, to the values that it has anyway
    changes no row; it is done where there is room, as long as the goal stays reached. There is not
    always room, so where there is, a root is set as often as the upper quarter of the others.

    Args:
        goal: What the worlds determine, about which model.
        start: Worlds that are shown anyway.
        worlds: Those that were chosen.
        admits: Which worlds may be shown at all.
    """
    scm, found = goal.scm, list(worlds)
    shown = np.stack([goal.list_shown(world) for world in (*start, *found)])
    most = max((world.targets.bit_count() for world in found), default=0)
    counts = [sum(world.targets >> v & 1 for world in found) for v in range(scm.n)]
    wanted = sorted(counts[v] for v in scm.order)[len(scm.order) * 3 // 4]
    options = [
        (world.targets.bit_count(), place, root)
        for place, world in enumerate(found)
        for root in bits(scm.roots & ~world.targets)
        if not world.constant and len({row >> root & 1 for row in world.rows}) == 2
    ]
    for _, place, root in sorted(options):
        world = World(found[place].rows, found[place].targets | 1 << root)
        if counts[root] >= wanted or world.targets.bit_count() > most or not admits(world):
            continue
        before = shown[len(start) + place, root].copy()
        shown[len(start) + place, root] = 0
        if goal.is_reached(np.bitwise_or.reduce(shown, axis=0)):
            found[place] = world
            counts[root] += 1
        else:
            shown[len(start) + place, root] = before
    return tuple(found)


def _union(layout: Layout, words: Sequence[Words]) -> Words:
    union: Words = np.zeros((layout.n, len(layout.masks)), layout.word)
    for more in words:
        union = cast("Words", union | more)
    return union

"""Few worlds that leave one model: a pool of random ones, a greedy choice, and swaps.

What the worlds must show stands in `proof_duties`. Worlds are chosen by class, that is by how many
of their targets are roots, and classes are drawn as random targets would have them: setting effects
tells more than setting roots, so whoever only looked for few worlds would set roots seldom, and
whoever counts targets would know the roots.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.proof_duties import Duties, ProofDuties, union
from causarium.scm.boolean.propose_worlds import Design, World, Worlds, propose
from causarium.scm.boolean.row_evidence import Flags
from causarium.scm.boolean.select_worlds import Goal, disguise_roots, select_worlds
from causarium.scm.dag import mask_of

_FOCUS_ROUNDS = 4
_FOCUSED = 96
_WIDEN_AFTER = 8
_MOST_ROUNDS = 40
_REFUTED_GAIN = 5
"""What a newly refuted set is worth, in bits."""
_FRUITLESS = 3
_SAMPLED = 12
"""So many lacking bits are looked at when a replacement is looked for."""
_VERIFIED = 8
"""So many replacements that have these are tried."""
_TRIED = 16
_SWEEPS = 4
_ROOTS_FAVOURED = 1.2
"""How much more often than others roots are to be set on average; some other is set more still."""


@dataclass(frozen=True)
class SearchEffort:
    """How hard to look for few worlds."""

    pool: int = 450
    """How many random worlds are drawn first."""
    tries: int = 45
    """How often fewer worlds are looked for in the place of some."""


EFFORT = SearchEffort()


class Pool(NamedTuple):
    """Worlds to choose from, and what they show."""

    duties: ProofDuties
    rows: NDArray[np.uint32]
    targets: NDArray[np.uint32]
    shown: Duties
    start: Duties
    """What is shown anyway."""
    classes: NDArray[np.uint8]
    """For each world, how many of its targets are roots."""
    by_pair: Duties
    """What is shown, one line a pair of a variable and a set."""

    def world(self, place: int) -> World:
        """Return one world."""
        return World(tuple(self.rows[place].tolist()), int(self.targets[place]))

    def list_shown(self, chosen: Sequence[int]) -> Duties:
        """Return what the start and the chosen worlds show."""
        return union(self.shown, chosen, self.start)

    def suffices(self, chosen: Sequence[int]) -> bool:
        """Say whether the start and the chosen worlds show all that is needed."""
        return self.duties.is_fulfilled(self.list_shown(chosen))


def draw_pool(
    duties: ProofDuties,
    start: Sequence[World],
    design: Design,
    rng: Random,
    effort: SearchEffort = EFFORT,
) -> Pool | None:
    """Draw worlds that together show all that is needed; None if they do not in the end.

    Args:
        duties: What is needed.
        start: Worlds that are shown anyway; they have as many rows as the design has units.
        design: How worlds are drawn.
        rng: Where chance comes from.
        effort: How hard to look.
    """
    scm = duties.scm
    first = duties.list_shown(
        np.array([world.rows for world in start], np.uint32),
        np.array([world.targets for world in start], np.uint32),
    )
    base = np.bitwise_or.reduce(first, axis=0)
    drawn = _with_targets(propose(scm, design, rng, effort.pool))
    rows, targets, shown = drawn.rows, drawn.targets, duties.list_shown(drawn.rows, drawn.targets)
    for number in range(_MOST_ROUNDS):
        seen = np.bitwise_or.reduce(shown, axis=0) | base
        rare, unrefuted = duties.lacking(seen), duties.flag_unrefuted(seen)
        if number < _FOCUS_ROUNDS:
            rare = duties.lacking(_find_repeated_bits(shown) | base)
        wanted = np.concatenate([rare != 0, unrefuted])
        if not wanted.any():
            break
        wide = design if number < _WIDEN_AFTER else design.widen(scm.n - 1)
        focus = tuple(duties.sets[wanted].tolist())
        more = _with_targets(propose(scm, wide, rng, _FOCUSED, focus))
        added = duties.list_shown(more.rows, more.targets)
        useful = (added[:, : len(rare)] & rare).any(axis=1)
        useful |= added[:, len(rare) :][:, unrefuted].any(axis=1)
        rows = np.concatenate([rows, more.rows[useful]])
        targets = np.concatenate([targets, more.targets[useful]])
        shown = np.concatenate([shown, added[useful]])
    else:
        return None
    classes = np.bitwise_count(targets & np.uint32(scm.roots))
    return Pool(duties, rows, targets, shown, base, classes, np.ascontiguousarray(shown.T))


def _with_targets(worlds: Worlds) -> Worlds:
    # A world that sets nothing shows nothing that is not shown at the start with other roots.
    return Worlds(worlds.rows[worlds.targets != 0], worlds.targets[worlds.targets != 0])


def _find_repeated_bits(shown: Duties) -> Duties:
    """Return the bits that three worlds or more show, adding worlds up two by two."""
    once, twice, often = shown, np.zeros_like(shown), np.zeros_like(shown)
    while len(once) > 1:
        half, odd = divmod(len(once), 2)
        a1, b1 = once[:half], once[half : 2 * half]
        a2, b2 = twice[:half], twice[half : 2 * half]
        a3, b3 = often[:half], often[half : 2 * half]
        rest = [words[len(words) - odd :] for words in (once, twice, often)]
        often = np.concatenate([a3 | b3 | a1 & b2 | a2 & b1, rest[2]])
        twice = np.concatenate([a2 | b2 | a1 & b1, rest[1]])
        once = np.concatenate([a1 | b1, rest[0]])
    return cast("Duties", np.bitwise_or.reduce(often, axis=0))


def few_worlds(
    goal: Goal,
    start: Sequence[World],
    design: Design,
    rng: Random,
    effort: SearchEffort = EFFORT,
) -> tuple[World, ...] | None:
    """Return few worlds that, after `start`, leave one model; None if none were found.

    Args:
        goal: What is to be determined, about which model.
        start: Worlds that are shown anyway.
        design: How candidate worlds are drawn.
        rng: Where chance comes from.
        effort: How hard to look.
    """
    pool = draw_pool(ProofDuties(goal.scm), start, design, rng, effort)
    if pool is None:
        return None
    places = choose_few(pool, design, rng, effort)
    worlds = [pool.world(place) for place in places]
    # What the duties miss is found by the proof, and closed by further worlds.
    more = select_worlds(goal, [*start, *worlds], design, rng)
    return None if more is None else disguise_roots(goal, start, [*worlds, *more])


def choose_few(pool: Pool, design: Design, rng: Random, effort: SearchEffort) -> list[int]:
    """Return places of worlds that, with the start, show all that is needed; few of them."""
    chosen = _choose_greedily(pool, design, rng)
    rng.shuffle(chosen)
    chosen = _drop_spare(pool, chosen)
    for number in range(effort.tries):
        fewer = _with_one_fewer(pool, chosen, rng)
        if fewer is not None:
            chosen = _drop_spare(pool, fewer)
        elif number % 2:
            chosen = _with_one_other(pool, chosen, rng)
    return _balance(pool, chosen, rng)


def _choose_greedily(pool: Pool, design: Design, rng: Random) -> list[int]:
    """Take the world that shows most, among those of a class drawn anew each time."""
    chosen: list[int] = []
    seen, fruitless = pool.start, 0
    while not pool.duties.is_fulfilled(seen):
        group = np.arange(len(pool.classes))
        if fruitless < _FRUITLESS:
            group = group[pool.classes == _draw_class(pool.duties.scm, design, rng)]
        best, gain = _choose_best_world(pool, group, seen)
        if gain:
            chosen.append(best)
            seen = seen | pool.shown[best]
        fruitless = 0 if gain else fruitless + 1
    return chosen


def _choose_best_world(pool: Pool, group: NDArray[np.intp], seen: Duties) -> tuple[int, int]:
    """Return the world of a group that does most, and how much that is."""
    if not len(group):
        return 0, 0
    lacking = pool.duties.lacking(seen)
    pairs = np.flatnonzero(lacking)
    shown = pool.shown[np.ix_(group, pairs)] & lacking[pairs]
    gains = np.bitwise_count(shown).sum(axis=1, dtype=np.int64)
    pairs = len(lacking) + np.flatnonzero(pool.duties.flag_unrefuted(seen))
    after = pool.shown[np.ix_(group, pairs)] | seen[pairs]
    gains += _REFUTED_GAIN * np.count_nonzero(after & after >> np.uint32(16), axis=1)
    place = int(gains.argmax())
    return int(group[place]), int(gains[place])


def _draw_class(scm: BooleanScm, design: Design, rng: Random) -> int:
    """Return how many roots a random set of targets has."""
    counts, weights = zip(*design.target_counts, strict=True)
    size = min(scm.n, rng.choices(counts, weights)[0])
    return (mask_of(rng.sample(range(scm.n), size)) & scm.roots).bit_count()


def _drop_spare(pool: Pool, chosen: Sequence[int]) -> list[int]:
    needed = list(chosen)
    for place in chosen:
        rest = [other for other in needed if other != place]
        if pool.suffices(rest):
            needed = rest
    return needed


def _with_one_fewer(pool: Pool, chosen: Sequence[int], rng: Random) -> list[int] | None:
    """Return a choice with one or two worlds in the place of two or three; None if none is seen."""
    count = 2 if rng.random() < 0.3 else 3
    if len(chosen) < count:
        return None
    removed = rng.sample(list(chosen), count)
    rest = [place for place in chosen if place not in removed]
    classes = pool.classes[removed].tolist()
    places = np.flatnonzero(_flag_classes(classes)[pool.classes])
    seen = pool.list_shown(rest)
    has = _sample_lacking_bits(pool, seen, places, rng)
    if count == 2:
        options = places[has.all(axis=0)][:_VERIFIED].tolist()
        return next(([*rest, o] for o in options if pool.suffices([*rest, o])), None)
    pair = _pair_of(pool, seen, places, has, classes)
    return None if pair is None else [*rest, *pair]


def _flag_classes(classes: Sequence[int]) -> Flags:
    flags = np.zeros(256, np.bool_)
    flags[list(classes)] = True
    return flags


def _pair_of(
    pool: Pool,
    seen: Duties,
    places: NDArray[np.intp],
    has: Flags,
    classes: Sequence[int],
) -> tuple[int, int] | None:
    """Return two worlds of different classes among those given that show what is lacking."""
    if not len(has):
        return None
    rarest = has[has.sum(axis=1).argmin()]
    masks = np.left_shift(1, np.arange(len(has))) @ has
    both = masks[rarest][:, None] | masks
    few = places[rarest]
    for place in np.flatnonzero(both == (1 << len(has)) - 1)[:_TRIED].tolist():
        one, other = divmod(place, len(places))
        first, second = int(few[one]), int(places[other])
        left = list(classes)
        left.remove(int(pool.classes[first]))
        if int(pool.classes[second]) in left and pool.duties.is_fulfilled(
            seen | pool.shown[first] | pool.shown[second]
        ):
            return first, second
    return None


def _sample_lacking_bits(pool: Pool, seen: Duties, places: NDArray[np.intp], rng: Random) -> Flags:
    """Return, for some of the lacking bits, which of the worlds at `places` show them."""
    lacking = pool.duties.lacking(seen)
    pairs = np.flatnonzero(lacking)
    if len(pairs) > _SAMPLED:
        pairs = pairs[rng.sample(range(len(pairs)), _SAMPLED)]
    words = lacking[pairs]
    part = words & np.uint32(rng.getrandbits(32))
    words = np.where(part, part, words)
    lowest = words & (~words + np.uint32(1))
    shown = pool.by_pair[pairs][:, places] & lowest[:, None]
    return cast("Flags", shown != 0)


def _with_one_other(pool: Pool, chosen: Sequence[int], rng: Random) -> list[int]:
    """Return the choice with one world changed for another of its class that does as well."""
    if not chosen:
        return list(chosen)
    out = rng.choice(chosen)
    rest = [place for place in chosen if place != out]
    same = pool.classes == pool.classes[out]
    options = _replacements(pool, rest, same, rng)
    return [*rest, next((o for o in options if o != out and pool.suffices([*rest, o])), out)]


def _replacements(pool: Pool, rest: Sequence[int], allowed: Flags, rng: Random) -> list[int]:
    places = np.flatnonzero(allowed)
    has = _sample_lacking_bits(pool, pool.list_shown(rest), places, rng)
    options: list[int] = places[has.all(axis=0)].tolist()
    return rng.sample(options, min(_VERIFIED, len(options)))


def _balance(pool: Pool, chosen: list[int], rng: Random) -> list[int]:
    """Change worlds for others that set more roots, while roots are not set often enough."""
    scm = pool.duties.scm
    for _ in range(_SWEEPS):
        for place in chosen:
            if not _roots_are_set_too_seldom(scm, [int(pool.targets[p]) for p in chosen]):
                return chosen
            rest = [other for other in chosen if other != place]
            more = pool.classes > pool.classes[place]
            for option in _replacements(pool, rest, more, rng):
                if pool.suffices([*rest, option]):
                    chosen = [*rest, option]
                    break
    return chosen


def _roots_are_set_too_seldom(scm: BooleanScm, targets: Sequence[int]) -> bool:
    on_roots = sum((mask & scm.roots).bit_count() for mask in targets)
    on_others = sum((mask & scm.endogenous).bit_count() for mask in targets)
    enough = _ROOTS_FAVOURED * on_others * scm.roots.bit_count()
    return on_roots * scm.endogenous.bit_count() < enough

"""Which models fit tables of the same units in several worlds, exactly and without a solver.

Units are recognised from world to world. Each may have a trait, one bit that is never recorded and
the same in all worlds: bit `n` of a row where `n` variables are recorded. In each world but the
first some variables were set by hand; the agent knows which ones, or only how many.

Two rows in which a variable differs, though it was set in neither, need a cause that differs too:
a recorded parent or the trait. So a set of parents explains a variable just if no two of its rows
lack such a cause, and with the trait among the parents this says which units must differ in it.
For each pair of worlds, variable and set of parents the columns of trait values under which that
holds are kept as a bit mask: `add` writes them once, and any choice of worlds is an `and` of masks.
What is left is a small search over the variables, held to the number of arrows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, groupby, product
from math import comb
from operator import or_
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import bits, mask_of

MOST_PARENTS = 3
"""How many parents a mechanism may have, the trait counted."""


@dataclass(frozen=True, slots=True)
class UnitLaw:
    """What the agent knows of the admissible models."""

    n: int
    """How many variables are recorded."""
    roots: int
    """The mask of those without a mechanism."""
    units: int
    arrows: int
    """How many arrows there are at most, those from the trait counted."""
    trait: bool
    """Whether units have a trait."""
    touched: int = 0
    """How many variables were set in each world but the first, where they are not named; each of
    them changed in some unit. 0 where they are named."""
    most_parents: int = MOST_PARENTS

    @property
    def endogenous(self) -> tuple[int, ...]:
        """The variables that have mechanisms, in listing order."""
        return tuple(v for v in range(self.n) if not self.roots >> v & 1)


@dataclass(frozen=True, slots=True)
class UnitWorld:
    """The rows of all units in one world, and what was set in it."""

    rows: tuple[int, ...]
    targets: int = 0
    """The mask of what was set; not looked at where it is not told."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The arrows of a model that fits, with what had to be found beside them."""

    parents: tuple[int, ...]
    """For each variable its parents; bit `n` is the trait."""
    columns: int
    """The mask of the columns of trait values that go with them: bit `c` stands for the column in
    which unit `u` has bit `u - 1` of `c`, and the first unit has 0."""
    touched: tuple[int, ...]
    """For each world the mask of what was set."""

    @property
    def traits(self) -> int:
        """The values of the trait, unit by unit, in the first of the columns."""
        first = self.columns & -self.columns
        return (first.bit_length() - 1) << 1

    def count(self, n: int) -> int:
        """Return how many models this stands for: without an arrow from the trait it is one."""
        uses = any(mask >> n & 1 for mask in self.parents)
        return self.columns.bit_count() if uses else 1


@dataclass(frozen=True, slots=True)
class _Option:
    """One set of parents of one variable, with the worlds in which it was set."""

    cost: int
    parents: int
    touched: int
    """The mask of these worlds, by their place among those looked at."""
    columns: int


class UnitFits:
    """All models that fit the worlds that were added, or any choice of them."""

    def __init__(self, law: UnitLaw, worlds: Sequence[UnitWorld] = ()) -> None:
        self.law = law
        self.worlds: list[UnitWorld] = []
        self._blocks: dict[tuple[int, int], NDArray[np.uint64]] = {}
        self._search: _NamedSearch | None = None
        """The search over all worlds; finding and drawing share it."""
        for world in worlds:
            self.add(world)

    def add(self, world: UnitWorld) -> None:
        """Add a world; nothing that was found of the others is looked at again."""
        self.worlds.append(world)
        self._search = None
        last = len(self.worlds) - 1
        for other in range(last + 1):
            self._blocks[other, last] = self._compare(self.worlds[other], world)

    def find(self, chosen: Sequence[int] | None = None, most: int = 2) -> list[Fit]:
        """Return fits with the worlds `chosen`, until they stand for `most` models or more.

        Args:
            chosen: The places of worlds, the first one among them; all worlds if it is None.
            most: When to stop.
        """
        found: list[Fit] = []
        models = 0
        for fit in self._prepare_search(chosen).run():
            found.append(fit)
            models += fit.count(self.law.n)
            if models >= most:
                break
        return found

    def _prepare_search(self, chosen: Sequence[int] | None) -> "_UnnamedSearch | _NamedSearch":
        every = range(len(self.worlds))
        if self.law.touched:
            return _UnnamedSearch(self, list(every if chosen is None else chosen))
        if chosen is not None:
            return _NamedSearch(self, list(chosen))
        self._search = self._search or _NamedSearch(self, every)
        return self._search

    def find_unique(self, chosen: Sequence[int] | None = None) -> Fit | None:
        """Return the one choice of arrows, trait and touched variables that fits, if it is one."""
        fits = self.find(chosen)
        return fits[0] if len(fits) == 1 and fits[0].count(self.law.n) == 1 else None

    def draw(self, count: int, rng: Random) -> list[Fit]:
        """Return fits drawn at random, each with one column; none if nothing fits.

        A column is drawn first, then a search in random order takes the first fit. No claim is made
        on how likely each fit is.
        """
        self._search = search = self._search or _NamedSearch(self, range(len(self.worlds)))
        columns = list(bits(search.columns))
        return [
            next(search.run(1 << rng.choice(columns), rng)) for _ in range(count if columns else 0)
        ]

    @cached_property
    def _candidates(self) -> list[int]:
        """The sets of parents that are looked at, those with the trait last."""
        n, most = self.law.n, self.law.most_parents
        plain = [mask_of(c) for size in range(most + 1) for c in combinations(range(n), size)]
        if not self.law.trait:
            return plain
        return plain + [mask | 1 << n for mask in plain if mask.bit_count() < most]

    @cached_property
    def _recorded(self) -> NDArray[np.uint32]:
        """The recorded part of each candidate."""
        known = (1 << self.law.n) - 1
        return np.array([mask & known for mask in self._candidates], np.uint32)

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], int]:
        """A number for each pair of different units; a unit with itself is 0."""
        pairs = combinations(range(self.law.units), 2)
        return {pair: number for number, pair in enumerate(pairs, 1)}

    @cached_property
    def _equal(self) -> NDArray[np.float32]:
        """For each pair of units and column, whether the two have the same trait in it."""
        columns = np.arange(1 << (self.law.units - 1 if self.law.trait else 0)) << 1
        equal = [np.ones(len(columns), np.bool_)]
        equal += [(columns >> u ^ columns >> v) & 1 == 0 for u, v in self._pairs]
        return np.array(equal, np.float32)

    @cached_property
    def _places(self) -> dict[bool, tuple[NDArray[np.intp], NDArray[np.float32]]]:
        """The pairs of units to compare, within a world and between two, and which pair each is."""
        units = range(self.law.units)
        found = {}
        for within, pairs in ((True, combinations(units, 2)), (False, product(units, units))):
            places = list(pairs)
            met = np.zeros((len(self._equal), len(places)), np.float32)
            numbers = [self._pairs.get((min(pair), max(pair)), 0) for pair in places]
            met[numbers, np.arange(len(places))] = 1
            found[within] = np.array(places, np.intp).reshape(-1, 2).T, met
        return found

    def _compare(self, one: UnitWorld, other: UnitWorld) -> NDArray[np.uint64]:
        """Return for each variable and candidate the columns under which it explains two worlds."""
        law = self.law
        (first, second), met = self._places[one is other]
        differ = np.array(one.rows, np.uint32)[first] ^ np.array(other.rows, np.uint32)[second]
        named = one.targets | other.targets if not law.touched else 0
        changed = differ & np.uint32(((1 << law.n) - 1) & ~named)
        changes = changed >> np.array(law.endogenous, np.uint32)[:, None] & 1 != 0
        lacks = (differ[:, None] & self._recorded) == 0
        # Candidates that hold the variable itself are left out in `_explain`.
        bad = changes[:, :, None] & lacks[None]
        plain = sum(comb(law.n, size) for size in range(law.most_parents + 1))
        width = self._equal.shape[1]
        wrong = np.zeros((*bad.shape[::2], width), np.bool_)
        wrong[:, :plain] = bad[:, :, :plain].any(axis=1)[:, :, None]
        if plain < len(self._candidates):
            joined = met @ bad[:, :, plain:].astype(np.float32) > 0
            wrong[:, plain:] = np.swapaxes(joined, 1, 2).astype(np.float32) @ self._equal > 0
        packed = np.packbits(~wrong, axis=2, bitorder="little")
        padded = np.zeros((*packed.shape[:2], -(-packed.shape[2] // 8) * 8), np.uint8)
        padded[:, :, : packed.shape[2]] = packed
        return padded.view("<u8")

    def changed(self, world: int) -> int:
        """Return the mask of what some unit has otherwise in a world than in the first."""
        first = self.worlds[0].rows
        pairs = zip(first, self.worlds[world].rows, strict=True)
        return reduce(lambda mask, rows: mask | rows[0] ^ rows[1], pairs, 0)

    def options(self, places: Sequence[int]) -> dict[int, list[_Option]]:
        """Return for each variable with a mechanism every way to explain it."""
        law = self.law
        changed = [self.changed(place) for place in places]
        found: dict[int, list[_Option]] = {}
        for at, v in enumerate(law.endogenous):
            if law.touched:
                may = mask_of(i for i, mask in enumerate(changed) if mask >> v & 1)
                masks = _submasks(may, law.touched * len(places))
            else:
                worlds = (self.worlds[place] for place in places)
                masks = [mask_of(i for i, world in enumerate(worlds) if world.targets >> v & 1)]
            found[v] = [
                _Option(parents.bit_count(), parents, mask, columns)
                for mask in masks
                for parents, columns in self._explain(at, v, places, mask)
            ]
        return found

    def _explain(
        self, at: int, v: int, places: Sequence[int], touched: int
    ) -> Iterator[tuple[int, int]]:
        free = [place for i, place in enumerate(places) if not touched >> i & 1]
        blocks = [self._blocks[a, b][at] for i, a in enumerate(free) for b in free[i:]]
        words = np.bitwise_and.reduce(blocks)
        for c in np.flatnonzero(words.any(axis=1)).tolist():
            parents = self._candidates[c]
            if not parents >> v & 1:
                yield parents, int.from_bytes(words[c].tobytes(), "little")


def _submasks(mask: int, most: int) -> list[int]:
    members = list(bits(mask))
    sizes = range(min(len(members), most) + 1)
    return [mask_of(c) for size in sizes for c in combinations(members, size)]


class _NamedSearch:
    """The search where one knows what was set: variables are placed one by one, causes first.

    `after` says exactly under which columns the rest can still be placed with so many arrows, so
    the search never turns back.
    """

    def __init__(self, fits: UnitFits, places: Sequence[int]) -> None:
        self.law = fits.law
        self.given = tuple(fits.worlds[place].targets for place in places)
        self.options = list(fits.options(places).items())
        self.every = (1 << len(self.options)) - 1
        self.inside = [self._place_parents(options) for _, options in self.options]
        self.after = self._look_ahead()
        self._turns: dict[tuple[int, int], list[tuple[int, _Option]]] = {}

    @property
    def columns(self) -> int:
        """The columns of all fits."""
        return self.after[0][self.law.arrows]

    def _place_parents(self, options: Sequence[_Option]) -> list[int]:
        """Return for each option the mask of what must be placed before, by place."""
        number = {v: 1 << i for i, (v, _) in enumerate(self.options)}
        return [sum(number.get(u, 0) for u in bits(option.parents)) for option in options]

    def _look_ahead(self) -> list[list[int]]:
        """Return, for each set of placed variables and number of arrows, the columns that do."""
        size, arrows, costs = len(self.options), self.law.arrows, self.law.most_parents + 1
        ways = [[[0] * (self.every + 1) for _ in range(costs)] for _ in self.options]
        for i, (_, options) in enumerate(self.options):
            for option, inside in zip(options, self.inside[i], strict=True):
                ways[i][option.cost][inside] |= option.columns
            for by_set in ways[i]:
                for j in range(size):
                    for placed in range(self.every + 1):
                        if placed >> j & 1:
                            by_set[placed] |= by_set[placed ^ 1 << j]
        after = [[0] * (arrows + 1) for _ in range(self.every + 1)]
        after[self.every] = [-1] * (arrows + 1)
        for placed in range(self.every - 1, -1, -1):
            here = after[placed]
            for i in bits(self.every & ~placed):
                then = after[placed | 1 << i]
                for cost, by_set in enumerate(ways[i]):
                    if columns := by_set[placed]:
                        for k in range(cost, arrows + 1):
                            here[k] |= columns & then[k - cost]
        return after

    def run(self, columns: int = -1, rng: Random | None = None) -> Iterator[Fit]:
        """Yield the fits under some columns, in random order if there is a generator."""
        seen: set[tuple[int, ...]] = set()
        for parents, left in self._place(0, self.law.arrows, columns & self.columns, {}, rng):
            found = tuple(parents.get(v, 0) for v in range(self.law.n))
            if found not in seen:
                seen.add(found)
                yield Fit(found, left, self.given)

    def _place(
        self, placed: int, arrows: int, columns: int, parents: dict[int, int], rng: Random | None
    ) -> Iterator[tuple[dict[int, int], int]]:
        if placed == self.every:
            yield parents, columns
            return
        turns = self._list_turns(placed, arrows)
        if rng is not None:
            turns = turns.copy()
            rng.shuffle(turns)
        for i, option in turns:
            then, rest = placed | 1 << i, arrows - option.cost
            if now := columns & option.columns & self.after[then][rest]:
                chosen = {**parents, self.options[i][0]: option.parents}
                yield from self._place(then, rest, now, chosen, rng)

    def _list_turns(self, placed: int, arrows: int) -> list[tuple[int, _Option]]:
        """Return which variable may come next, and by what it may be explained."""
        # Drawing goes the same ways over and over: a problem is drawn in 0.8 of the time so.
        if (placed, arrows) not in self._turns:
            self._turns[placed, arrows] = [
                (i, option)
                for i in bits(self.every & ~placed)
                for option, inside in zip(self.options[i][1], self.inside[i], strict=True)
                if not inside & ~placed and option.cost <= arrows
            ]
        return self._turns[placed, arrows]


class _Group(NamedTuple):
    """The options of a variable that was set in the same worlds."""

    touched: int
    used: int
    """How many hands that takes."""
    columns: int
    """Those of any of them."""
    options: list[_Option]


def _group_options(options: Sequence[_Option]) -> list[_Group]:
    """Return options by the worlds in which the variable was set, in the same order."""
    found = []
    for touched, alike in groupby(options, key=lambda option: option.touched):
        same = list(alike)
        columns = reduce(or_, (option.columns for option in same))
        found.append(_Group(touched, touched.bit_count(), columns, same))
    return found


class _UnnamedSearch:
    """The search where one knows only the number of hands: each variable takes an option."""

    def __init__(self, fits: UnitFits, places: Sequence[int]) -> None:
        self.law = fits.law
        self.given = [0] + [fits.changed(place) & self.law.roots for place in places[1:]]
        self.rooms = [0] + [self.law.touched - mask.bit_count() for mask in self.given[1:]]
        """How many hands each world still has for variables with mechanisms."""
        self.full = mask_of(i for i, room in enumerate(self.rooms) if not room)
        """The mask of the worlds that have none."""
        options = fits.options(places)
        self.order = sorted(options, key=lambda v: len(options[v]))
        self.options = [options[v] for v in self.order]
        self.groups = [_group_options(mine) for mine in self.options]
        self.hands = sum(self.rooms)
        self.possible = min(self.rooms) >= 0
        self.left = self._bounds() if self.possible else []

    def _bounds(self) -> list[list[list[int]]]:
        """Return the columns under which the last variables can be explained.

        By how many of them there are from a place on, with at most so many arrows and exactly so
        many hands; whether they can be put into an order is not looked at.
        """
        arrows, hands = self.law.arrows, self.hands
        every = -1
        after = [[every] + [0] * hands for _ in range(arrows + 1)]
        found = [after]
        for options in reversed(self.options):
            ways: dict[tuple[int, int], int] = {}
            for option in options:
                key = option.cost, option.touched.bit_count()
                ways[key] = ways.get(key, 0) | option.columns
            here = [[0] * (hands + 1) for _ in range(arrows + 1)]
            for (cost, used), columns in ways.items():
                for k in range(cost, arrows + 1):
                    for t in range(used, hands + 1):
                        here[k][t] |= columns & after[k - cost][t - used]
            found.append(here)
            after = here
        return found[::-1]

    def run(self) -> Iterator[Fit]:
        """Yield every fit."""
        self.parents = [0] * self.law.n
        self.rest = self.law.arrows
        self.touched = list(self.given)
        if self.possible and (columns := self.left[0][self.rest][self.hands]):
            yield from self._place(0, columns)

    def _place(self, at: int, columns: int) -> Iterator[Fit]:
        if at == len(self.order):
            yield Fit(tuple(self.parents), columns, tuple(self.touched))
            return
        v, after = self.order[at], self.left[at + 1]
        for group in self.groups[at]:
            hands = self.hands - group.used
            if hands < 0 or group.touched & self.full or not columns & group.columns:
                continue
            for option in group.options:
                now = columns & option.columns
                if not now or option.cost > self.rest:
                    continue
                now &= after[self.rest - option.cost][hands]
                if now and not self._closes_cycle(v, option.parents):
                    self._take(v, option, 1)
                    yield from self._place(at + 1, now)
                    self._take(v, option, -1)

    def _take(self, v: int, option: _Option, sign: int) -> None:
        self.parents[v] = option.parents if sign > 0 else 0
        self.rest -= sign * option.cost
        self.hands -= sign * option.touched.bit_count()
        for i in bits(option.touched):
            self.rooms[i] -= sign
            self.full = self.full & ~(1 << i) | (not self.rooms[i]) << i
            self.touched[i] ^= 1 << v

    def _closes_cycle(self, v: int, parents: int) -> bool:
        above, seen = parents, 0
        while fresh := above & ~seen & ~(1 << self.law.n):
            if fresh >> v & 1:
                return True
            seen |= fresh
            for u in bits(fresh):
                above |= self.parents[u]
        return False


def shows_every_pattern(
    scm: BooleanScm, rows: Sequence[Sequence[int]], set_: Sequence[int]
) -> bool:
    """Say whether every pattern of every mechanism's parents was seen where it was at work.

    Args:
        scm: The model; the trait is its last variable, if it has one.
        rows: The rows of each world, the trait's bit with them.
        set_: What was set in each world.
    """
    for v in scm.order:
        mask = scm.parents[v]
        worlds = (w for w, targets in enumerate(set_) if not targets >> v & 1)
        seen = {row & mask for w in worlds for row in rows[w]}
        if len(seen) < 1 << mask.bit_count():
            return False
    return True

"""Which systems fit the worlds that are shown: all of them, by complete count.

Each rule is tried on every row; the worlds in which it is broken are a mask. A system fits if each
broken rule is that of the variable set by hand there, one a world, and nothing depends on itself.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations
from math import prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .systems import OUTSIDE, TABLES, Rule, apply_rule

MOST_HANDS = 2
"""The number of worlds with an unnamed hand in which it may be the same variable."""
_MOST_NODES = 20_000


class Law(NamedTuple):
    """The facts told of a system."""

    size: int
    outside: frozenset[int] | None
    """The variables without a rule; None: there is one, not told which."""
    causes: int
    at_most: bool
    """Whether a rule may have fewer causes."""
    trait_rules: int

    @property
    def with_rules(self) -> tuple[int, ...]:
        """The variables that have a rule, or may have one."""
        return tuple(v for v in range(self.size) if v not in (self.outside or ()))


class Evidence(NamedTuple):
    """One shown world: bit v of a row is the value of variable v, row u is of unit u."""

    hand: frozenset[int] | None
    """The variables set by hand; None: one with a rule, not told which."""
    rows: tuple[int, ...]


class Fit(NamedTuple):
    """One system that fits."""

    rules: dict[int, Rule]
    traits: int
    """Bit u is the trait of unit u."""
    hands: tuple[int | None, ...]
    """Of each unnamed hand, in order, the variable; None: it could be any."""


class TooManyError(Exception):
    """More systems fit than are counted."""


_Groups: TypeAlias = dict[tuple[int, int], list[Rule]]
"""Rules of a variable by the worlds with an unnamed hand in which they are broken and by a token: 1
for rules of which there is a fixed number, those with the trait, or none at all."""


def list_fits(
    law: Law, worlds: Sequence[Evidence], most: int, *, traits: int | None = None
) -> list[Fit]:
    """Return all systems that fit.

    Args:
        law: What is told.
        worlds: What is shown.
        most: How many are counted at most.
        traits: The traits of the units, if they are taken as known.

    Raises:
        TooManyError: There are more, or finding them takes too long.
    """
    table = _Table(law, worlds)
    found: list[Fit] = []
    if not law.trait_rules:
        tokens = 1 if law.outside is None else 0
        _Search(table, table.plain, tokens, most, found).run(0)
        return found
    units = len(worlds[0].rows)
    # The first unit has trait 0, and all alike would be no trait.
    columns = list(range(2, 1 << units, 2)) if traits is None else [traits]
    for column, with_trait in zip(columns, table.list_with_trait(columns), strict=True):
        if sum(map(bool, with_trait.values())) < law.trait_rules:
            continue
        lists = {v: {**table.plain[v], **with_trait[v]} for v in law.with_rules}
        if all(lists.values()):
            _Search(table, lists, law.trait_rules, most, found).run(column)
    return found


def estimate_fits(law: Law, worlds: Sequence[Evidence], traits: int, with_trait: Set[int]) -> int:
    """Return the number of fits of named hands and known traits, cycles aside."""
    table = _Table(law, worlds)
    found = table.list_with_trait([traits])[0]
    lists = (found if v in with_trait else table.plain for v in law.with_rules)
    return prod(
        sum(map(len, groups[v].values())) for v, groups in zip(law.with_rules, lists, strict=True)
    )


class _Table:
    """All rows of the worlds, as columns, and the candidates for each rule."""

    def __init__(self, law: Law, worlds: Sequence[Evidence]) -> None:
        self.law = law
        rows = [row for world in worlds for row in world.rows]
        self.ones = (1 << len(rows)) - 1
        self.columns = [
            sum((row >> v & 1) << place for place, row in enumerate(rows)) for v in range(law.size)
        ]
        self.spans: list[int] = []
        place = 0
        for world in worlds:
            self.spans.append(((1 << len(world.rows)) - 1) << place)
            place += len(world.rows)
        self.starts = [span & -span for span in self.spans]
        self.unnamed = sum(1 << w for w, world in enumerate(worlds) if world.hand is None)
        self.named = {
            v: sum(1 << w for w, world in enumerate(worlds) if world.hand and v in world.hand)
            for v in law.with_rules
        }
        self.open = [(1 << w, span) for w, span in enumerate(self.spans) if self.unnamed >> w & 1]
        """The worlds with an unnamed hand, each with its rows."""
        self.sure = {
            v: sum(span for w, span in enumerate(self.spans) if not (self.unnamed | named) >> w & 1)
            for v, named in self.named.items()
        }
        """The rows in which each rule holds, whatever the hands are."""
        self.plain = self._list_small() if law.causes < 2 else self._list_pairs()

    def _list_small(self) -> dict[int, _Groups]:
        found: dict[int, _Groups] = {}
        free: _Groups = {(0, 1): [OUTSIDE]} if self.law.outside is None else {}
        for v in self.law.with_rules:
            causes = [(c,) for c in range(self.law.size) if c != v]
            rules = [Rule(c, table) for c in causes for table in TABLES[1]]
            if self.law.at_most:
                rules += [Rule((), table) for table in TABLES[0]]
            kept = []
            for rule in rules:
                wrong = apply_rule(rule, self.columns, self.ones) ^ self.columns[v]
                if not wrong & self.sure[v]:
                    kept.append(rule)
            found[v] = {**free, (0, 0): kept}
        return found

    def _list_pairs(self) -> dict[int, _Groups]:
        pairs = list(combinations(range(self.law.size), 2))
        first = np.array([self.columns[a] for a, _ in pairs], np.uint64)
        second = np.array([self.columns[b] for _, b in pairs], np.uint64)
        found: dict[int, _Groups] = {v: {} for v in self.law.with_rules}
        for (v, i, j), broken in self._find_whole(self._apply_tables(first, second)):
            if v not in pairs[i]:
                found[v].setdefault((broken, 0), []).append(Rule(pairs[i], TABLES[2][j]))
        return found

    def list_with_trait(self, traits: Sequence[int]) -> list[dict[int, _Groups]]:
        """Return the candidates with the trait as a cause, for each choice of units' traits."""
        size, start = self.law.size, sum(self.starts)
        columns = np.tile(np.array(self.columns, np.uint64), len(traits))
        trait = np.repeat(np.array([start * one for one in traits], np.uint64), size)
        found: list[dict[int, _Groups]] = [{v: {} for v in self.law.with_rules} for _ in traits]
        for (v, i, j), broken in self._find_whole(self._apply_tables(columns, trait)):
            choice, cause = divmod(i, size)
            if cause != v:
                rule = Rule((cause, size), TABLES[2][j])
                found[choice][v].setdefault((broken, 1), []).append(rule)
        return found

    def _apply_tables(
        self, first: NDArray[np.uint64], second: NDArray[np.uint64]
    ) -> NDArray[np.uint64]:
        """Return the column of each function of two causes, for many pairs of causes."""
        ones = np.uint64(self.ones)
        met = (ones & ~first & ~second, first & ~second, ~first & second, first & second)
        zero = np.zeros_like(first)
        said = []
        for table in TABLES[2]:
            column = zero
            for p in range(4):
                if table >> p & 1:
                    column = column | met[p]
            said.append(column)
        return np.stack(said, axis=-1)

    def _find_whole(self, said: NDArray[np.uint64]) -> Iterator[tuple[list[int], int]]:
        """Yield the rules that are broken only where a hand may be, and where they are."""
        variables = self.law.with_rules
        values = np.array([self.columns[v] for v in variables], np.uint64)
        sure = np.array([self.sure[v] for v in variables], np.uint64)
        wrong = said ^ values[:, None, None]
        whole = (wrong & sure[:, None, None]) == 0
        places, bits = np.argwhere(whole), wrong[whole]
        places[:, 0] = np.array(variables)[places[:, 0]]
        broken = np.zeros(len(bits), np.int64)
        times = np.zeros(len(bits), np.int64)
        for world, span in self.open:
            met = (bits & np.uint64(span)) != 0
            broken |= met * world
            times += met
        kept = times <= MOST_HANDS
        yield from zip(places[kept].tolist(), broken[kept].tolist(), strict=True)


class _Search:
    """Chooses a rule for each variable in turn, along no path that masks and tokens close later."""

    def __init__(
        self,
        table: _Table,
        lists: Mapping[int, _Groups],
        tokens: int,
        most: int,
        found: list[Fit],
    ) -> None:
        self.table, self.tokens, self.most, self.found = table, tokens, most, found
        sizes = {v: sum(map(len, groups.values())) for v, groups in lists.items()}
        self.order = sorted(table.law.with_rules, key=lambda v: (sizes[v], v))
        self.groups = [lists[v] for v in self.order]
        self._open: dict[tuple[int, int, int], bool] = {}

    def run(self, traits: int) -> None:
        """Add all fits, given the traits of the units."""
        self.traits, self.nodes = traits, 0
        self.rules: dict[int, Rule] = {}
        self.broken: dict[int, int] = {}
        if self._can_end(0, 0, 0):
            self._choose(0, 0, 0)

    def _can_end(self, place: int, used: int, tokens: int) -> bool:
        """Tell whether the variables from a place on have rules, cycles aside."""
        if place == len(self.order):
            return tokens == self.tokens
        key = (place, used, tokens)
        if key not in self._open:
            self._open[key] = any(
                not broken & used
                and tokens + token <= self.tokens
                and self._can_end(place + 1, used | broken, tokens + token)
                for broken, token in self.groups[place]
            )
        return self._open[key]

    def _choose(self, place: int, used: int, tokens: int) -> None:
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            raise TooManyError
        if place == len(self.order):
            self._add()
            return
        v = self.order[place]
        for (broken, token), rules in self.groups[place].items():
            if broken & used or tokens + token > self.tokens:
                continue
            if not self._can_end(place + 1, used | broken, tokens + token):
                continue
            self.broken[v] = broken
            for rule in rules:
                if not self._reaches(rule.causes, v):
                    self.rules[v] = rule
                    self._choose(place + 1, used | broken, tokens + token)
                    del self.rules[v]

    def _reaches(self, causes: tuple[int, ...], v: int) -> bool:
        """Tell whether one of some causes depends on `v` by the rules chosen so far."""
        stack, seen = [cause for cause in causes if cause in self.rules], set[int]()
        while stack:
            for cause in self.rules[stack.pop()].causes:
                if cause == v:
                    return True
                if cause in self.rules and cause not in seen:
                    seen.add(cause)
                    stack.append(cause)
        return False

    def _add(self) -> None:
        if len(self.found) >= self.most:
            raise TooManyError
        hands = [
            next((v for v in self.order if self.broken[v] >> w & 1), None)
            for w in range(len(self.table.spans))
            if self.table.unnamed >> w & 1
        ]
        rules = {v: self.rules[v] for v in sorted(self.rules)}
        self.found.append(Fit(rules, self.traits, tuple(hands)))

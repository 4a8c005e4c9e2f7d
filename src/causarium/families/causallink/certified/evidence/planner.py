"""Exact inference over the pairs of worlds, and the choice of the next try.

A *world* is a pair with one of its two answers. All worlds that fit what was shown are equally
likely, and a pair of which both worlds are left has met no decisive try. So the score that an
answer earns in expectation is the difference of the numbers of worlds that say yes and that say no,
as a share of all worlds: pairs of which both are left cancel.
"""

from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np

from ..model import LinkPublic
from .pairs import Flags, Pairs, Table

Counts: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float32]]"

_SAMPLE = 2000
"""The most pairs by which a try is judged."""
_DRAWN = 120
"""How many tries are drawn before the best of them are bettered."""
_BETTERED = 3
_WEIGHTS = (0.0, 0.0, 1.0, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
"""What the score that two tries lead to weighs beside what the first tells, by the tries left."""


class Hands(NamedTuple):
    """A try as masks."""

    started: int
    held: int


class Belief:
    """The worlds that fit all that was seen so far."""

    def __init__(self, pairs: Pairs, yes: Flags, no: Flags) -> None:
        self.pairs = pairs
        self.yes = yes
        """In which pairs the world with the answer yes is left."""
        self.no = no

    @classmethod
    def open(cls, table: Table) -> "Belief":
        """Return the belief before the first try of one's own."""
        left = np.ones(len(table.pairs), bool)
        return cls(table.pairs, left, left)

    def see(self, hands: Hands, moved: bool) -> "Belief":  # noqa: FBT001 - what was seen
        """Return the belief after a try."""
        yes, no = self.pairs.move(*hands)
        yes, no = self.yes & (yes == moved), self.no & (no == moved)
        left = yes | no
        return Belief(self.pairs.take(left), yes[left], no[left])

    def count(self) -> int:
        """Return the number of worlds that are left."""
        return int(self.yes.sum()) + int(self.no.sum())

    def weigh(self) -> tuple[bool, float]:
        """Return the better answer, and the score that it earns in expectation."""
        balance, worlds = int(self.yes.sum()) - int(self.no.sum()), self.count()
        return balance >= 0, abs(balance) / worlds if worlds else 0.0

    def sample(self, rng: Random) -> "Belief":
        """Return some of the pairs, all where they are few."""
        if len(self.pairs) <= _SAMPLE:
            return self
        chosen = np.array(rng.sample(range(len(self.pairs)), _SAMPLE))
        return Belief(self.pairs.take(chosen), self.yes[chosen], self.no[chosen])


class _Pool:
    """Some tries, each with the worlds in which the target moves."""

    def __init__(self, belief: Belief) -> None:
        self._belief = belief
        self.tries: dict[Hands, float] = {}
        """How good each try is taken alone."""
        self._rows: list[Counts] = []
        self._worlds = np.concatenate([belief.yes, belief.no])
        self._signs = np.concatenate([belief.yes * 1.0, belief.no * -1.0]).astype(np.float32)
        self._total = float(self._worlds.sum())

    def judge(self, hands: Hands, left: int) -> float:
        """Return the worth of a try taken alone: the score it leads to, or its information."""
        if hands not in self.tries:
            row = np.concatenate(self._belief.pairs.move(*hands))
            share = float((row & self._worlds).sum()) / self._total
            moved = float(self._signs[row].sum())
            earned = (abs(moved) + abs(float(self._signs.sum()) - moved)) / self._total
            told = _inform(share)
            self.tries[hands] = earned + 1e-3 * told if left == 1 else told + 0.1 * earned
            self._rows.append(row.astype(np.float32))
        return self.tries[hands]

    def find_best(self, left: int) -> Hands:
        """Return the best try of the pool, judged by what the best try after it earns."""
        hands = list(self.tries)
        if left == 1:
            return max(hands, key=lambda one: self.tries[one])
        rows = np.stack(self._rows)
        signed = rows * self._signs
        both = signed @ rows.T
        first, all_signs = signed.sum(1), float(self._signs.sum())
        # By the first try, moved or not, then by the second: the balance of yes and no.
        moved = np.abs(both) + np.abs(first[:, None] - both)
        stood = np.abs(first[None] - both) + np.abs(all_signs - first[:, None] - first[None] + both)
        ahead = (moved.max(1) + stood.max(1)) / self._total
        told = _inform_all((rows * self._worlds).sum(1) / self._total)
        weight = _WEIGHTS[min(left, len(_WEIGHTS) - 1)]
        return hands[int((weight * ahead + (1 - weight) * told + 1e-3 * told).argmax())]


def _inform(share: float) -> float:
    return float(_inform_all(np.array([share]))[0])


def _inform_all(shares: Counts) -> Counts:
    """Return the information of tries, by the shares of worlds in which the target moves."""
    inner = np.clip(shares, 1e-6, 1 - 1e-6)
    bits: Counts = -(inner * np.log2(inner) + (1 - inner) * np.log2(1 - inner))
    return bits


def choose_try(belief: Belief, objects: int, left: int, rng: Random) -> Hands:
    """Return the best of many tries: drawn ones, bettered one object at a time."""
    some = belief.sample(rng)
    may_hold = "starters" in some.pairs.columns
    pool = _Pool(some)

    def judge(hands: Hands) -> float:
        return pool.judge(hands, left)

    drawn = {_draw_hands(objects, rng, may_hold=may_hold): None for _ in range(_DRAWN)}
    for found in sorted(drawn, key=judge)[-_BETTERED:]:
        best, better = None, found
        while best is None or judge(better) > judge(best) + 1e-9:
            best = better
            better = max(_list_near(best, objects, may_hold=may_hold), key=judge)
    return pool.find_best(left)


def _draw_hands(objects: int, rng: Random, *, may_hold: bool) -> Hands:
    share = rng.uniform(0.1, 0.9)
    started = sum(1 << x for x in range(objects) if rng.random() < share)
    held = rng.getrandbits(objects) & ~started if may_hold else 0
    return Hands(started, held)


def _list_near(hands: Hands, objects: int, *, may_hold: bool) -> list[Hands]:
    """Return the tries in which one object is treated otherwise."""
    started, held = hands
    near = [Hands(started ^ 1 << x, held & ~(1 << x)) for x in range(objects)]
    if may_hold:
        near += [Hands(started, held ^ 1 << x) for x in range(objects) if not started >> x & 1]
    return near


def read_watched(public: LinkPublic) -> bool | None:
    """Return the answer that what was watched decides; None if agents have tries of their own."""
    if public.tries:
        return None
    table = Table(public)
    left = Belief.open(table)
    for row in public.watched:
        left = left.see(Hands(table.mask(row.started), table.mask(row.held)), row.moved)
    return left.weigh()[0]

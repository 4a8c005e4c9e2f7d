"""Exact inference over the pairs of worlds, and the choice of the next try.

A *world* is a pair with one of its two answers. All worlds that fit what was shown are equally
likely, and a pair of which both worlds are left has met no decisive try. So the score that an
answer earns in expectation is the difference of the numbers of worlds that say yes and that say no,
as a share of all worlds: pairs of which both are left cancel.
"""

from collections.abc import Sequence
from itertools import combinations, product
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np

from ..model import LinkPublic
from .pairs import Flags, Pairs, Table

Counts: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float32]]"

_SAMPLE = 2000
"""The most pairs by which a try is judged."""
_TRIES = 1200
"""The most tries that are judged."""
_AHEAD = 150
"""How many of them are judged by what comes after."""
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

    def __init__(self, belief: Belief, tries: Sequence[Hands]) -> None:
        worlds = np.concatenate([belief.yes, belief.no])
        self.total = float(worlds.sum())
        self.signs = np.concatenate([belief.yes * 1.0, belief.no * -1.0]).astype(np.float32)
        self.signs /= self.total
        rows = np.stack([np.concatenate(belief.pairs.move(*hands)) for hands in tries])
        self.rows = rows.astype(np.float32)
        self.told = _inform((rows & worlds).sum(1) / self.total)
        """The bits that each try tells of the worlds."""
        moved = self.rows @ self.signs
        self.earned = np.abs(moved) + np.abs(self.signs.sum() - moved)
        """The score that each try leads to, were it the last one."""

    def look_ahead(self, chosen: "np.ndarray[tuple[int], np.dtype[np.intp]]") -> Counts:
        """Return the score that each of some tries leads to, were the next one the last."""
        signed = self.rows * self.signs
        both = signed[chosen] @ self.rows.T
        first, second, balance = signed[chosen].sum(1), signed.sum(1), float(self.signs.sum())
        # By the first try, moved or not, then by the second: the balance of yes and no.
        moved = np.abs(both) + np.abs(first[:, None] - both)
        stood = np.abs(second - both) + np.abs(balance - first[:, None] - second + both)
        return np.asarray(moved.max(1) + stood.max(1))


def _inform(shares: Counts) -> Counts:
    """Return the bits that tries tell, by the shares of worlds in which the target moves."""
    inner = np.clip(shares, 1e-6, 1 - 1e-6)
    bits: Counts = -(inner * np.log2(inner) + (1 - inner) * np.log2(1 - inner))
    return bits


def choose_try(belief: Belief, public: LinkPublic, left: int, rng: Random) -> Hands:
    """Return the best of all tries, or of many where there are too many of them.

    Judged by what the best try after it earns, and by the bits it tells of the worlds.
    """
    tries = _list_tries(Table(public), public, rng)
    pool = _Pool(belief.sample(rng), tries)
    if left == 1:
        return tries[int((pool.earned + 1e-3 * pool.told).argmax())]
    taken = 0.1 * pool.earned + pool.told
    best = np.argsort(-taken, kind="stable")[:_AHEAD]
    weight = _WEIGHTS[min(left, len(_WEIGHTS) - 1)]
    worth = weight * pool.look_ahead(best) + (1.001 - weight) * pool.told[best]
    return tries[int(best[int(worth.argmax())])]


def _list_tries(table: Table, public: LinkPublic, rng: Random) -> list[Hands]:
    """Return the tries that the hands allow, or an even draw of them.

    What is still is not held where nothing could start it, and what is lively is not started.
    """
    ways = []
    for number in range(len(table.names)):
        started = 0 if table.pairs.lively >> number & 1 else 1 << number
        held = 0 if started and not public.plan.starters else 1 << number
        ways.append([hands for hands in (Hands(started, 0), Hands(0, held)) if any(hands)])
    tries = [Hands(0, 0)]
    for size in range(1, public.hands + 1):
        for chosen in combinations(ways, size):
            tries += [
                Hands(sum(one.started for one in each), sum(one.held for one in each))
                for each in product(*chosen)
            ]
    return tries if len(tries) <= _TRIES else rng.sample(tries, _TRIES)


def draw_try(table: Table, public: LinkPublic, rng: Random) -> Hands:
    """Draw a try."""
    touched = rng.sample(range(len(table.names)), rng.randint(1, public.hands))
    mask = sum(1 << number for number in touched)
    return Hands(mask & ~table.pairs.lively, mask & table.pairs.lively)


def read_watched(public: LinkPublic) -> bool | None:
    """Return the answer that what was watched decides; None if agents have tries of their own."""
    if public.tries:
        return None
    table = Table(public)
    left = Belief.open(table)
    for row in public.watched:
        left = left.see(Hands(table.mask(row.started), table.mask(row.held)), row.moved)
    return left.weigh()[0]

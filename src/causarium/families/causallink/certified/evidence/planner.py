"""Exact inference over the pairs of worlds, and the choice of the next trial.

A *world* is a pair with one of its two answers. All worlds that fit what was shown are equally
likely, and a pair of which both worlds are left has met no decisive trial. So the score that an
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
"""The most pairs by which a trial is judged."""
_TRIALS = 1200
"""The most trials that are judged."""
_AHEAD = 150
"""How many of them are judged by what comes after."""
_WEIGHTS = (0.0, 0.0, 1.0, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
"""What the score that two trials lead to weighs beside what the first tells, by the trials left."""


class Hands(NamedTuple):
    """A trial as masks."""

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
        """Return the belief before the first trial of one's own."""
        left = np.ones(len(table.pairs), bool)
        return cls(table.pairs, left, left)

    def see(self, hands: Hands, moved: bool) -> "Belief":  # noqa: FBT001 - what was seen
        """Return the belief after a trial."""
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
    """Some trials, each with the worlds in which the target moves."""

    def __init__(self, belief: Belief, trials: Sequence[Hands]) -> None:
        worlds = np.concatenate([belief.yes, belief.no])
        self.total = float(worlds.sum())
        self.signs = np.concatenate([belief.yes * 1.0, belief.no * -1.0]).astype(np.float32)
        self.signs /= self.total
        rows = np.stack([np.concatenate(belief.pairs.move(*hands)) for hands in trials])
        self.rows = rows.astype(np.float32)
        self.told = _inform((rows & worlds).sum(1) / self.total)
        """The bits that each trial tells of the worlds."""
        moved = self.rows @ self.signs
        self.earned = np.abs(moved) + np.abs(self.signs.sum() - moved)
        """The score that each trial leads to, were it the last one."""

    def look_ahead(self, chosen: "np.ndarray[tuple[int], np.dtype[np.intp]]") -> Counts:
        """Return the score that each of some trials leads to, were the next one the last."""
        signed = self.rows * self.signs
        both = signed[chosen] @ self.rows.T
        first, second, balance = signed[chosen].sum(1), signed.sum(1), float(self.signs.sum())
        # By the first trial, moved or not, then by the second: the balance of yes and no.
        moved = np.abs(both) + np.abs(first[:, None] - both)
        stood = np.abs(second - both) + np.abs(balance - first[:, None] - second + both)
        return np.asarray(moved.max(1) + stood.max(1))


def _inform(shares: Counts) -> Counts:
    """Return the bits that trials tell, by the shares of worlds in which the target moves."""
    inner = np.clip(shares, 1e-6, 1 - 1e-6)
    bits: Counts = -(inner * np.log2(inner) + (1 - inner) * np.log2(1 - inner))
    return bits


def choose_trial(belief: Belief, public: LinkPublic, left: int, rng: Random) -> Hands:
    """Return the best of all trials, or of many where there are too many of them.

    Judged by what the best trial after it earns, and by the bits it tells of the worlds.
    """
    trials = _list_trials(Table(public), public, rng)
    pool = _Pool(belief.sample(rng), trials)
    if left == 1:
        return trials[int((pool.earned + 1e-3 * pool.told).argmax())]
    taken = 0.1 * pool.earned + pool.told
    best = np.argsort(-taken, kind="stable")[:_AHEAD]
    weight = _WEIGHTS[min(left, len(_WEIGHTS) - 1)]
    worth = weight * pool.look_ahead(best) + (1.001 - weight) * pool.told[best]
    return trials[int(best[int(worth.argmax())])]


def _list_trials(table: Table, public: LinkPublic, rng: Random) -> list[Hands]:
    """Return the trials that the hands allow, or an even draw of them.

    What is still is not held where nothing could start it, and what is lively is not started.
    """
    ways = []
    for number in range(len(table.names)):
        started = 0 if table.pairs.lively >> number & 1 else 1 << number
        held = 0 if started and not public.plan.starters else 1 << number
        ways.append([hands for hands in (Hands(started, 0), Hands(0, held)) if any(hands)])
    trials = [Hands(0, 0)]
    for size in range(1, public.hands + 1):
        for chosen in combinations(ways, size):
            trials += [
                Hands(sum(one.started for one in each), sum(one.held for one in each))
                for each in product(*chosen)
            ]
    return trials if len(trials) <= _TRIALS else rng.sample(trials, _TRIALS)


def draw_trial(table: Table, public: LinkPublic, rng: Random) -> Hands:
    """Draw a trial."""
    touched = rng.sample(range(len(table.names)), rng.randint(1, public.hands))
    mask = sum(1 << number for number in touched)
    return Hands(mask & ~table.pairs.lively, mask & table.pairs.lively)


def read_watched(public: LinkPublic) -> bool | None:
    """Return the answer that what was watched decides; None if agents have trials of their own."""
    if public.trials:
        return None
    table = Table(public)
    left = Belief.open(table)
    for row in public.watched:
        left = left.see(Hands(table.mask(row.started), table.mask(row.held)), row.moved)
    return left.weigh()[0]

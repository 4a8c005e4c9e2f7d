"""The crystals that fit what was seen, listed without those that differ in nothing seen so far.

A part that no held property plays is written as one symbol, `UNTOUCHED`, whatever plays it: so a
list of rows stands for all arrangements, and grows only by the properties that experiments touch.
The one property that acts and cannot be held is written as `FIXED_ONE`: its name never shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, perm
from random import Random

import numpy as np

from ..mechanics.respond import LOOSE, Array, respond
from ..model.instance import LEVELS, LadderPublic
from ..model.skeleton import Skeleton


@dataclass(frozen=True)
class Fits:
    """The crystals that fit some experiments, as rows of symbols.

    Symbols below `holdable` are properties that can be held, in an order of the caller's.
    """

    skeleton: Skeleton
    rows: Array
    touched: frozenset[int] = frozenset()

    @classmethod
    def of(cls, skeleton: Skeleton) -> "Fits":
        """Return all crystals of a skeleton."""
        parts = len(skeleton.parts)
        holdable = skeleton.holdable
        rows = np.full((parts if skeleton.fixed else 1, parts), holdable, dtype=np.int8)
        if skeleton.fixed:
            np.fill_diagonal(rows, holdable + 1)
        return cls(skeleton, rows)

    @property
    def holdable(self) -> int:
        """The number of properties that can be held."""
        return self.skeleton.holdable

    @property
    def untouched(self) -> int:
        """The symbol of a part that no property touched so far plays."""
        return self.holdable

    @property
    def weights(self) -> list[int]:
        """The number of arrangements that each row stands for, the fixed ones taken as one."""
        left = self.holdable - len(self.touched)
        ways = [perm(left, blanks) for blanks in range(self.rows.shape[1] + 1)]
        return [ways[blanks] for blanks in (self.rows == self.untouched).sum(axis=1).tolist()]

    @property
    def count(self) -> int:
        """The number of crystals, the fixed ones taken as one."""
        left = self.holdable - len(self.touched)
        blanks = np.bincount((self.rows == self.untouched).sum(axis=1))
        return sum(perm(left, number) * int(rows) for number, rows in enumerate(blanks))

    def touch(self, properties: Sequence[int]) -> "Fits":
        """Return the same crystals with rows that tell some properties apart."""
        rows, touched = self.rows, set(self.touched)
        for one in properties:
            if one in touched:
                continue
            touched.add(one)
            found = [rows]
            for part in range(rows.shape[1]):
                played = rows[rows[:, part] == self.untouched].copy()
                played[:, part] = one
                found.append(played)
            rows = np.concatenate(found)
            blanks = (rows == self.untouched).sum(axis=1)
            rows = rows[blanks <= self.holdable - len(touched)]
        return Fits(self.skeleton, rows, frozenset(touched))

    def count_rows(self, fresh: int) -> int:
        """Return the most rows there can be once that many untouched properties are touched."""
        blanks = np.bincount((self.rows == self.untouched).sum(axis=1))
        ways = (sum(comb(b, j) * perm(fresh, j) for j in range(b + 1)) for b in range(len(blanks)))
        return sum(int(rows) * way for rows, way in zip(blanks, ways, strict=True))

    def widen(self, settings: Array) -> Array:
        """Return settings of the holdable properties with columns for the two other symbols."""
        extra = np.full((*settings.shape[:-1], 2), LOOSE, dtype=np.int8)
        return np.concatenate([settings, extra], axis=-1)

    def keep(self, settings: Array, reading: int) -> "Fits":
        """Return the crystals in which an experiment has a reading."""
        wider = self.touch(np.flatnonzero(settings != LOOSE).tolist())
        seen = respond(self.skeleton, wider.rows, self.widen(settings)[None])[0]
        return Fits(self.skeleton, wider.rows[seen == reading], wider.touched)

    def sample(self, rng: Random, size: int) -> Array:
        """Return so many of these crystals, drawn evenly, without `UNTOUCHED` symbols."""
        chosen = rng.choices(range(len(self.rows)), self.weights, k=size)
        rows: Array = self.rows[chosen]
        left = [one for one in range(self.holdable) if one not in self.touched]
        for row in rows:
            blanks = np.flatnonzero(row == self.untouched)
            if len(blanks):
                row[blanks] = rng.sample(left, len(blanks))
        return rows


def read_settings(public: LadderPublic, hold: Mapping[str, str]) -> Array:
    """Return holds as settings of the properties that can be held."""
    settings = np.full(len(public.holdable), LOOSE, dtype=np.int8)
    for name, level in hold.items():
        settings[public.index[name]] = LEVELS[level]
    return settings

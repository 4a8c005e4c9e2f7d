"""What evidence leaves open: which parents can explain which variable, and what can follow what.

A model fits all rows exactly if and only if each mechanism fits the rows in which its variable was
free, and the parents form no cycle. Sets that can explain a variable are closed upwards, so placing
variables greedily, each after some set that explains it, finds an order if there is one.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from causarium.scm.boolean.row_evidence import (
    Admissible,
    Evidence,
    Flags,
    Rows,
    Words,
    find_seen_patterns,
)
from causarium.scm.dag import bits


@dataclass(frozen=True, eq=False)
class Known:
    """What some evidence says about the admissible models."""

    admissible: Admissible
    seen: Words
    """For each variable and set, the patterns seen while the variable was free."""

    @classmethod
    def of(cls, evidence: Evidence, admissible: Admissible) -> "Known":
        """Return what `evidence` says."""
        return cls(admissible, find_seen_patterns(admissible.layout, evidence))

    @cached_property
    def explains(self) -> Flags:
        """For each variable and set, whether the other members can explain what was seen of it."""
        sets = self.admissible.layout
        both = self.seen & (self.seen >> sets.shift) & sets.low
        return cast("Flags", self.admissible.inside & (both == 0))

    @cached_property
    def minimal(self) -> Flags:
        """The same, for sets that no longer explain it with any one parent less."""
        without = self.admissible.layout.without
        return self.explains & ~self._padded[:, without].any(axis=2)

    @cached_property
    def _padded(self) -> Flags:
        # By hand: np.pad does the same and takes ten times as long.
        n, sets = self.explains.shape
        padded = np.zeros((n, sets + 1), np.bool_)
        padded[:, :-1] = self.explains
        return padded

    @cached_property
    def ready(self) -> Rows:
        """For each set of variables, the mask of those that some of its members explain."""
        sets, n = self.admissible.layout, self.admissible.n
        words = np.zeros(1 << n, np.uint32)
        explained = self._padded.ravel()[sets.joined]
        words[sets.parent_masks] = (np.uint32(1) << np.arange(n, dtype=np.uint32)) @ explained
        for v in range(n):
            pairs = words.reshape(-1, 2, 1 << v)
            pairs[:, 1] |= pairs[:, 0]
        return words

    @cached_property
    def feasible_roots(self) -> tuple[int, ...]:
        """The root sets from which everything can be placed; none if no model fits."""
        roots = np.array(self.admissible.root_sets, np.uint32)
        placed = roots
        for _ in range(self.admissible.n):
            placed = placed | self.ready[placed]
        everything = (1 << self.admissible.n) - 1
        return tuple(roots[placed == everything].tolist())

    def closure(self, start: int, never: int = 0) -> int:
        """Return all that can be placed, one after the other, from `start` on without `never`."""
        placed, before = start, -1
        while placed != before:
            before = placed
            placed |= int(self.ready[placed]) & ~never
        return placed

    def reach(self, variable: int, roots: int) -> int:
        """Return all that can be a parent of `variable` in some model that fits.

        A mechanism that fits occurs in a fitting model just if its parents lie within.
        """
        before = self.closure(roots, never=1 << variable)
        return before & self.admissible.allowed[variable]

    def facts(self, variable: int, parents: int) -> tuple[int, int]:
        """Return the patterns of `parents` that were seen with `variable` 0, and with 1."""
        place = int(self.admissible.layout.place[parents | 1 << variable])
        below = (parents & ((1 << variable) - 1)).bit_count()
        return split(int(self.seen[variable, place]), below)


def split(word: int, place: int) -> tuple[int, int]:
    """Return the patterns of the others seen with 0 and with 1 at `place`.

    Example:
        >>> split(0b1001, 1)
        (1, 2)
    """
    halves = [0, 0]
    for q in bits(word):
        p = q & ((1 << place) - 1) | q >> (place + 1) << place
        halves[q >> place & 1] |= 1 << p
    return halves[0], halves[1]

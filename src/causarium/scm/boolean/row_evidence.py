"""What rows seen under interventions say about each mechanism, for all sets of parents at once.

The one state that matters is which patterns on a set of variables were seen in rows where a
variable was free. For a variable `v` and a set `s` that holds it, `seen[v, s]` is a word; its bit
`q` says that pattern `q` on `s` was seen while `v` was not a target. The other members of `s` are
the parents: they can explain `v` if no pattern of theirs was seen with both values of `v`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from causarium.errors import ContractError, UsageError
from causarium.scm.boolean.truth_table import all_rows, column
from causarium.scm.dag import bits, mask_of

MAX_PARENTS = 4
"""A pattern set over more parents than this and the variable does not fit into a word."""
MAX_VARIABLES = 12
"""There are tables over all sets of variables."""

Rows: TypeAlias = NDArray[np.uint32]
"""Rows, masks of variables, and sets of patterns: 32 bits for up to four parents."""
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Rows that were seen, each under an intervention."""

    n: int
    rows: Rows
    """One packed row each, clamped values included."""
    targets: Rows
    """For each row, the mask of the variables that were clamped in it."""

    @classmethod
    def of(cls, n: int, rows: Iterable[int], targets: Iterable[int]) -> "Evidence":
        """Return the evidence of these rows."""
        return cls(n, np.fromiter(rows, np.uint32), np.fromiter(targets, np.uint32))


@dataclass(frozen=True)
class Admissible:
    """Which models are considered at all."""

    n: int
    root_sets: tuple[int, ...]
    """The masks; one of them holds the roots."""
    allowed: tuple[int, ...]
    """For each variable, the mask of what may be among its parents; never itself."""
    max_parents: int = 4
    """A mechanism has at most so many parents that matter."""

    def __post_init__(self) -> None:
        if not 0 < self.n <= MAX_VARIABLES or not 0 <= self.max_parents <= MAX_PARENTS:
            raise UsageError(
                f"{self.n} variables with up to {self.max_parents} parents; at most "
                f"{MAX_VARIABLES} variables and {MAX_PARENTS} parents can be decided"
            )
        if len(self.allowed) != self.n or any(m >> v & 1 for v, m in enumerate(self.allowed)):
            raise ContractError("every variable needs its own mask of allowed parents")

    @classmethod
    def from_order(
        cls, n: int, roots: int, order: Sequence[int], max_parents: int = 4
    ) -> "Admissible":
        """Take parents among the roots and what stands earlier in `order`."""
        return cls.blocks(n, roots, [[v] for v in order], max_parents)

    @classmethod
    def blocks(
        cls, n: int, roots: int, blocks: Sequence[Sequence[int]], max_parents: int = 4
    ) -> "Admissible":
        """Take parents among the roots, earlier blocks and the variable's own block."""
        allowed, before = [0] * n, roots
        for block in blocks:
            before |= mask_of(block)
            for v in block:
                allowed[v] = before & ~(1 << v)
        return cls(n, (roots,), tuple(allowed), max_parents)

    @classmethod
    def from_roots(cls, n: int, roots: int, max_parents: int = 4) -> "Admissible":
        """Take parents anywhere."""
        return cls(n, (roots,), _all_others(n), max_parents)

    @classmethod
    def hidden_roots(cls, n: int, count: int, max_parents: int = 4) -> "Admissible":
        """Take any `count` variables for roots, and parents anywhere."""
        sets = tuple(sorted(mask_of(roots) for roots in combinations(range(n), count)))
        return cls(n, sets, _all_others(n), max_parents)

    @property
    def layout(self) -> "Layout":
        """The sets of variables that matter."""
        return layout(self.n, self.max_parents)

    @cached_property
    def inside(self) -> Flags:
        """For each variable and set, whether the set holds it and else only allowed parents."""
        sets = self.layout
        outside = ~np.array(self.allowed, np.uint32)[:, None]
        return cast("Flags", sets.holds & (sets.parents & outside == 0))


def _all_others(n: int) -> tuple[int, ...]:
    return tuple(((1 << n) - 1) & ~(1 << v) for v in range(n))


class Layout:
    """All sets of up to `k + 1` of `n` variables, and where each variable stands in each."""

    def __init__(self, n: int, k: int) -> None:
        self.n, self.k = n, k
        masks = [mask_of(c) for size in range(1, k + 2) for c in combinations(range(n), size)]
        self.masks: Rows = np.array(masks, np.uint32)
        self.sizes = np.array([mask.bit_count() for mask in masks])
        self.place: NDArray[np.int32] = np.full(1 << n, -1, np.int32)
        """For each mask, the place of that set, or -1."""
        self.place[self.masks] = np.arange(len(masks))
        numbers = np.arange(n, dtype=np.uint32)[:, None]
        self.holds: Flags = (self.masks >> numbers & np.uint32(1)).astype(np.bool_)
        """For each variable and set, whether it is a member."""
        self.parents: Rows = self.masks & ~(np.uint32(1) << numbers)
        """For each variable and set, the other members."""
        self.shift: Rows = np.zeros((n, len(masks)), np.uint32)
        self.low: Rows = np.zeros((n, len(masks)), np.uint32)
        """For each variable and set, the patterns in which the variable is 0."""
        for s, mask in enumerate(masks):
            for j, v in enumerate(bits(mask)):
                self.shift[v, s] = 1 << j
                size = mask.bit_count()
                self.low[v, s] = all_rows(size) & ~column(j, size)

    @cached_property
    def without(self) -> NDArray[np.int32]:
        """For each set, the places of the sets with one member less, padded with the last place."""
        positions = np.full((len(self.masks), self.k + 1), len(self.masks), np.int32)
        for s, mask in enumerate(self.masks.tolist()):
            if mask & (mask - 1):
                for j, v in enumerate(bits(mask)):
                    positions[s, j] = self.place[mask & ~(1 << v)]
        return positions

    @cached_property
    def parent_masks(self) -> Rows:
        """All sets of up to `k` variables, the empty one first."""
        return np.concatenate([np.zeros(1, np.uint32), self.masks[self.sizes <= self.k]])

    @cached_property
    def joined(self) -> NDArray[np.int32]:
        """For each variable and set of `parent_masks`, the place of both together.

        Places count on from variable to variable; each has one more than there are sets:
        where the set holds the variable already, it is that last one.
        """
        variables = np.arange(self.n, dtype=np.uint32)[:, None]
        numbers = np.uint32(1) << variables
        last = np.int32(len(self.masks))
        places = np.where(
            self.parent_masks & numbers, last, self.place[self.parent_masks | numbers]
        )
        return cast("NDArray[np.int32]", places + variables.astype(np.int32) * (last + 1))

    @cached_property
    def patterns(self) -> Rows:
        """For each row that there is and set, the word with the one bit of the row's pattern."""
        rows = np.arange(1 << self.n, dtype=np.uint32)[:, None]
        index = np.zeros((1 << self.n, len(self.masks)), np.uint8)
        filled = np.zeros(len(self.masks), np.uint8)
        for v, member in enumerate(self.holds):
            bit = (rows >> np.uint32(v) & np.uint32(1)).astype(np.uint8)
            index |= np.where(member, bit << filled, 0).astype(np.uint8)
            filled += member
        return cast("Rows", np.uint32(1) << index.astype(np.uint32))


@lru_cache(maxsize=32)  # Levels have 6 to 10 variables; a layout keeps its index tables.
def layout(n: int, k: int) -> Layout:
    """Return the sets of up to `k + 1` of `n` variables."""
    return Layout(n, k)


def find_seen_patterns(sets: Layout, evidence: Evidence) -> Rows:
    """Return, for each variable and set, the patterns seen while the variable was free."""
    seen = np.zeros((sets.n, len(sets.masks)), np.uint32)
    order = np.argsort(evidence.targets, kind="stable")
    rows, targets = evidence.rows[order], evidence.targets[order]
    starts = np.flatnonzero(np.concatenate([[True], targets[1:] != targets[:-1]])[: len(rows)])
    # One call a group: reduceat does the same and takes three times as long.
    for begin, end in pairwise([*starts.tolist(), len(rows)]):
        patterns = np.bitwise_or.reduce(sets.patterns[rows[begin:end]], axis=0)
        free = [v for v in range(sets.n) if not int(targets[begin]) >> v & 1]
        seen[free] |= patterns
    return cast("Rows", np.where(sets.holds, seen, np.uint32(0)))


@dataclass(frozen=True, eq=False)
class ModelFacts:
    """What some evidence says about the admissible models."""

    admissible: Admissible
    seen: Rows
    """For each variable and set, the patterns seen while the variable was free."""

    @classmethod
    def of(cls, evidence: Evidence, admissible: Admissible) -> "ModelFacts":
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

    def list_obliged_sets(self, roots: int) -> Flags:
        """Say for each variable and set whether the others are a largest set it could read.

        A mechanism that fits occurs in a fitting model just if its parents can be placed before.
        """
        layout, n = self.admissible.layout, self.admissible.n
        free = np.array([not roots >> v & 1 for v in range(n)])
        before = [self.closure(roots, never=1 << v) if free[v] else 0 for v in range(n)]
        reach = np.array(before, np.uint32) & np.array(self.admissible.allowed, np.uint32)
        most = np.minimum(np.bitwise_count(reach), layout.k)[:, None]
        largest = (layout.parents & ~reach[:, None] == 0) & (layout.sizes - 1 == most)
        return cast("Flags", largest & free[:, None] & self.explains)

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

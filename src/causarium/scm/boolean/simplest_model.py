"""The simplest model that fits all rows: fewest parents, then shortest formulas. Exact.

Simplest first counts parents, so every mechanism reads a set that could not explain its variable
with one parent less. Both sums split over the variables; each sees only what was placed
before it; a table over sets of placed variables therefore finds the best, as in the exact search
for Bayesian networks.
"""

from operator import itemgetter
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import ModelFacts
from causarium.scm.boolean.shortest_formulas import cheapest
from causarium.scm.boolean.truth_table import pattern
from causarium.scm.dag import bits, mask_of

_NEVER = 1 << 30


class Choice(NamedTuple):
    """One mechanism that fits, for one variable."""

    parents: int
    table: int
    size: int
    """How long its shortest formula is."""


def find_simplest_known(known: ModelFacts) -> BooleanScm | None:
    """Return a simplest model that fits what is known, or None if none does."""
    found = [_Search(known, roots).solve() for roots in known.feasible_roots]
    return min(found, key=itemgetter(0, 1))[2] if found else None


class _Search:
    """The search with one root set.

    Sets of placed variables are masks over the variables with mechanisms alone, counted from 0.
    """

    def __init__(self, known: ModelFacts, roots: int) -> None:
        self.known, self.roots = known, roots
        self.variables = [v for v in range(known.admissible.n) if not roots >> v & 1]
        self.choices: dict[tuple[int, int], Choice] = {}
        self.shortest: dict[int, tuple[int, dict[int, Choice]]] = {0: (0, {})}
        masks, inner = known.admissible.layout.parents, mask_of(self.variables)
        self._sets = [
            [(mask, pattern(mask, inner)) for mask in masks[v, known.minimal[v]].tolist()]
            for v in self.variables
        ]
        """For each variable, its minimal sets of parents, and these among the placed."""

    def solve(self) -> tuple[int, int, BooleanScm]:
        """Return the simplest model, after how many parents it has and how long it is."""
        fewest = self._fewest()
        costs = self._count_parents(fewest)
        size, chosen = self._choose_shortest(fewest, costs, len(costs) - 1)
        masks, tables = [0] * self.known.admissible.n, [0] * self.known.admissible.n
        for i, choice in chosen.items():
            masks[self.variables[i]] = choice.parents
            tables[self.variables[i]] = choice.table
        scm = BooleanScm(len(masks), self.roots, tuple(masks), tuple(tables))
        return costs[-1], size, scm

    def _fewest(self) -> list[list[int]]:
        """Return, for each variable and set of placed ones, the fewest parents that explain it."""
        m = len(self.variables)
        found: NDArray[np.int32] = np.full((m, 1 << m), _NEVER, np.int32)
        for i, sets in enumerate(self._sets):
            for mask, place in sets:
                count = mask.bit_count()
                found[i, place] = min(found[i, place], count)
        for i in range(m):
            pairs = found.reshape(m, -1, 2, 1 << i)
            np.minimum(pairs[:, :, 1], pairs[:, :, 0], out=pairs[:, :, 1])
        return cast("list[list[int]]", found.tolist())

    def _count_parents(self, fewest: list[list[int]]) -> list[int]:
        """Return the fewest parents with which each set of variables can be placed."""
        best = [0] + [_NEVER] * ((1 << len(self.variables)) - 1)
        for placed, cost in enumerate(best):
            if cost < _NEVER:
                for i, counts in enumerate(fewest):
                    after = placed | 1 << i
                    if after != placed and cost + counts[placed] < best[after]:
                        best[after] = cost + counts[placed]
        return best

    def _choose_shortest(
        self, fewest: list[list[int]], costs: list[int], placed: int
    ) -> tuple[int, dict[int, Choice]]:
        """Return the shortest formulas for a set among the models with fewest parents of it."""
        if placed not in self.shortest:
            best: tuple[int, dict[int, Choice]] = (_NEVER << 8, {})
            for i in reversed(list(bits(placed))):
                before = placed & ~(1 << i)
                if costs[before] + fewest[i][before] == costs[placed]:
                    choice = self._choose(i, before, fewest[i][before])
                    size, chosen = self._choose_shortest(fewest, costs, before)
                    if size + choice.size < best[0]:
                        best = size + choice.size, {**chosen, i: choice}
            self.shortest[placed] = best
        return self.shortest[placed]

    def _choose(self, i: int, placed: int, count: int) -> Choice:
        fits = [
            self._choice(i, mask)
            for mask, place in self._sets[i]
            if not place & ~placed and mask.bit_count() == count
        ]
        return min(fits, key=lambda choice: (choice.size, choice.parents))

    def _choice(self, i: int, parents: int) -> Choice:
        if (i, parents) not in self.choices:
            zeros, ones = self.known.facts(self.variables[i], parents)
            choice = cheapest(zeros, ones, parents.bit_count())
            size, table = choice if choice is not None else (_NEVER, ones)
            self.choices[i, parents] = Choice(parents, table, size)
        return self.choices[i, parents]

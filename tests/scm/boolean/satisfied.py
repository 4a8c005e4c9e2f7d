"""The question of the proofs, put to a SAT solver in its own terms.

Is there an admissible model that replays all training rows and errs somewhere on the query rows?
Orders, parents, truth tables and the values that the model gives on the query rows are all
variables of the formula. Nothing of closure, factorisation or first deviations is assumed.
"""

from itertools import combinations, count, product

from pysat.solvers import Cadical153

from causarium.scm.boolean.row_evidence import Admissible, Evidence
from causarium.scm.dag import bits, mask_of


class Doubt:
    """A formula that is satisfiable if some fitting model errs on a query row."""

    def __init__(self, admissible: Admissible, train: Evidence, query: Evidence) -> None:
        (self.roots,) = admissible.root_sets
        self.admissible = admissible
        self.numbers = count(1)
        self.clauses: list[list[int]] = []
        self.variables = [v for v in range(admissible.n) if not self.roots >> v & 1]
        self.before = {pair: next(self.numbers) for pair in combinations(self.variables, 2)}
        self.options = {v: self._options(v) for v in self.variables}
        self._order()
        for evidence, is_query in ((train, False), (query, True)):
            errors = []
            for row, targets in zip(evidence.rows.tolist(), evidence.targets.tolist(), strict=True):
                errors += self._replayed(row, targets, must_fit=not is_query)
            if is_query:
                self.clauses.append(errors)

    def holds(self) -> bool:
        with Cadical153(bootstrap_with=self.clauses) as solver:
            return bool(solver.solve())

    def _options(self, v: int) -> list[tuple[int, int, list[int]]]:
        """Return parents, the literal that chooses them, and the literals of their table."""
        allowed = list(bits(self.admissible.allowed[v]))
        sizes = range(self.admissible.max_parents + 1)
        sets = [mask_of(c) for size in sizes for c in combinations(allowed, size)]
        found = [
            (mask, next(self.numbers), [next(self.numbers) for _ in range(1 << mask.bit_count())])
            for mask in sets
        ]
        self.clauses.append([chosen for _, chosen, _ in found])
        return found

    def _first(self, u: int, v: int) -> int:
        return self.before[u, v] if u < v else -self.before[v, u]

    def _order(self) -> None:
        for u, v, w in product(self.variables, repeat=3):
            if len({u, v, w}) == 3:
                self.clauses.append([-self._first(u, v), -self._first(v, w), self._first(u, w)])
        for v, options in self.options.items():
            for mask, chosen, _ in options:
                for u in bits(mask & ~self.roots):
                    self.clauses.append([-chosen, self._first(u, v)])

    def _replayed(self, row: int, targets: int, *, must_fit: bool) -> list[int]:
        """Add the model's own values for a row; return the literals that say it errs."""
        free = [v for v in self.variables if not targets >> v & 1]
        value = {v: next(self.numbers) for v in free}
        for v in free:
            for mask, chosen, table in self.options[v]:
                inputs = list(bits(mask))
                for p, said in enumerate(table):
                    differs = []
                    for j, u in enumerate(inputs):
                        bit = p >> j & 1
                        if u in value:
                            differs.append(-value[u] if bit else value[u])
                        elif row >> u & 1 != bit:
                            break
                    else:
                        self.clauses.append([-chosen, *differs, -said, value[v]])
                        self.clauses.append([-chosen, *differs, said, -value[v]])
        right = [value[v] if row >> v & 1 else -value[v] for v in free]
        if must_fit:
            self.clauses += [[literal] for literal in right]
        return [-literal for literal in right]

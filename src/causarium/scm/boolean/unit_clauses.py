"""The question of `unit_fits` in the words of a SAT solver; the two share the law and the worlds.

Unknown are each arrow, which of two variables comes first, each unit's trait and what each world's
hands touched. Needs the extra `generate`.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from itertools import combinations, count, permutations
from typing import Any

from causarium.errors import MissingExtra
from causarium.scm.boolean.unit_fits import Fit, UnitLaw, UnitWorld
from causarium.scm.dag import bits, mask_of


class UnitClauses:
    """Models that fit some worlds, as clauses."""

    def __init__(self, law: UnitLaw, worlds: Sequence[UnitWorld]) -> None:
        if find_spec("pysat") is None:
            raise MissingExtra("proving by a solver that one model is left", "generate")
        from pysat.solvers import Minicard

        self.law, self.worlds = law, worlds
        self._next = count(1)
        self._solver: Any = Minicard()
        n = law.n
        causes = range(n + law.trait)
        self.arrow = {(q, v): next(self._next) for v in law.endogenous for q in causes if q != v}
        self.trait = [next(self._next) for _ in range(law.units)]
        self._bind_arrows()
        self.touched = self._bind_hands() if law.touched else {}
        self._bind_rows()

    def is_only_fit(self, fit: Fit) -> bool:
        """Say whether `fit` fits, with all arrows and hands that there may be, and nothing else."""
        law, later = self.law, list(enumerate(fit.touched))[1:] if self.law.touched else []
        arrows = sum(mask.bit_count() for mask in fit.parents)
        # Only where the fit leaves room for no more does every other model lack a part of it.
        if arrows != law.arrows or any(mask.bit_count() != law.touched for _, mask in later):
            return False
        said = [self.arrow.get((q, v), 0) for v in law.endogenous for q in bits(fit.parents[v])]
        units = range(1, law.units if law.trait else 1)
        said += [self.trait[u] if fit.traits >> u & 1 else -self.trait[u] for u in units]
        said += [self.touched[w, v] for w, mask in later for v in bits(mask)]
        if not all(said) or not self._solver.solve(assumptions=said):
            return False
        switch = next(self._next)
        self._solver.add_clause([-switch, *(-literal for literal in said)])
        return not self._solver.solve(assumptions=[switch])

    def _bind_arrows(self) -> None:
        law = self.law
        for v in law.endogenous:
            into = [literal for (_, to), literal in self.arrow.items() if to == v]
            self._solver.add_atmost(into, min(law.most_parents, len(into)))
        self._solver.add_atmost(list(self.arrow.values()), law.arrows)
        first = {pair: next(self._next) for pair in combinations(law.endogenous, 2)}

        def before(a: int, b: int) -> int:
            return first[a, b] if a < b else -first[b, a]

        for a, b in permutations(law.endogenous, 2):
            self._solver.add_clause([-self.arrow[a, b], before(a, b)])
        for a, b, c in permutations(law.endogenous, 3):
            self._solver.add_clause([-before(a, b), -before(b, c), before(a, c)])
        self._solver.add_clause([-self.trait[0]])

    def _bind_hands(self) -> dict[tuple[int, int], int]:
        """Say that each world but the first has so many hands, and that each changed something."""
        law, first = self.law, self.worlds[0].rows
        found: dict[tuple[int, int], int] = {}
        for w, world in enumerate(self.worlds[1:], 1):
            literals = []
            for v in range(law.n):
                literal = found[w, v] = next(self._next)
                literals.append(literal)
                changed = any((a ^ b) >> v & 1 for a, b in zip(first, world.rows, strict=True))
                if not changed:
                    self._solver.add_clause([-literal])
                elif law.roots >> v & 1:
                    self._solver.add_clause([literal])
            self._solver.add_atmost(literals, law.touched)
            self._solver.add_atmost([-literal for literal in literals], law.n - law.touched)
        return found

    def _bind_rows(self) -> None:
        law = self.law
        cells = [(w, u) for w in range(len(self.worlds)) for u in range(law.units)]
        apart = {
            pair: self._make_difference(*pair)
            for pair in (combinations(range(law.units), 2) if law.trait else ())
        }
        helped: dict[tuple[int, tuple[int, int]], int] = {}
        for (w, u), (x, y) in combinations(cells, 2):
            differ = self.worlds[w].rows[u] ^ self.worlds[x].rows[y]
            for v in law.endogenous:
                if not differ >> v & 1 or self._is_named(w, x, v):
                    continue
                clause = [self.arrow[q, v] for q in bits(differ & ~(1 << v))]
                clause += [self.touched[z, v] for z in {w, x} if (z, v) in self.touched]
                if u != y and law.trait:
                    pair = (min(u, y), max(u, y))
                    if (v, pair) not in helped:
                        helped[v, pair] = self._join(self.arrow[law.n, v], apart[pair])
                    clause.append(helped[v, pair])
                self._solver.add_clause(clause)

    def _is_named(self, one: int, other: int, v: int) -> bool:
        if self.law.touched:
            return False
        return bool((self.worlds[one].targets | self.worlds[other].targets) >> v & 1)

    def _make_difference(self, u: int, v: int) -> int:
        """Return a literal that is true only if two units differ in the trait."""
        literal, one, other = next(self._next), self.trait[u], self.trait[v]
        self._solver.add_clause([-literal, one, other])
        self._solver.add_clause([-literal, -one, -other])
        return literal

    def _join(self, one: int, other: int) -> int:
        literal = next(self._next)
        self._solver.add_clause([-literal, one])
        self._solver.add_clause([-literal, other])
        return literal


def true_fit(parents: Sequence[int], units: Sequence[int], targets: Sequence[int], n: int) -> Fit:
    """Return the fit of a known model, its trait renamed so that the first unit has 0."""
    traits = mask_of(u for u, start in enumerate(units) if (start ^ units[0]) >> n & 1)
    return Fit(tuple(parents[:n]), 1 << (traits >> 1), tuple(targets))

"""Exact search under staged budgets: the published symbolic procedure, with work for time.

Three stages, each with more room than the one before: a longest formula, how much longer than the
shortest one a candidate may be, how many candidates a variable has, and how many steps the search
for an acyclic choice among them may take. The published budgets were 2, 20 and 600 seconds; here
they are counted in steps, a thousand a second, so that the outcome is the same on every machine.
The first choice that fits counts, even if another one were simpler.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.shortest_formulas import cheapest


@dataclass(frozen=True, slots=True)
class Budget:
    """How far one stage goes."""

    longest: int
    """No formula is longer."""
    slack: int
    """No candidate is so much longer than the shortest of its variable."""
    candidates: int
    """No variable has more."""
    steps: int
    """The search takes no more."""


STAGES = (Budget(8, 2, 32, 2_000), Budget(10, 2, 32, 20_000), Budget(12, 3, 256, 600_000))


@dataclass(frozen=True, slots=True)
class Candidate:
    """One mechanism that fits."""

    parents: int
    table: int
    size: int


def search_stages(known: Known, stages: Sequence[Budget] = STAGES) -> BooleanScm | None:
    """Return the first model that fits, stage by stage; None if no stage finds one."""
    for budget in stages:
        for roots in known.feasible_roots:
            pools = {
                v: pool(known, v, parent_sets(known, v), budget)
                for v in range(known.admissible.n)
                if not roots >> v & 1
            }
            if found := acyclic_choice(pools, budget.steps):
                return model(known.admissible.n, roots, found)
    return None


def parent_sets(known: Known, variable: int) -> list[int]:
    """Return the sets that can explain a variable, small ones first, in a fixed order."""
    layout = known.admissible.layout
    masks: list[int] = layout.parents[variable, known.explains[variable]].tolist()
    return sorted(masks, key=lambda mask: (mask.bit_count(), mask))


def pool(known: Known, variable: int, sets: Iterable[int], budget: Budget) -> list[Candidate]:
    """Return a variable's candidates, the shortest first."""
    found: list[Candidate] = []
    best = budget.longest
    for mask in sets:
        # A formula that reads k variables has an operator and k names at least.
        if len(found) >= budget.candidates or mask.bit_count() + 1 > best + budget.slack:
            break
        candidate = find_shortest_mechanism(known, variable, mask)
        if candidate and candidate.size <= budget.longest:
            found.append(candidate)
            best = min(best, candidate.size)
    kept = [candidate for candidate in found if candidate.size <= best + budget.slack]
    return sorted(kept, key=lambda candidate: candidate.size)


def find_shortest_mechanism(known: Known, variable: int, parents: int) -> Candidate | None:
    """Return the shortest mechanism that fits and reads just these parents."""
    fit = cheapest(*known.facts(variable, parents), parents.bit_count())
    return None if fit is None else Candidate(parents, fit[1], fit[0])


def acyclic_choice(
    pools: Mapping[int, Sequence[Candidate]], steps: int
) -> dict[int, Candidate] | None:
    """Choose a candidate for each variable so that no cycle arises, within so many steps.

    Variables with few candidates choose first; a choice that closes a cycle is passed over.
    """
    if not all(pools.values()):
        return None
    order = sorted(pools, key=lambda v: (len(pools[v]), v))
    return _Choice(order, pools, steps).search()


class _Choice:
    """A search that goes back one variable when it is stuck."""

    def __init__(
        self, order: Sequence[int], pools: Mapping[int, Sequence[Candidate]], steps: int
    ) -> None:
        self.order, self.pools, self.left = order, pools, steps
        self.parents: dict[int, int] = {}

    def search(self) -> dict[int, Candidate] | None:
        trail: list[int] = []
        nexts = [0]
        while len(trail) < len(self.order) and self.left > 0:
            variable = self.order[len(trail)]
            at = self._find_next(variable, nexts[-1])
            if at is not None:
                nexts[-1] = at + 1
                trail.append(at)
                nexts.append(0)
                self.parents[variable] = self.pools[variable][at].parents
            elif trail:
                nexts.pop()
                trail.pop()
                del self.parents[self.order[len(trail)]]
            else:
                return None
        if len(trail) < len(self.order):
            return None
        return {v: self.pools[v][at] for v, at in zip(self.order, trail, strict=True)}

    def _find_next(self, variable: int, start: int) -> int | None:
        for at in range(start, len(self.pools[variable])):
            self.left -= 1
            if not self._reaches(self.pools[variable][at].parents, variable):
                return at
        return None

    def _reaches(self, parents: int, variable: int) -> bool:
        """Tell whether `variable` is among `parents` or above them, in what was chosen so far."""
        above, todo = 0, parents
        while todo:
            above |= todo
            step = 0
            for v, mask in self.parents.items():
                if todo >> v & 1:
                    step |= mask
            todo = step & ~above
        return bool(above >> variable & 1)


def model(n: int, roots: int, chosen: Mapping[int, Candidate]) -> BooleanScm:
    """Return the model with the chosen mechanisms."""
    parents, tables = [0] * n, [0] * n
    for v, candidate in chosen.items():
        parents[v], tables[v] = candidate.parents, candidate.table
    return BooleanScm(n, roots, tuple(parents), tuple(tables))

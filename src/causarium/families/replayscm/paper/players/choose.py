"""Ways to choose a model that fits what was seen.

`simplest` finds the model with the fewest parents and shortest formulas, exactly; `symbolic`
searches under the published staged budgets. Only mechanisms that fit every row are handed in.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from causarium.scm.boolean.certify_model import (
    Choice,
    find_best_alternative,
    find_best_experiment,
    find_simplest_known,
)
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, Evidence, ModelFacts
from causarium.scm.boolean.shortest_formulas import cheapest, formulas_of
from causarium.scm.dag import bits, is_acyclic
from ..mechanics import admissible, evidence
from ..model.actions import Submit
from ..model.instance import ReplayPublic


class Budget(NamedTuple):
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


def search_stages(known: ModelFacts, stages: Sequence[Budget] = STAGES) -> BooleanScm | None:
    """Return the first model that fits, stage by stage; None if no stage finds one."""
    for budget in stages:
        for roots in known.feasible_roots:
            pools = {
                v: pool(known, v, parent_sets(known, v), budget)
                for v in range(known.admissible.n)
                if not roots >> v & 1
            }
            if chosen := acyclic_choice(pools, budget.steps):
                every = [chosen.get(v, Choice(0, 0, 0)) for v in range(known.admissible.n)]
                parents, tables, _ = zip(*every, strict=True)
                return BooleanScm(len(every), roots, parents, tables)
    return None


def parent_sets(known: ModelFacts, variable: int) -> list[int]:
    """Return the sets that can explain a variable, small ones first, in a fixed order."""
    layout = known.admissible.layout
    masks: list[int] = layout.parents[variable, known.explains[variable]].tolist()
    return sorted(masks, key=lambda mask: (mask.bit_count(), mask))


def pool(known: ModelFacts, variable: int, sets: Iterable[int], budget: Budget) -> list[Choice]:
    """Return a variable's candidates, the shortest first."""
    found: list[Choice] = []
    best = budget.longest
    for mask in sets:
        # A formula that reads k variables has an operator and k names at least.
        if len(found) >= budget.candidates or mask.bit_count() + 1 > best + budget.slack:
            break
        fit = cheapest(*known.facts(variable, mask), mask.bit_count())
        if fit is not None and fit[0] <= budget.longest:
            found.append(Choice(mask, fit[1], fit[0]))
            best = min(best, fit[0])
    kept = [candidate for candidate in found if candidate.size <= best + budget.slack]
    return sorted(kept, key=lambda candidate: candidate.size)


def acyclic_choice(pools: Mapping[int, Sequence[Choice]], steps: int) -> dict[int, Choice] | None:
    """Choose a candidate for each variable so that no cycle arises, within so many steps.

    Variables with few candidates choose first; a choice that closes a cycle is passed over.
    """
    order = sorted(pools, key=lambda v: (len(pools[v]), v))
    chosen: dict[int, Choice] = {}
    if not all(pools.values()):
        return None
    wide = max(one.parents.bit_length() for pool in pools.values() for one in pool)
    masks, left = [0] * max(wide, *(v + 1 for v in order)), steps

    def place(at: int) -> bool:
        nonlocal left
        if at == len(order):
            return True
        for candidate in pools[order[at]] if left > 0 else ():
            left -= 1
            masks[order[at]] = candidate.parents
            if is_acyclic(tuple(masks)):
                chosen[order[at]] = candidate
                if place(at + 1):
                    return True
                if left <= 0:
                    return False
        masks[order[at]] = 0
        return False

    return chosen if place(0) else None


def write_answer(public: ReplayPublic, scm: BooleanScm | None) -> Submit:
    """Return a model as an answer; without one, an answer of the right shape that says nothing."""
    names = public.variables
    if scm is None:
        roots = public.roots or names[: public.n_roots]
        mechanisms = {name: "" for name in names if name not in roots}
    else:
        roots = tuple(name for i, name in enumerate(names) if scm.roots >> i & 1)
        mechanisms = {name: str(formula) for name, formula in formulas_of(scm, names).items()}
    return Submit(mechanisms=mechanisms, roots=roots if public.roots is None else None)


def _choose_second_answer(
    public: ReplayPublic, evidence: Evidence, admissible: Admissible, first: BooleanScm | None
) -> Submit:
    """Return `first` as an answer if an experiment tells it from the given model, else the best."""
    names = public.variables
    given = BooleanScm.read(names, public.roots or (), public.reference or {})
    found = find_best_experiment(given, first) if first is not None else None
    if found is None:
        first = find_best_alternative(given, evidence, admissible) or first
        found = find_best_experiment(given, first) if first is not None else None
    answer = write_answer(public, first)
    if first is None:
        return answer
    variable, value, contexts = found or (0, 0, (0,))
    witness = {names[root]: contexts[0] >> root & 1 for root in bits(given.roots)}
    return answer.model_copy(update={"experiment": {names[variable]: value}, "witness": witness})


def choose_answer(public: ReplayPublic, *, staged: bool = False) -> Submit:
    """Return the simplest model as an answer, or the first that the staged search finds."""
    rows = evidence(public.train, public.variables)
    known = ModelFacts.of(rows, admissible(public))
    model = search_stages(known) if staged else find_simplest_known(known)
    if public.reference is None:
        return write_answer(public, model)
    return _choose_second_answer(public, rows, known.admissible, model)

"""Ways to choose a model of the paper edition that fits what was seen.

`symbolic` searches under the published staged budgets. `structure` proposes parents first: its
score is the interventional BDe, in which a variable's rows count only where it was not set from
outside, and its search is causal-learn's best-order search (BOSS), started from several orders.
Parents that a graph proposes and that can explain their variable are tried first, graph by graph;
then any mixture of the proposals that is acyclic; then, for variables that no proposal explains,
all sets that do, best score first. Only mechanisms that fit every row are handed in.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from math import inf, lgamma
from operator import or_
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from causarium.errors import MissingExtra
from causarium.families.replayscm.evidence.open_models import admissible, evidence
from causarium.families.replayscm.model.actions import Submit
from causarium.families.replayscm.model.instance import ReplayPublic
from causarium.scm.boolean.alternative_model import (
    find_best_alternative,
    find_best_experiment,
)
from causarium.scm.boolean.formula import parse_formula
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, Evidence, ModelFacts
from causarium.scm.boolean.shortest_formulas import cheapest, formulas_of
from causarium.scm.boolean.simplest_model import find_simplest_known
from causarium.scm.dag import bits, mask_of


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


def search_stages(known: ModelFacts, stages: Sequence[Budget] = STAGES) -> BooleanScm | None:
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


def parent_sets(known: ModelFacts, variable: int) -> list[int]:
    """Return the sets that can explain a variable, small ones first, in a fixed order."""
    layout = known.admissible.layout
    masks: list[int] = layout.parents[variable, known.explains[variable]].tolist()
    return sorted(masks, key=lambda mask: (mask.bit_count(), mask))


def pool(known: ModelFacts, variable: int, sets: Iterable[int], budget: Budget) -> list[Candidate]:
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


def find_shortest_mechanism(known: ModelFacts, variable: int, parents: int) -> Candidate | None:
    """Return the shortest mechanism that fits and reads just these parents."""
    fit = cheapest(*known.facts(variable, parents), parents.bit_count())
    return None if fit is None else Candidate(parents, fit[1], fit[0])


def acyclic_choice(
    pools: Mapping[int, Sequence[Candidate]], steps: int
) -> dict[int, Candidate] | None:
    """Choose a candidate for each variable so that no cycle arises, within so many steps.

    Variables with few candidates choose first; a choice that closes a cycle is passed over.
    """
    order = sorted(pools, key=lambda v: (len(pools[v]), v))
    chosen: dict[int, Candidate] = {}
    masks, left = [0] * (max(order) + 1), steps

    def place(at: int) -> bool:
        nonlocal left
        if at == len(order):
            return True
        for candidate in pools[order[at]] if left > 0 else ():
            left -= 1
            masks[order[at]] = candidate.parents
            if _is_open(masks, order[at]):
                chosen[order[at]] = candidate
                if place(at + 1):
                    return True
                if left <= 0:
                    return False
        masks[order[at]] = 0
        return False

    return chosen if all(pools.values()) and place(0) else None


def _is_open(masks: Sequence[int], variable: int) -> bool:
    """Say whether a variable is not above itself, in what was chosen so far."""
    above, todo = 0, masks[variable]
    while todo:
        above |= todo
        step = reduce(or_, (mask for v, mask in enumerate(masks) if todo >> v & 1), 0)
        todo = step & ~above
    return not above >> variable & 1


def model(n: int, roots: int, chosen: Mapping[int, Candidate]) -> BooleanScm:
    """Return the model with the chosen mechanisms."""
    parents, tables = [0] * n, [0] * n
    for v, candidate in chosen.items():
        parents[v], tables[v] = candidate.parents, candidate.table
    return BooleanScm(n, roots, tuple(parents), tuple(tables))


Proposer = Callable[["Bde", int, Random], list[int]]
"""From a score, the mask of the roots and a generator to the mask of each variable's parents."""

SAMPLE_SIZE = 1.0
"""The weight of the prior, in rows."""
STARTS = 4
_LAST = Budget(longest=99, slack=99, candidates=64, steps=60_000)


class Bde:
    """The interventional BDe score of a variable with some parents."""

    def __init__(self, evidence: Evidence, known: ModelFacts) -> None:
        self.n = evidence.n
        self.most = known.admissible.max_parents
        self.allowed = known.admissible.allowed
        self.seen = list(zip(evidence.rows.tolist(), evidence.targets.tolist(), strict=True))
        """Every row, and the mask of what was set in it."""
        columns = (evidence.rows[:, None] >> np.arange(self.n, dtype=np.uint32)) & np.uint32(1)
        free = (evidence.targets[:, None] >> np.arange(self.n, dtype=np.uint32)) & np.uint32(1) == 0
        self.rows: list[NDArray[np.int64]] = [
            columns[free[:, v]].astype(np.int64) for v in range(self.n)
        ]
        self._kept: dict[tuple[int, int], float] = {}

    def __call__(self, variable: int, parents: int) -> float:
        """Return the score; more parents than are admitted, or others, never pay."""
        if parents.bit_count() > self.most or parents & ~self.allowed[variable]:
            return -inf
        key = (variable, parents)
        if key not in self._kept:
            self._kept[key] = self._compute_score(variable, parents)
        return self._kept[key]

    def _compute_score(self, variable: int, parents: int) -> float:
        rows = self.rows[variable]
        index = rows[:, variable].copy()
        for j, u in enumerate(bits(parents)):
            index += rows[:, u] << (j + 1)
        size = 2 << parents.bit_count()
        counts = np.bincount(index, minlength=size).reshape(-1, 2)
        cell, group = SAMPLE_SIZE / size, 2 * SAMPLE_SIZE / size
        total = 0.0
        for zero, one in counts.tolist():
            if zero + one:
                total += lgamma(group) - lgamma(group + zero + one)
                total += lgamma(cell + zero) + lgamma(cell + one) - 2 * lgamma(cell)
        return total


class _Scored:
    """The score as causal-learn's search asks for it; roots have no parents."""

    def __init__(self, score: Bde, roots: int) -> None:
        self.score, self.roots = score, roots
        self.data = np.zeros((1, score.n))

    def score_nocache(self, variable: int, parents: Sequence[int]) -> float:
        if self.roots >> variable & 1:
            return -inf if parents else 0.0
        return self.score(variable, mask_of(parents))


def boss(score: Bde, roots: int, rng: Random) -> list[int]:
    """Return the parents that causal-learn's best-order search proposes."""
    search, tree = _import_search("BOSS"), _import_search("gst")
    scored = _Scored(score, roots)
    trees = [tree.GST(v, scored) for v in range(score.n)]
    order = list(range(score.n))
    rng.shuffle(order)
    turns = order[:]
    improved = True
    while improved:
        rng.shuffle(turns)
        improved = False
        for v in turns:
            improved |= search.better_mutation(v, order, trees)
    found = [0] * score.n
    for place, v in enumerate(order):
        parents: list[int] = []
        trees[v].trace(order[:place], parents)
        found[v] = mask_of(parents)
    return found


def _import_search(name: str) -> Any:  # noqa: ANN401
    try:
        return import_module(f"causallearn.search.PermutationBased.{name}")
    except ImportError as missing:
        raise MissingExtra("this player", "classical") from missing


def search_structure(
    evidence: Evidence, known: ModelFacts, rng: Random, propose: Proposer = boss
) -> BooleanScm | None:
    """Return a model that fits, with the parents that a structure search proposed."""
    score = Bde(evidence, known)
    for roots in known.feasible_roots:
        pools: dict[int, list[Candidate]] = {
            v: [] for v in range(known.admissible.n) if not roots >> v & 1
        }
        for _ in range(STARTS):
            graph = propose(score, roots, rng)
            fits = {v: _find_within_proposal(known, v, graph[v]) for v in pools}
            whole = {v: [fit] for v, fit in fits.items() if fit}
            if len(whole) == len(pools) and (found := acyclic_choice(whole, _LAST.steps)):
                return model(known.admissible.n, roots, found)
            for v, fit in fits.items():
                if fit and fit not in pools[v]:
                    pools[v].append(fit)
        if found := _mix_proposals(known, score, pools):
            return model(known.admissible.n, roots, found)
    return None


def _find_within_proposal(known: ModelFacts, variable: int, proposed: int) -> Candidate | None:
    """Return the shortest mechanism that fits and reads nothing but what was proposed."""
    sets = [mask for mask in parent_sets(known, variable) if not mask & ~proposed]
    fits = [fit for mask in sets if (fit := find_shortest_mechanism(known, variable, mask))]
    return min(fits, key=lambda fit: (fit.size, fit.parents), default=None)


def _mix_proposals(
    known: ModelFacts, score: Bde, pools: dict[int, list[Candidate]]
) -> dict[int, Candidate] | None:
    """Mix proposals, then add what explains a variable, best score first."""
    if found := acyclic_choice(pools, _LAST.steps):
        return found
    for v, have in pools.items():
        sets = sorted(parent_sets(known, v), key=lambda mask: (-score(v, mask), mask))
        more = (find_shortest_mechanism(known, v, mask) for mask in sets[: _LAST.candidates])
        have += [fit for fit in more if fit and fit not in have]
    return acyclic_choice(pools, _LAST.steps)


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


def choose_second_answer(
    public: ReplayPublic, evidence: Evidence, admissible: Admissible, first: BooleanScm | None
) -> Submit:
    """Return `first` as an answer if an experiment tells it from the given model, else the best.

    Args:
        public: The problem.
        evidence: What was seen.
        admissible: Which models are admitted.
        first: The model that was chosen; None if none was.
    """
    names = public.variables
    formulas = {name: parse_formula(text, names) for name, text in (public.reference or {}).items()}
    given = BooleanScm.of(names, public.roots or (), formulas)
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


Choice = Callable[[Evidence, ModelFacts, Random], BooleanScm | None]
"""From what was seen, and what it leaves open, to a model; None if none was found."""


def _choose_simplest(known: ModelFacts) -> BooleanScm | None:
    found = find_simplest_known(known)
    return found.scm if found else None


CHOICES: dict[str, Choice] = {
    "simplest": lambda _, known, __: _choose_simplest(known),
    "symbolic": lambda _, known, __: search_stages(known),
    "structure": search_structure,
}
"""By the name of the player that chooses so."""


def answer(name: str, public: ReplayPublic, seed: int) -> Submit:
    """Return what a player hands in.

    Args:
        name: The player's name.
        public: The problem.
        seed: Where chance comes from.
    """
    rows = evidence(public.train, public.variables)
    known = ModelFacts.of(rows, admissible(public))
    model = CHOICES[name](rows, known, Random(seed))
    if public.reference is None:
        return write_answer(public, model)
    return choose_second_answer(public, rows, known.admissible, model)

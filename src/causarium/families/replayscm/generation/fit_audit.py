"""Searching for other models that fit, and adding worlds until the search finds none.

The search stands in for the published audit by systems' answers: the exact simplest model, and a
sweep of models put together at random from small parent sets and shortest formulas. Finding none
proves nothing; that is what `certify` is for.
"""

from collections.abc import Iterable, Sequence
from random import Random

from causarium.families.replayscm.evidence.boolean_view import panel_evidence
from causarium.families.replayscm.generation.published_problems import Problem
from causarium.families.replayscm.mechanics.intervention_worlds import Panel
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.row_evidence import Admissible
from causarium.scm.boolean.shortest_formulas import cheapest
from causarium.scm.boolean.simplest_model import find_simplest_known
from causarium.scm.dag import bits

SWEEPS = 50
_LARGER_SET = 0.2
"""How often a sweep takes a parent set that is larger than it need be."""
_TRIED = 60
_COUNTS = {1: 10, 2: 30, 3: 40, 4: 20}


def audit_problem(problem: Problem, admissible: Admissible, rng: Random) -> Problem:
    """Return the problem with worlds that tell every model that the search finds from the truth."""
    while True:
        known = Known.of(panel_evidence(problem.train, problem.latent.n), admissible)
        found = find_other_models(known, problem.latent.scm, rng)
        if not found:
            return problem
        problem = problem.add_worlds(separating(problem, found, rng))


def find_other_models(known: Known, truth: BooleanScm, rng: Random) -> list[BooleanScm]:
    """Return the models that the search finds and that are not the truth, each once."""
    solution = find_simplest_known(known)
    models = [solution.scm] if solution else []
    models += [sweep_model(known, rng) for _ in range(SWEEPS)]
    found = {(scm.roots, scm.parents, scm.tables): scm for scm in models}
    found.pop((truth.roots, truth.parents, truth.tables), None)
    return list(found.values())


def sweep_model(known: Known, rng: Random) -> BooleanScm:
    """Put a model that fits together at random, of small parent sets and shortest formulas."""
    n = known.admissible.n
    roots = placed = rng.choice(known.feasible_roots)
    parents, tables = [0] * n, [0] * n
    while placed != (1 << n) - 1:
        variable = rng.choice(list(bits(int(known.ready[placed]) & ~placed)))
        mask = _small_set(known, variable, placed, rng)
        fit = cheapest(*known.facts(variable, mask), mask.bit_count())
        parents[variable], tables[variable] = mask, fit[1] if fit else 0
        placed |= 1 << variable
    return BooleanScm(n, roots, tuple(parents), tuple(tables))


def _small_set(known: Known, variable: int, placed: int, rng: Random) -> int:
    masks = known.admissible.layout.parents[variable, known.minimal[variable]].tolist()
    within = [mask for mask in masks if not mask & ~placed]
    least = min(mask.bit_count() for mask in within)
    smallest = [mask for mask in within if mask.bit_count() == least]
    return int(rng.choice(within if rng.random() < _LARGER_SET else smallest))


def separating(problem: Problem, models: Sequence[BooleanScm], rng: Random) -> list[Panel]:
    """Return worlds that together tell each model from the truth."""
    left, added = list(models), list[Panel]()
    counts = dict(_COUNTS)
    while left:
        worlds = problem.lab.random_worlds(rng, _TRIED, counts)
        candidates = [panel for panel in worlds if panel.signature not in problem.reserved]
        told = [[scm for scm in left if _tells(panel, scm)] for panel in candidates]
        best = max(range(len(candidates)), key=lambda c: (len(told[c]), -c))
        if told[best]:
            added.append(candidates[best])
            left = [scm for scm in left if not _is_among(scm, told[best])]
        else:
            # What few settings do not bring about, more of them do.
            counts[max(counts) + 1] = 100
    return added


def _tells(panel: Panel, scm: BooleanScm) -> bool:
    return any(scm.run(row, panel.targets) != row for row in panel.rows)


def _is_among(scm: BooleanScm, models: Iterable[BooleanScm]) -> bool:
    return any(scm is model for model in models)

"""A second model that fits the same worlds, for tasks that ask for one, and who finds it.

Models that a search finds by itself come first, as in the published tasks: the exact simplest one,
then those of a sweep. Where these find only the truth, the exact search for the alternative that
can be told apart best decides. Kept are only models that setting one variable tells apart.
"""

from dataclasses import dataclass
from random import Random

from causarium.errors import ContractError
from causarium.families.replayscm.evidence.boolean_view import panel_evidence
from causarium.families.replayscm.generation.fit_audit import SWEEPS, sweep_model
from causarium.families.replayscm.generation.published_problems import Problem
from causarium.scm.boolean.alternative_model import differing, find_best_alternative
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.row_evidence import Admissible
from causarium.scm.boolean.shortest_formulas import minimal_formula
from causarium.scm.boolean.simplest_model import find_simplest_known
from causarium.scm.dag import bits


@dataclass(frozen=True, slots=True)
class Experiment:
    """One variable that is set, and where it tells two models apart."""

    variable: int
    value: int
    contexts: tuple[int, ...]
    """The values of the roots, as rows, at which the models differ under it."""


@dataclass(frozen=True, slots=True)
class Second:
    """A second model, by whom it is found, and how it is told from the truth."""

    formulas: dict[str, str]
    found_by: tuple[str, ...]
    experiment: dict[str, int]
    witness: dict[str, int]
    disagreement: float


def find_second_model(problem: Problem, admissible: Admissible, rng: Random) -> Second:
    """Return a second model that fits all training worlds.

    Raises:
        ContractError: There is none that one experiment tells apart.
    """
    truth, n = problem.latent.scm, problem.latent.n
    train = panel_evidence(problem.train, n)
    known = Known.of(train, admissible)
    solution = find_simplest_known(known)
    finds = [("simplest", solution.scm)] if solution else []
    finds += [("sweep", sweep_model(known, rng)) for _ in range(SWEEPS)]
    for _, scm in finds:
        if scm != truth and (best := find_best_experiment(truth, scm)):
            return _make_second(problem, scm, best, [name for name, found in finds if found == scm])
    exact = find_best_alternative(truth, train, admissible)
    if exact is None or not (best := find_best_experiment(truth, exact.scm)):
        raise ContractError(f"no second model fits the worlds of {problem.latent.address}")
    return _make_second(problem, exact.scm, best, ["exact"])


def find_best_experiment(one: BooleanScm, other: BooleanScm) -> Experiment | None:
    """Return the setting of one variable that tells two models apart in most root contexts."""
    best: Experiment | None = None
    for variable in range(one.n):
        for value in (0, 1):
            found = differing(one, other, variable, value)
            if len(found) > (len(best.contexts) if best else 0):
                best = Experiment(variable, value, found)
    return best


def _make_second(
    problem: Problem, scm: BooleanScm, experiment: Experiment, found_by: list[str]
) -> Second:
    variables = problem.latent.variables
    formulas = {}
    for i in sorted(scm.order):
        names = [variables[parent] for parent in bits(scm.parents[i])]
        formulas[variables[i]] = str(minimal_formula(scm.tables[i], names))
    witness = experiment.contexts[0]
    return Second(
        formulas=formulas,
        found_by=tuple(dict.fromkeys(found_by)),
        experiment={variables[experiment.variable]: experiment.value},
        witness={variables[root]: witness >> root & 1 for root in bits(scm.roots)},
        disagreement=len(experiment.contexts) / (1 << scm.roots.bit_count()),
    )

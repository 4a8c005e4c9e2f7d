"""Ways to choose a model that fits what was seen.

What is chosen depends on the problem, the rows and a seed alone and is remembered for a while: the
same problem is often played through several interfaces.
"""

from collections.abc import Callable
from random import Random

from causarium.families.replayscm.evidence.open_models import admissible, evidence
from causarium.families.replayscm.model.actions import Submit
from causarium.families.replayscm.model.instance import ReplayPublic
from causarium.families.replayscm.play.compile_answer import Disclosure, Executable, examine
from causarium.families.replayscm.players import bnlearn_r
from causarium.families.replayscm.players.structure_search import search_stages, search_structure
from causarium.families.replayscm.scoring.tell_apart import Experiments
from causarium.scm.boolean.alternative_model import find_best_alternative
from causarium.scm.boolean.count_models import Count
from causarium.scm.boolean.formula import parse_formula
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, Evidence, Known
from causarium.scm.boolean.shortest_formulas import formulas_of
from causarium.scm.boolean.simplest_model import find_simplest_known


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
    names, disclosure = public.variables, Disclosure.of(public)
    formulas = {name: parse_formula(text, names) for name, text in (public.reference or {}).items()}
    given = BooleanScm.of(names, public.roots or (), formulas)
    reference = examine(Submit(mechanisms=public.reference or {}), disclosure)
    if not isinstance(reference, Executable):
        return write_answer(public, first)
    experiments = Experiments(reference, names)
    if first is not None and first.canonical() != given:
        answer, shown = _with_experiment(public, first, experiments)
        if shown:
            return answer
    best = find_best_alternative(given, evidence, admissible)
    return _with_experiment(public, best.scm if best else first, experiments)[0]


def _with_experiment(
    public: ReplayPublic, scm: BooleanScm | None, experiments: Experiments
) -> tuple[Submit, bool]:
    """Return a model with its best experiment, and whether that tells it from the given one."""
    answer = write_answer(public, scm)
    model = examine(answer, Disclosure.of(public))
    if not isinstance(model, Executable):
        return answer, False
    experiment, witness = experiments.best_experiment(model)
    shown = experiments.separation(model, experiment, witness).witness
    return answer.model_copy(update={"experiment": experiment, "witness": witness}), shown


Choice = Callable[[Evidence, Known, Random], BooleanScm | None]
"""From what was seen, and what it leaves open, to a model; None if none was found."""


def choose_simplest(_: Evidence, known: Known, rng: Random) -> BooleanScm | None:  # noqa: ARG001
    """Take the model with the fewest parents, then the shortest formulas."""
    found = find_simplest_known(known)
    return found.scm if found else None


def search_in_stages(_: Evidence, known: Known, rng: Random) -> BooleanScm | None:  # noqa: ARG001
    """Take the first model that the staged search finds."""
    return search_stages(known)


def bnlearn_structure(evidence: Evidence, known: Known, rng: Random) -> BooleanScm | None:
    """Let bnlearn propose parents, and fit rules to them."""
    return search_structure(evidence, known, rng, bnlearn_r.propose)


def draw_uniformly(_: Evidence, known: Known, rng: Random) -> BooleanScm | None:
    """Draw one of all models that fit, each with the same probability."""
    count = Count(known)
    return count.draw(rng) if count.total else None


CHOICES: dict[str, Choice] = {
    "simplest": choose_simplest,
    "symbolic": search_in_stages,
    "structure": search_structure,
    "bnlearn": bnlearn_structure,
    "uniform": draw_uniformly,
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
    known = Known.of(rows, admissible(public))
    model = CHOICES[name](rows, known, Random(seed))
    if public.reference is None:
        return write_answer(public, model)
    return choose_second_answer(public, rows, known.admissible, model)

"""Turning a model into an answer: the first one that is asked for, or a second one beside it."""

from causarium.families.replayscm.actions import Submit
from causarium.families.replayscm.instance import ReplayPublic
from causarium.families.replayscm.scoring.compile_answer import Disclosure, Executable, examine
from causarium.families.replayscm.scoring.tell_apart import Experiments
from causarium.scm.boolean.formula import parse_formula
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, Evidence
from causarium.scm.boolean.second_model import best_alternative
from causarium.scm.boolean.shortest_formulas import formulas_of


def written(public: ReplayPublic, scm: BooleanScm | None) -> Submit:
    """Return a model as an answer; without one, an answer of the right shape that says nothing."""
    names = public.variables
    if scm is None:
        roots = public.roots or names[: public.n_roots]
        mechanisms = {name: "" for name in names if name not in roots}
    else:
        roots = tuple(name for i, name in enumerate(names) if scm.roots >> i & 1)
        mechanisms = {name: str(formula) for name, formula in formulas_of(scm, names).items()}
    return Submit(mechanisms=mechanisms, roots=roots if public.roots is None else None)


def second(
    public: ReplayPublic, evidence: Evidence, admissible: Admissible, first: BooleanScm | None
) -> Submit:
    """Return `first` as an answer if it is not the given model, else the best there is instead."""
    names, disclosure = public.variables, Disclosure.of(public)
    formulas = {name: parse_formula(text, names) for name, text in (public.reference or {}).items()}
    given = BooleanScm.of(names, public.roots or (), formulas)
    other = first
    if first is None or first.canonical() == given:
        best = best_alternative(given, evidence, admissible)
        other = best.scm if best else None
    answer = written(public, other)
    ours = examine(answer, disclosure)
    reference = examine(Submit(mechanisms=public.reference or {}), disclosure)
    if not isinstance(ours, Executable) or not isinstance(reference, Executable):
        return answer
    experiment, witness = Experiments(reference, names).best_experiment(ours)
    return answer.model_copy(update={"experiment": experiment, "witness": witness})

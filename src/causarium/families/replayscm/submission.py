"""Turning a model into an answer: the first one that is asked for, or a second one beside it."""

from random import Random

from causarium.families.replayscm.audit import swept
from causarium.families.replayscm.instance import ReplayPublic, Submit
from causarium.families.replayscm.packed import known as tables_of
from causarium.families.replayscm.separate import best_experiment
from causarium.families.replayscm.stages import Disclosure, Executable, examine
from causarium.scm.boolean.known import Known
from causarium.scm.boolean.minimal import formulas_of
from causarium.scm.boolean.model import BooleanScm

_SWEEPS = 40
"""So many models are put together at random where a second one is wanted."""


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


def second(public: ReplayPublic, known: Known, first: BooleanScm | None, rng: Random) -> Submit:
    """Return `first` as an answer if it is not the given model, else one found by sweeping."""
    given, disclosure = public.reference or {}, Disclosure.of(public)
    reference = examine(Submit(mechanisms=given), disclosure)
    same = tables_of(given, public.variables)
    for scm in (first, *(swept(known, rng) for _ in range(_SWEEPS))):
        answer = written(public, scm)
        ours = examine(answer, disclosure)
        if not isinstance(ours, Executable) or not isinstance(reference, Executable):
            continue
        if tables_of(answer.mechanisms, public.variables) != same:
            experiment, witness = best_experiment(ours, reference)
            return answer.model_copy(update={"experiment": experiment, "witness": witness})
    return written(public, None)

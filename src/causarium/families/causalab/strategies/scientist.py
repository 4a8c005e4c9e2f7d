"""Players that experiment: put every property to values in turn, and infer the mechanism.

The scientist makes one intervention on each property of a linear mechanism, which determines all of
it. Squares need more levels of each property. A hidden disturbance is drawn anew each time, so the
scientist then uses the whole budget: large moves dwarf the disturbance, and many average it out.
It keeps its hypothesis in every turn and asserts only what its readings determine.
"""

from collections.abc import Sequence
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.families.causalab.actions import Intervene, Reset, Submit, Verify
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.evidence.experiment_plans import follow, value_for
from causarium.families.causalab.evidence.infer_mechanism import Model, infer
from causarium.families.causalab.evidence.notebook import Notebook
from causarium.families.causalab.instance import FREQUENCY, LabPublic
from causarium.families.causalab.mechanics.hypothesis import Hypothesis
from causarium.families.causalab.strategies.dialog_player import through_interface

QUADRATIC_ROUNDS = 4
"""How many levels of each property a quadratic mechanism is tried at, budget permitting."""


def scientist_plan(public: LabPublic, rules: Rules, rng: Random) -> Moves:
    """Experiment, infer, submit."""
    return through_interface(_experiment(public, rules, rng), public, rules)


def rounds_of(public: LabPublic) -> int:
    """Return how often the scientist intervenes on each property, budget permitting."""
    if public.hidden is not None:
        return max(1, public.budget // len(public.properties))
    return QUADRATIC_ROUNDS if public.form == "quadratic" else 1


def _experiment(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    notebook = Notebook(public)
    model = infer(notebook)
    steps = list(follow(public, rounds_of(public)))[: public.budget]
    for number, node in steps:
        if public.resets:
            yield Reset()
            notebook.back()
        value = value_for(public, notebook.values[node], number)
        seen = yield Intervene(
            property=public.names[node], value=value, hypothesis=hypothesis_of(model)
        )
        if notebook.note(node, value, seen):
            model = infer(notebook)
    yield from commit(model, public, rules)


def commit(model: Model, public: LabPublic, rules: Rules) -> Moves:
    """Verify where that is required, then submit what the model predicts."""
    value = model.predict(public.reactor)
    if value is None:
        value = typical_frequency(public)
    yield from submit(value, hypothesis_of(model), public, rules)


def submit(value: float, hypothesis: Hypothesis | None, public: LabPublic, rules: Rules) -> Moves:
    """Verify `hypothesis` where that is required, then submit `value`."""
    if isinstance(rules, LabRules) and rules.verification == "required":
        yield Verify(hypothesis=hypothesis or Hypothesis())
    low, high = public.reactor_range
    yield Submit(value=min(max(value, low), high), hypothesis=hypothesis)


def hypothesis_of(model: Model) -> Hypothesis | None:
    """Return what a model says as a hypothesis; None if it says nothing."""
    edges = [{"from": cause, "to": effect} for cause, effect in sorted(model.edges)]
    equation, coefficients = _written(model)
    if not edges and not coefficients:
        return None
    return Hypothesis.model_validate(
        {"edges": edges, "freq_equation": equation, "coefficients": coefficients}
    )


def _written(model: Model) -> tuple[str, dict[str, float]]:
    """Return a model's frequency equation in words, and its coefficients by name."""
    names, outcome = model.public.names, model.frequency
    if outcome is None:
        return "", {}
    coefficients, terms = {"base": model.base}, ["base"]
    for parent in outcome.parents:
        name = names[parent]
        if outcome.square:
            coefficients[f"c2_{name}"] = outcome.square[parent]
            terms.append(f"c2_{name}*{name}^2")
        coefficients[f"c_{name}"] = outcome.linear.get(parent, 0.0)
        terms.append(f"c_{name}*{name}")
    return f"{FREQUENCY} = {' + '.join(terms)}", coefficients


def typical_frequency(public: LabPublic) -> float:
    """Return the mean frequency of the crystals that were shown at the start."""
    seen: Sequence[float] = [r.frequency for r in (*public.records, public.manipulator)]
    return sum(seen) / len(seen)

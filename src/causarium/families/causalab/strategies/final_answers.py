"""What players say in the end: models, arrows, and the submission that goes with them."""

from collections.abc import Iterable

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.families.causalab.actions import Submit, Verify
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.evidence.infer_mechanism import Equation, Model
from causarium.families.causalab.evidence.notebook import Notebook
from causarium.families.causalab.instance import FREQUENCY, LabPublic
from causarium.families.causalab.mechanics.hypothesis import Hypothesis

_SLIGHT_HZ = 0.1
"""A property that can move the frequency by no more than this is left out of an equation."""
Arrows = Iterable[tuple[int, int]]
"""`(cause, effect)` pairs by index, the frequency last."""


def commit(model: Model, public: LabPublic, rules: Rules) -> Moves:
    """Verify where that is required, then submit what the model predicts."""
    value = model.predict(public.reactor)
    if value is None:
        value = compute_typical_frequency(public)
    yield from submit(value, hypothesis_of(model), public, rules)


def submit(value: float, hypothesis: Hypothesis | None, public: LabPublic, rules: Rules) -> Moves:
    """Verify `hypothesis` where that is required, then submit `value`."""
    if isinstance(rules, LabRules) and rules.verification == "required":
        yield Verify(hypothesis=hypothesis or Hypothesis())
    low, high = public.reactor_range
    yield Submit(value=min(max(value, low), high), hypothesis=hypothesis)


def add_arrows(model: Model, arrows: Arrows) -> Model:
    """Return a model of the frequency with arrows between properties from elsewhere."""
    count = len(model.public.properties)
    parents: list[dict[int, float]] = [{} for _ in range(count)]
    for cause, effect in arrows:
        if effect < count:
            parents[effect][cause] = 1.0
    return Model(model.public, tuple(map(Equation, parents)), model.frequency, model.base)


def hypothesis_of_arrows(public: LabPublic, arrows: Arrows) -> Hypothesis:
    """Return a hypothesis that draws arrows and gives no numbers."""
    names = public.nodes
    edges = [{"from": names[cause], "to": names[effect]} for cause, effect in sorted(set(arrows))]
    return Hypothesis.model_validate({"edges": edges})


def hypothesis_of(model: Model) -> Hypothesis | None:
    """Return what a model says as a hypothesis; None if it says nothing."""
    edges = [{"from": cause, "to": effect} for cause, effect in sorted(model.edges)]
    equation, coefficients = _write_equation(model)
    if not edges and not coefficients:
        return None
    return Hypothesis.model_validate(
        {"edges": edges, "freq_equation": equation, "coefficients": coefficients}
    )


def _write_equation(model: Model) -> tuple[str, dict[str, float]]:
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


def compute_typical_frequency(public: LabPublic) -> float:
    """Return the mean frequency of the crystals that were shown at the start."""
    shown = [reading.frequency for reading in (*public.records, public.manipulator)]
    return sum(shown) / len(shown)


def regress_frequency(public: LabPublic, notebook: Notebook, parents: Iterable[int]) -> Model:
    """Regress the frequency on `parents`; where readings leave it open, the least coefficients."""
    import numpy as np

    chosen = list(parents)
    table = np.array([sight.values for sight in notebook.sights if sight.calibrated])
    terms = table[:, chosen]
    squares = public.form == "quadratic"
    if squares:
        terms = np.hstack([terms, terms**2])
    scale = np.maximum(np.abs(terms).max(axis=0), 1.0)
    design = np.hstack([np.ones((len(terms), 1)), terms / scale])
    solution = np.linalg.lstsq(design, table[:, -1], rcond=1e-10)[0]
    weights = (solution[1:] / scale).round(6).tolist()
    size = np.abs(solution[1:]).reshape(-1, len(chosen)).max(axis=0) if chosen else []
    large = [i for i in range(len(chosen)) if size[i] > _SLIGHT_HZ]
    outcome = Equation(
        {chosen[i]: weights[i] for i in large},
        {chosen[i]: weights[i + len(chosen)] for i in large} if squares else {},
    )
    base = np.mean([row[-1] - outcome.sum_terms(row) for row in table.tolist()])
    return Model(public, (None,) * len(public.properties), outcome, round(float(base), 6))

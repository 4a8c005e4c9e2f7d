"""Who plays the paper edition without a model.

The scientist makes one intervention on each property of a linear mechanism,
which determines all of it. Squares need more levels of each property. A hidden disturbance is drawn
anew each time, so the scientist then uses the whole budget: large moves dwarf the disturbance, and
many average it out. It keeps its hypothesis in every turn and asserts only what its readings
determine.
"""

from collections.abc import Callable
from itertools import islice, product
from random import Random

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from ..evidence.infer_mechanism import Equation, Model, Notebook, infer
from ..levels import LabRules
from ..model.actions import Intervene, Submit, Verify
from ..model.hypothesis import Hypothesis
from ..model.instance import FREQUENCY, LabInstance, LabPublic, LabSecret
from .dialog_player import through_interface

_SLIGHT_HZ = 0.1
"""A property that can move the frequency by no more than this is left out of an equation."""


def commit(model: Model, public: LabPublic, rules: Rules) -> Moves:
    """Verify where that is required, then submit what the model predicts."""
    value = model.predict(public.reactor)
    if value is None:
        shown = [reading.frequency for reading in (*public.records, public.manipulator)]
        value = sum(shown) / len(shown)
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


def regress(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Regress the frequency on all properties, over the readings that share its base.

    Where readings leave it open, the least coefficients are taken.
    """
    import numpy as np

    count = len(public.properties)
    table = np.array([sight.values for sight in Notebook(public).sights])
    terms = table[:, :count]
    squares = public.form == "quadratic"
    if squares:
        terms = np.hstack([terms, terms**2])
    scale = np.maximum(np.abs(terms).max(axis=0), 1.0)
    design = np.hstack([np.ones((len(terms), 1)), terms / scale])
    solution = np.linalg.lstsq(design, table[:, -1], rcond=1e-10)[0]
    weights = (solution[1:] / scale).round(6).tolist()
    size = np.abs(solution[1:]).reshape(-1, count).max(axis=0)
    large = [node for node in range(count) if size[node] > _SLIGHT_HZ]
    outcome = Equation(
        {node: weights[node] for node in large},
        {node: weights[node + count] for node in large} if squares else {},
    )
    base = np.mean([row[-1] - outcome.sum_terms(row) for row in table.tolist()])
    model = Model(public, (None,) * count, outcome, round(float(base), 6))
    yield from commit(model, public, rules)


_RANDOM_VALUES = (0, 100)
"""Random interventions stay where the crystals' readings are."""


def act_at_random(public: LabPublic, rules: Rules, rng: Random) -> Moves:
    """Experiment at random, then submit what a random mechanism predicts."""
    for _ in range(rng.randint(0, public.budget)):
        node = rng.randrange(len(public.properties))
        value = float(rng.randint(*_RANDOM_VALUES))
        yield Intervene(property=public.names[node], value=value)
    nodes = list(range(len(public.properties)))
    rng.shuffle(nodes)
    nodes.append(len(nodes))
    arrows = [
        (cause, effect)
        for place, effect in enumerate(nodes)
        for cause in nodes[:place]
        if rng.random() < 0.5
    ]
    drawn = [Equation({c: 1.0 for c, effect in arrows if effect == node}) for node in sorted(nodes)]
    parents = drawn.pop().linear
    squares = public.form == "quadratic"
    outcome = Equation(
        {parent: float(rng.randint(1, 5)) for parent in parents},
        {parent: rng.randint(1, 20) / 1000 for parent in parents} if squares else {},
    )
    model = Model(public, tuple(drawn), outcome, float(rng.randint(0, 100)))
    yield from commit(model, public, rules)


QUADRATIC_LEVELS = (200.0, -100.0, 100.0, 0.0)
"""What each property of a quadratic mechanism is put to, round by round, budget permitting."""


def experiment_and_infer(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Put every property to a value once a round, infer, submit."""
    notebook = Notebook(public)
    model = infer(notebook)
    rounds = len(QUADRATIC_LEVELS) if public.form == "quadratic" else 1
    if public.hidden is not None:
        rounds = max(1, public.budget // len(public.properties))
    steps = product(range(rounds), range(len(public.properties)))
    for number, node in islice(steps, public.budget):
        value = _value_for(public, notebook.values[node], number)
        seen = yield Intervene(
            property=public.names[node], value=value, hypothesis=hypothesis_of(model)
        )
        if notebook.note(node, seen):
            model = infer(notebook)
    yield from commit(model, public, rules)


def _value_for(public: LabPublic, present: float, number: int) -> float:
    """Return what the scientist puts a property to that now reads `present`.

    Linear: the far end of what the manipulator can do, so that neither rounding nor a
    disturbance matters. Quadratic: one level a round, around the values that crystals have.
    """
    if public.form == "linear":
        return -public.limit if present > 0 else public.limit
    return QUADRATIC_LEVELS[number % len(QUADRATIC_LEVELS)]


def _say_the_truth(instance: LabInstance, rules: Rules, _rng: Random) -> Moves:
    public, secret = instance.public, instance.secret
    index = public.index

    def equation(node: str) -> Equation:
        into = [edge for edge in secret.edges if edge.effect == node]
        square = {index[e.cause]: e.square for e in into} if public.form == "quadratic" else {}
        return Equation({index[e.cause]: e.linear for e in into}, square)

    model = Model(
        public,
        tuple(equation(name) for name in public.names),
        equation(FREQUENCY),
        secret.base_frequency,
    )
    told = submit(secret.target, hypothesis_of(model), public, rules)
    return through_interface(told, public, rules)


def _player(
    about: str, plan: Callable[[LabPublic, Rules, Random], Moves], *, blind: bool = False
) -> Player[LabPublic, LabSecret]:
    def moves(public: LabPublic, rules: Rules, rng: Random) -> Moves:
        return through_interface(plan(public, rules, rng), public, rules)

    return Player(about=about, moves=moves, ignores_input=blind)


PLAYERS: dict[str, Player[LabPublic, LabSecret]] = {
    "oracle": Player(about="Knows the truth and says it.", moves_from_truth=_say_the_truth),
    "scientist": _player(
        "Experiments on every property it may, keeps every equation that fits, and answers by it.",
        experiment_and_infer,
    ),
    "regression": _player(
        "Regresses the frequency on what is shown at the start; never experiments.", regress
    ),
    "random": _player("Random experiments and a random answer.", act_at_random, blind=True),
    "silent": SILENT,
}
"""All players, by name."""

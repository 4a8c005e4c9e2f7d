"""Who plays CausaLab without a model.

All but the scientist act on what they are shown at the start, or on as many random experiments as
the budget allows (`random`, and the classical ones, which need a table with rows in it).
"""

from collections.abc import Callable, Generator, Iterable
from random import Random

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from causarium.families.causalab.actions import Intervene
from causarium.families.causalab.evidence.infer_mechanism import Equation, Model
from causarium.families.causalab.evidence.notebook import Notebook
from causarium.families.causalab.instance import FREQUENCY, LabInstance, LabPublic, LabSecret
from causarium.families.causalab.strategies.dialog_player import through_interface
from causarium.families.causalab.strategies.scientist import (
    commit,
    hypothesis_of,
    scientist_plan,
    submit,
)
from causarium.players.causal_discovery import Discovery, discover
from causarium.players.silent import SILENT
from causarium.scm.dag import is_acyclic

_RANDOM_VALUES = (0, 100)
"""Random interventions stay where the crystals' base values are."""
_SLIGHT_HZ = 1e-6
"""A property that can move the frequency by no more than this is left out of an equation."""


def _oracle_plan(instance: LabInstance, rules: Rules, _rng: Random) -> Moves:
    public, secret = instance.public, instance.secret
    index = {name: i for i, name in enumerate(public.nodes)}

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
    plan = submit(secret.target, hypothesis_of(model), public, rules)
    return through_interface(plan, public, rules)


def _regression(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    model = regressed(public, Notebook(public), range(len(public.properties)))
    yield from commit(model, public, rules)


def _sorter(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Take what spreads wider for an effect of what spreads less, and regress the frequency.

    Weights of one and more make it so that effects spread wider than their causes. Whoever sorts
    by spread knows most directions without having understood anything.
    """
    readings = [*public.records, public.manipulator]
    tables = [*(reading.values for reading in readings), public.reactor]
    spread = [max(column) - min(column) for column in zip(*tables, strict=True)]
    nodes = sorted(range(len(spread)), key=lambda node: spread[node])
    edges = [(cause, effect) for place, effect in enumerate(nodes) for cause in nodes[:place]]
    model = regressed(public, Notebook(public), range(len(public.properties)))
    yield from submit_model(model, edges, public, rules)


def regressed(public: LabPublic, notebook: Notebook, parents: Iterable[int]) -> Model:
    """Regress the frequency on `parents` over all readings; where they leave it open, the least."""
    import numpy as np

    chosen = list(parents)
    table = np.array([sight.values for sight in notebook.sights if sight.calibrated])
    terms = table[:, chosen]
    squares = public.form == "quadratic"
    if squares:
        terms = np.hstack([terms, terms**2])
    scale = np.maximum(np.abs(terms).max(axis=0), 1.0)
    design = np.hstack([np.ones((len(terms), 1)), terms / scale])
    found = np.linalg.lstsq(design, table[:, -1], rcond=1e-10)[0]
    weights = (found[1:] / scale).round(6).tolist()
    size = np.abs(found[1:]).reshape(-1, len(chosen)).max(axis=0) if chosen else []
    kept = [i for i in range(len(chosen)) if size[i] > _SLIGHT_HZ]
    outcome = Equation(
        {chosen[i]: weights[i] for i in kept},
        {chosen[i]: weights[i + len(chosen)] for i in kept} if squares else {},
    )
    base = np.mean([row[-1] - outcome.added(row) for row in table.tolist()])
    return Model(public, (None,) * len(public.properties), outcome, round(float(base), 6))


def _classical(algorithm: str) -> Callable[[LabPublic, Rules, Random], Moves]:
    def plan(public: LabPublic, rules: Rules, rng: Random) -> Moves:
        notebook = yield from _random_experiments(public, rng, public.budget)
        found = discover(algorithm, [sight.values for sight in notebook.sights])
        edges = _arrows(public, found)
        outcome = len(public.properties)
        parents = [cause for cause, effect in edges if effect == outcome]
        model = regressed(public, notebook, parents)
        yield from submit_model(model, edges, public, rules)

    return plan


def _arrows(public: LabPublic, found: Discovery) -> list[tuple[int, int]]:
    """Return the arrows of a discovery that make sense here: no cycle, none from a mere outcome."""
    outcome = len(public.properties)
    given = list(found.directed)
    if not public.frequency_may_cause:
        # That the frequency is the outcome is told, so an open edge at it has a direction.
        given = [(cause, effect) for cause, effect in given if cause != outcome]
        given += [(one, other) for one, other in found.undirected if other == outcome]
    kept: list[tuple[int, int]] = []
    for edge in given:
        masks = [0] * (outcome + 1)
        for cause, effect in (*kept, edge):
            masks[effect] |= 1 << cause
        if is_acyclic(tuple(masks)):
            kept.append(edge)
    return kept


def _random_experiments(
    public: LabPublic, rng: Random, count: int
) -> Generator[Action, Observation, Notebook]:
    notebook = Notebook(public)
    for _ in range(count):
        node = rng.randrange(len(public.properties))
        value = float(rng.randint(*_RANDOM_VALUES))
        seen = yield Intervene(property=public.names[node], value=value)
        notebook.note(node, value, seen)
    return notebook


def _random(public: LabPublic, rules: Rules, rng: Random) -> Moves:
    yield from _random_experiments(public, rng, rng.randint(0, public.budget))
    nodes = list(range(len(public.properties)))
    rng.shuffle(nodes)
    nodes.append(len(nodes))
    edges = [
        (cause, effect)
        for place, effect in enumerate(nodes)
        for cause in nodes[:place]
        if rng.random() < 0.5
    ]
    parents = [cause for cause, effect in edges if effect == nodes[-1]]
    squares = public.form == "quadratic"
    outcome = Equation(
        {parent: float(rng.randint(1, 5)) for parent in parents},
        {parent: rng.randint(1, 20) / 1000 for parent in parents} if squares else {},
    )
    model = Model(public, (None,) * (len(nodes) - 1), outcome, float(rng.randint(0, 100)))
    yield from submit_model(model, edges, public, rules)


def submit_model(
    model: Model, edges: Iterable[tuple[int, int]], public: LabPublic, rules: Rules
) -> Moves:
    """Submit what a frequency equation predicts, with arrows from elsewhere beside its own."""
    count = len(public.properties)
    into: list[dict[int, float]] = [{} for _ in range(count)]
    for cause, effect in edges:
        if effect < count:
            into[effect][cause] = 1.0
    equations = tuple(Equation(parents) for parents in into)
    yield from commit(Model(public, equations, model.frequency, model.base), public, rules)


def _player(
    about: str, plan: Callable[[LabPublic, Rules, Random], Moves], *, blind: bool = False
) -> Player[LabPublic, LabSecret]:
    def played(public: LabPublic, rules: Rules, rng: Random) -> Moves:
        return through_interface(plan(public, rules, rng), public, rules)

    return Player(about=about, moves=played, ignores_input=blind)


PLAYERS: dict[str, Player[LabPublic, LabSecret]] = {
    "oracle": Player(about="Knows the truth and says it.", moves_from_truth=_oracle_plan),
    "scientist": Player(
        about="Puts every property to values in turn and infers the mechanism from what moves.",
        moves=scientist_plan,
    ),
    "regression": _player(
        "Regresses the frequency on what is shown at the start; never experiments.", _regression
    ),
    "sorter": _player(
        "Takes what spreads wider for the effect of what spreads less; never experiments.", _sorter
    ),
    "pc": _player(
        "Random experiments, then the PC algorithm on all readings (needs causal-learn).",
        _classical("pc"),
    ),
    "ges": _player(
        "Random experiments, then the GES algorithm on all readings (needs causal-learn).",
        _classical("ges"),
    ),
    "random": _player(
        "Random experiments, a random mechanism, and what it predicts.", _random, blind=True
    ),
    "silent": SILENT,
}
"""All players, by name."""

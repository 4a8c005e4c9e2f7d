"""Players that experiment at random: a guesser, and classical algorithms on what they saw."""

from collections.abc import Callable, Generator
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from causarium.families.causalab.actions import Intervene
from causarium.families.causalab.evidence.infer_mechanism import Equation, Model
from causarium.families.causalab.evidence.notebook import Notebook
from causarium.families.causalab.instance import LabPublic
from causarium.families.causalab.strategies.final_answers import (
    add_arrows,
    commit,
    regress_frequency,
)
from causarium.players.causal_discovery import Discovery, discover
from causarium.scm.dag import is_acyclic

_RANDOM_VALUES = (0, 100)
"""Random interventions stay where the crystals' readings are."""


def run_algorithm(algorithm: str) -> Callable[[LabPublic, Rules, Random], Moves]:
    """Return a plan that experiments at random and lets an algorithm find the arrows."""

    def make_moves(public: LabPublic, rules: Rules, rng: Random) -> Moves:
        notebook = yield from _experiment(public, rng, public.budget)
        rows = [sight.values for sight in notebook.sights]
        arrows = _sensible_arrows(public, discover(algorithm, rows))
        outcome = len(public.properties)
        parents = [cause for cause, effect in arrows if effect == outcome]
        model = regress_frequency(public, notebook, parents)
        yield from commit(add_arrows(model, arrows), public, rules)

    return make_moves


def _sensible_arrows(public: LabPublic, discovery: Discovery) -> list[tuple[int, int]]:
    """Return the arrows of a discovery that make sense here: no cycle, none from a mere outcome."""
    outcome = len(public.properties)
    given = list(discovery.directed)
    if not public.frequency_may_cause:
        # That the frequency is the outcome is told, so an open edge at it has a direction.
        given = [(cause, effect) for cause, effect in given if cause != outcome]
        given += [(cause, node) for cause, node in discovery.undirected if node == outcome]
    arrows: list[tuple[int, int]] = []
    for arrow in given:
        masks = [0] * (outcome + 1)
        for cause, effect in (*arrows, arrow):
            masks[effect] |= 1 << cause
        if is_acyclic(tuple(masks)):
            arrows.append(arrow)
    return arrows


def _experiment(
    public: LabPublic, rng: Random, count: int
) -> Generator[Action, Observation, Notebook]:
    notebook = Notebook(public)
    for _ in range(count):
        node = rng.randrange(len(public.properties))
        value = float(rng.randint(*_RANDOM_VALUES))
        seen = yield Intervene(property=public.names[node], value=value)
        notebook.note(node, value, seen)
    return notebook


def act_at_random(public: LabPublic, rules: Rules, rng: Random) -> Moves:
    """Experiment at random, then submit what a random mechanism predicts."""
    yield from _experiment(public, rng, rng.randint(0, public.budget))
    nodes = list(range(len(public.properties)))
    rng.shuffle(nodes)
    nodes.append(len(nodes))
    arrows = [
        (cause, effect)
        for place, effect in enumerate(nodes)
        for cause in nodes[:place]
        if rng.random() < 0.5
    ]
    parents = [cause for cause, effect in arrows if effect == nodes[-1]]
    squares = public.form == "quadratic"
    outcome = Equation(
        {parent: float(rng.randint(1, 5)) for parent in parents},
        {parent: rng.randint(1, 20) / 1000 for parent in parents} if squares else {},
    )
    model = Model(public, (None,) * (len(nodes) - 1), outcome, float(rng.randint(0, 100)))
    yield from commit(add_arrows(model, arrows), public, rules)

"""Players that act, and then take an easy way: draw what moved or is needed, regress, copy."""

from collections.abc import Generator
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from causarium.families.causalab.actions import Intervene
from causarium.families.causalab.evidence.experiment_plans import follow
from causarium.families.causalab.evidence.infer_mechanism import Equation, Model
from causarium.families.causalab.evidence.notebook import Notebook
from causarium.families.causalab.generation.skeletons import find_needed_arrows
from causarium.families.causalab.instance import LabPublic
from causarium.families.causalab.strategies.few_acts import read_effects
from causarium.families.causalab.strategies.final_answers import (
    Arrows,
    add_arrows,
    commit,
    hypothesis_of_arrows,
    regress_frequency,
    submit,
)
from causarium.families.causalab.strategies.scientist import intervene, rounds_of
from causarium.scm.dag import Dag, is_acyclic

ASIDE = 0.02
"""How far beside the reactor's values a copy is put: a search for leaks would take a reading that
is the target to the last digit for one."""
_NEAR = 0.006


def _experiment(public: LabPublic, rounds: int) -> Generator[Action, Observation, Notebook]:
    notebook = Notebook(public)
    for number, node in list(follow(public, rounds))[: public.budget]:
        yield from intervene(notebook, node, number)
    return notebook


def _effects(notebook: Notebook) -> dict[tuple[int, int], float]:
    """Return the total effect of each property on each node that moved with it."""
    disturbed = notebook.public.hidden is not None
    effects: dict[tuple[int, int], float] = {}
    for sight in notebook.sights:
        read = read_effects(sight, disturbed=disturbed)
        if read is not None:
            moved = {node: e for node, e in enumerate(read.total) if e and node != read.node}
            effects |= {(read.node, node): effect for node, effect in moved.items()}
    return effects


def _moved_arrows(public: LabPublic, notebook: Notebook) -> list[tuple[int, int]]:
    """Return an arrow for everything that moved, as long as they form no cycle."""
    arrows: list[tuple[int, int]] = []
    for arrow in sorted(_effects(notebook)):
        if _masks(public, [*arrows, arrow]) is not None:
            arrows.append(arrow)
    return arrows


def _masks(public: LabPublic, arrows: Arrows) -> tuple[int, ...] | None:
    masks = [0] * len(public.nodes)
    for cause, effect in arrows:
        masks[effect] |= 1 << cause
    return tuple(masks) if is_acyclic(tuple(masks)) else None


def draw_all_that_moved(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Move each property once; what moved with it is its child, by as much as it moved."""
    notebook = yield from _experiment(public, 1)
    arrows, effects = _moved_arrows(public, notebook), _effects(notebook)
    outcome = len(public.properties)
    weights = {cause: effects[cause, effect] for cause, effect in arrows if effect == outcome}
    equation = Equation(weights, dict.fromkeys(weights, 0.0) if public.form == "quadratic" else {})
    start = public.manipulator
    base = start.frequency - equation.sum_terms(start.values)
    model = Model(public, (None,) * outcome, equation, base)
    yield from commit(add_arrows(model, arrows), public, rules)


def draw_only_what_is_needed(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Move each property once; draw no arrow where a longer path explains what moved."""
    notebook = yield from _experiment(public, 1)
    hypothesis = hypothesis_of_arrows(public, _find_needed_arrows(public, notebook))
    yield from submit(public.manipulator.frequency, hypothesis, public, rules)


def _find_needed_arrows(public: LabPublic, notebook: Notebook) -> list[tuple[int, int]]:
    return sorted(find_needed_arrows(Dag.of(len(public.nodes), _moved_arrows(public, notebook))))


def regress_after_acting(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Experiment enough, regress the frequency, and draw what is needed among the properties."""
    notebook = yield from _experiment(public, rounds_of(public))
    model = regress_frequency(public, notebook, range(len(public.properties)))
    yield from commit(add_arrows(model, _find_needed_arrows(public, notebook)), public, rules)


def copy_the_reactor(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Put what differs to what the reactor reads until nothing does; submit what is read then."""
    notebook = Notebook(public)
    wanted = [value + ASIDE for value in public.reactor]
    for _ in range(public.budget):
        apart = [i for i, x in enumerate(wanted) if abs(notebook.values[i] - x) > _NEAR]
        if not apart:
            break
        node = min(apart, key=lambda i: _times_moved(notebook, i))
        seen = yield Intervene(property=public.names[node], value=wanted[node])
        if not notebook.note(node, wanted[node], seen):
            break
    hypothesis = hypothesis_of_arrows(public, _moved_arrows(public, notebook))
    yield from submit(notebook.values[-1], hypothesis, public, rules)


def _times_moved(notebook: Notebook, node: int) -> int:
    return sum(sight.target == node for sight in notebook.sights)

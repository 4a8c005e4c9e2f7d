"""Players that know the law of the draw and intervene less often than is needed."""

from itertools import combinations
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.families.causalab.evidence.experiment_plans import follow
from causarium.families.causalab.evidence.infer_mechanism import (
    ROUNDING,
    Equation,
    Model,
    differences,
)
from causarium.families.causalab.evidence.notebook import Notebook, Sight
from causarium.families.causalab.instance import LabPublic
from causarium.families.causalab.strategies.final_answers import (
    commit,
    hypothesis_of_arrows,
    submit,
)
from causarium.families.causalab.strategies.law_posterior import Effects, Posterior
from causarium.families.causalab.strategies.scientist import intervene, rounds_of
from causarium.scm.dag import is_acyclic

_NOISE = 0.05
"""Under a disturbance, what moved less than this share of the push did not move."""


def act_once(public: LabPublic, rules: Rules, rng: Random) -> Moves:
    """Make one intervention, and say what is likeliest then by the law of the draw."""
    notebook = Notebook(public)
    effects = None
    if public.budget and (yield from intervene(notebook, rng.randrange(len(public.names)), 0)):
        effects = read_effects(notebook.sights[-1], disturbed=public.hidden is not None)
    posterior = Posterior(public, effects)
    hypothesis = hypothesis_of_arrows(public, posterior.likeliest_arrows())
    yield from submit(posterior.likeliest_frequency(), hypothesis, public, rules)


def read_effects(sight: Sight, *, disturbed: bool) -> Effects | None:
    """Return the total effects that one intervention showed; None if it moved nothing."""
    node, before = sight.target, sight.before
    if node is None or before is None or sight.values[node] == before[node]:
        return None
    push = sight.values[node] - before[node]
    total = [(value - was) / push for value, was in zip(sight.values, before, strict=True)]
    least = _NOISE if disturbed else 0.0
    return Effects(node, tuple(effect if abs(effect) > least else 0.0 for effect in total))


def act_once_too_seldom(public: LabPublic, rules: Rules, rng: Random) -> Moves:
    """Experiment as the scientist does, but never on one of the properties."""
    notebook = Notebook(public)
    skipped = rng.randrange(len(public.properties))
    steps = [step for step in follow(public, rounds_of(public)) if step[1] != skipped]
    for number, node in steps[: public.budget]:
        yield from intervene(notebook, node, number)
    yield from commit(explain_simply(notebook), public, rules)


def explain_simply(notebook: Notebook) -> Model:
    """Explain every node by the fewest parents that do, as far as arrows stay without a cycle."""
    public = notebook.public
    count = len(public.properties)
    masks = [0] * (count + 1)
    equations: list[Equation] = []
    for node in (count, *range(count)):
        equation = _fewest_parents(notebook, node, masks)
        masks[node] = sum(1 << parent for parent in equation.parents)
        equations.append(equation)
    start = (*public.manipulator.values, public.manipulator.frequency)
    outcome = equations[0]
    return Model(public, tuple(equations[1:]), outcome, start[-1] - outcome.sum_terms(start))


def _fewest_parents(notebook: Notebook, node: int, masks: list[int]) -> Equation:
    import numpy as np

    public = notebook.public
    squares = public.form == "quadratic"
    others = [p for p in range(len(public.properties)) if p != node]
    design, wanted = differences(notebook.sights, node, others, squares=squares)
    if not len(wanted):
        return Equation()
    scale = np.maximum(np.abs(design).max(axis=0), 1e-9)
    within = ROUNDING + 1e-9 * float(np.abs(wanted).max())
    if public.hidden is not None:
        within += 2 * max(map(abs, public.hidden.values), default=0.0)
    for size in range(len(others) + 1):
        for chosen in combinations(range(len(others)), size):
            if _closes_cycle(masks, node, [others[i] for i in chosen]):
                continue
            columns = [*chosen, *(i + len(others) for i in chosen)] if squares else list(chosen)
            part = design[:, columns] / scale[columns]
            solution = np.linalg.lstsq(part, wanted, rcond=1e-10)[0] if columns else np.empty(0)
            left = np.abs(part @ solution - wanted).max() if columns else np.abs(wanted).max()
            if left <= within:
                weights = (solution / scale[columns]).tolist()
                parents = [others[i] for i in chosen]
                return Equation(
                    dict(zip(parents, weights[:size], strict=True)),
                    dict(zip(parents, weights[size:], strict=True)) if squares else {},
                )
    return Equation()


def _closes_cycle(masks: list[int], node: int, parents: list[int]) -> bool:
    tried = list(masks)
    tried[node] = sum(1 << parent for parent in parents)
    return not is_acyclic(tuple(tried))

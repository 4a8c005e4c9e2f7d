"""Problems in which worlds are asked for: the start, the budget, and a plan that is sure to do.

The plan is found by asking: of many random questions the one is taken whose answer closes most of
what is open in the proof, until nothing is; questions that turn out not to be needed are dropped.
It is a certified number of worlds that suffices, not the smallest there is.
"""

from collections.abc import Sequence
from random import Random
from typing import cast

import numpy as np

from causarium.errors import ContractError
from causarium.families.replayscm.config import FAMILY_NAME
from causarium.families.replayscm.evidence.boolean_view import admissible
from causarium.families.replayscm.generation.published_problems import Problem
from causarium.families.replayscm.instance import Ask, AskedWorld, ReplayInstance
from causarium.families.replayscm.world import asked_world
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.propose_worlds import World
from causarium.scm.boolean.row_evidence import Words
from causarium.scm.boolean.select_worlds import Goal
from causarium.scm.dag import bits
from causarium.seeds import stream

MAX_TARGETS = 4
"""How many variables a question may set: enough to bring about any pattern of four parents."""
WORLDS_PER_VARIABLE = 4
"""How many worlds may be asked for, for each variable."""
_TRIED = 48


def interactive(instance: ReplayInstance, problem: Problem) -> ReplayInstance:
    """Return the problem as one that shows one world and lets others be asked for.

    Raises:
        ContractError: No plan within the budget was found.
    """
    start = instance.public.train[:1]
    budget = WORLDS_PER_VARIABLE * problem.latent.n
    moves = _plan(instance, problem, stream(0, FAMILY_NAME, "plan", instance.id))
    if len(moves) > budget:
        raise ContractError(f"the plan for {instance.id} asks for {len(moves)} of {budget} worlds")
    plan = tuple(AskedWorld(constant=move.constant, assigned=move.assigned) for move in moves)
    public = {"train": start, "budget": budget, "max_targets": MAX_TARGETS}
    return instance.model_copy(
        update={
            "public": instance.public.model_copy(update=public),
            "secret": instance.secret.model_copy(update={"plan": plan}),
        }
    )


def _plan(instance: ReplayInstance, problem: Problem, rng: Random) -> list[Ask]:
    scm = problem.latent.scm
    goal = Goal.unique(scm, admissible(instance.public))
    first = goal.shown(World(problem.train[0].rows, problem.train[0].targets))
    chosen: list[tuple[Ask, Words]] = []
    seen = first
    while not goal.reached(seen):
        still_open = goal.open(Known(goal.admissible, seen))
        moves = [_question(problem, still_open, goal, rng) for _ in range(_TRIED)]
        shown = [_shown(instance, scm, goal, move) for move in moves]
        gains = [_gain(goal, seen, still_open, words) for words in shown]
        best = int(np.argmax(gains))
        if gains[best]:
            chosen.append((moves[best], shown[best]))
            seen = cast("Words", seen | shown[best])
    return _needed(goal, first, chosen)


def _question(problem: Problem, still_open: Words, goal: Goal, rng: Random) -> Ask:
    """Return a random question, every second time about variables that are open."""
    variables, n = problem.latent.variables, problem.latent.n
    pool = list(range(n))
    if rng.random() < 0.5:
        rows, sets = np.nonzero(still_open)
        place = rng.randrange(len(rows))
        pool = list(bits(int(goal.admissible.layout.parents[rows[place], sets[place]])))
    chosen = sorted(rng.sample(pool, min(len(pool), rng.randint(1, MAX_TARGETS))))
    names = tuple(variables[i] for i in chosen)
    if rng.random() < 0.8:
        return Ask(assigned=names)
    return Ask(constant={name: rng.getrandbits(1) for name in names})


def _shown(instance: ReplayInstance, scm: BooleanScm, goal: Goal, move: Ask) -> Words:
    panel = asked_world(instance, scm, move)
    return goal.shown(World(panel.rows, panel.targets))


def _gain(goal: Goal, seen: Words, still_open: Words, shown: Words) -> int:
    """Count what is no longer open: patterns that are shown, and all of a set that is refuted."""
    layout = goal.admissible.layout
    after = seen | shown
    refuted = after & after >> layout.shift & layout.low != 0
    closed = np.where(refuted, still_open, shown & still_open)
    return int(np.bitwise_count(closed).sum())


def _needed(goal: Goal, first: Words, chosen: Sequence[tuple[Ask, Words]]) -> list[Ask]:
    """Drop questions without which the rest still leaves one model, early ones first."""
    kept = list(chosen)
    for pair in chosen:
        rest = [other for other in kept if other is not pair]
        seen = first
        for _, words in rest:
            seen = cast("Words", seen | words)
        if goal.reached(seen):
            kept = rest
    return [move for move, _ in kept]

"""Asking for worlds one by one: what the players do where evidence has to be asked for.

The simplest model that fits so far is taken for the truth, and what a proof of that would still
lack is found. Of some questions drawn at random the one is asked whose answer, if it is the truth,
would close most of it. If it is not, the answer shows that, and another model takes its place.
Asking ends when the proof lacks nothing: then one model is left, whatever was thought on the way.
"""

from collections.abc import Generator
from functools import lru_cache
from random import Random
from typing import Any, cast

import numpy as np

from causarium.contract.world import Observation
from causarium.families.replayscm.config import FAMILY_NAME
from causarium.families.replayscm.evidence.boolean_view import admissible, evidence
from causarium.families.replayscm.instance import Ask, ReplayPublic
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.propose_worlds import World
from causarium.scm.boolean.row_evidence import Evidence, Words
from causarium.scm.boolean.select_worlds import Goal
from causarium.scm.boolean.simplest_model import simplest_known
from causarium.scm.dag import bits, mask_of
from causarium.seeds import stream

Inquiry = Generator[Ask, Observation, Evidence]
"""Yields questions, is sent what they show, returns all evidence."""

_QUESTIONS = 24
_ROWS = 12


def inquire(public: ReplayPublic) -> Inquiry:
    """Ask until one model is left; where nothing can be asked for, ask nothing."""
    found = evidence(public.train, public.variables)
    for _ in range(public.budget):
        rows, targets = tuple(found.rows.tolist()), tuple(found.targets.tolist())
        chosen = _next(public.model_dump_json(), rows, targets)
        if chosen is None:
            break
        seen = yield Ask(assigned=tuple(public.variables[i] for i in bits(chosen)))
        if not seen.data:
            break
        found = found + _shown(seen, public)
    return found


@lru_cache(maxsize=1024)
def _next(told: str, rows: tuple[int, ...], targets: tuple[int, ...]) -> int | None:
    """Return the targets of the next question; None if nothing is left to ask.

    It depends on the problem and on what was seen alone, and is remembered for a while: all
    players ask the same, through every interface.
    """
    public = ReplayPublic.model_validate_json(told)
    limits = admissible(public)
    known = Known.of(Evidence.of(len(public.variables), rows, targets), limits)
    solution = simplest_known(known)
    if solution is None:
        return None
    goal = Goal.unique(solution.scm, limits)
    lacking = goal.open(known)
    if not lacking.any():
        return None
    rng = stream(0, FAMILY_NAME, "inquiry", told, len(rows))
    drawn = _drawn(public, lacking, goal, set(targets), rng)
    return max(drawn, key=lambda chosen: _gain(goal, known, lacking, chosen, rng))


def _drawn(
    public: ReplayPublic, lacking: Words, goal: Goal, asked: set[int], rng: Random
) -> list[int]:
    """Draw sets of targets, half of them among parents of which something is lacking."""
    n, most = len(public.variables), max(public.max_targets, 1)
    variables, sets = np.nonzero(lacking)
    found = []
    for _ in range(_QUESTIONS):
        pool = list(range(n))
        if rng.random() < 0.5:
            place = rng.randrange(len(sets))
            pool = list(bits(int(goal.admissible.layout.parents[variables[place], sets[place]])))
        found.append(mask_of(rng.sample(pool, min(rng.randint(1, most), len(pool)))))
    # A question that was asked before would show the same rows again.
    return [targets for targets in found if targets not in asked] or found


def _gain(goal: Goal, known: Known, lacking: Words, targets: int, rng: Random) -> int:
    """Count what a world would close: patterns it shows, and all of a set that it refutes."""
    shown = goal.shown(_imagined(goal.scm, targets, rng))
    layout = goal.admissible.layout
    after = known.seen | shown
    refuted = after & after >> layout.shift & layout.low != 0
    return int(np.bitwise_count(np.where(refuted, lacking, shown & lacking)).sum())


def _imagined(scm: BooleanScm, targets: int, rng: Random) -> World:
    rows = (rng.randrange(1 << scm.n) for _ in range(_ROWS))
    return World(tuple(scm.run(row, targets) for row in rows), targets)


def _shown(seen: Observation, public: ReplayPublic) -> Evidence:
    shown = cast("dict[str, Any]", seen.data)
    targets = mask_of(public.variables.index(name) for name in shown["targets"])
    rows = [mask_of(i for i, value in enumerate(row) if value) for row in shown["rows"]]
    return Evidence.of(len(public.variables), rows, [targets] * len(rows))

"""The verdict on a twin pair, from the instance and the recorded turns alone.

Every number of a mission is exact: fleets are scored by what their design survives in expectation,
so no luck enters. What is given for the pair is the mean of both missions; `pair_win` is 1 if both
were won. A mission without a design has survival 0 and is lost.
"""

from collections.abc import Sequence
from math import nan
from statistics import fmean

from causarium.contract.metric import SLIPS
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import TwinInstance
from causarium.families.causalgame.interface.twin_tables import describe_design
from causarium.families.causalgame.scoring.computed_rubric import grade_by_code
from causarium.families.causalgame.scoring.pair_marks import PairMarks, mark_mission
from causarium.families.causalgame.scoring.question_scores import grade_answers
from causarium.families.causalgame.scoring.replayed_pair import ReplayedPair, replay_pair
from causarium.families.causalgame.scoring.rubric import WORTH, criteria

OUTCOMES = {2: "both won", 1: "one won", 0: "both lost"}


def score_pair(instance: TwinInstance, rules: GameRules, turns: Sequence[Turn]) -> Verdict:
    """Score a twin pair, without a judge."""
    pair = replay_pair(instance, rules, turns)
    marks = [mark_mission(instance, mission) for mission in (0, 1)]
    missions = pair.world.missions
    wins = sum(mission.won for mission in missions)
    committed = [mission.committed for mission in missions]
    outcome = OUTCOMES[wins] if any(committed) else "nothing submitted"
    designs = [describe_design(instance.public, design) for design in committed if design]
    return Verdict(
        numbers={**_fleet_numbers(pair, marks), **_effort_numbers(pair), **_belief_numbers(pair)},
        labels={"outcome": outcome},
        answer=" | ".join(designs) or None,
        explanation=_explain(pair, marks),
    )


def _fleet_numbers(pair: ReplayedPair, marks: Sequence[PairMarks]) -> dict[str, float]:
    missions = pair.world.missions
    rates = [mission.survival or 0.0 for mission in missions]
    return {
        "survival": fmean(rates),
        "survival_low": nan,
        "survival_high": nan,
        "win": fmean(float(mission.won) for mission in missions),
        "gain": fmean(mark.gain(rate) for mark, rate in zip(marks, rates, strict=True)),
        "pair_win": float(all(mission.won for mission in missions)),
        "expected": fmean(rates),
        "margin": fmean(rates) - pair.world.public.threshold,
    }


def _effort_numbers(pair: ReplayedPair) -> dict[str, float]:
    world = pair.world
    designs = {(mission, d.order.design) for _, mission, d in pair.deployments}
    return {
        "drones": float(sum(mission.ordered for mission in world.missions)),
        "effort": world.spent / world.budget,
        "deployments": float(len(pair.deployments)),
        "designs": float(len(designs)),
        "queries": float(sum(mission.tables for mission in world.missions)),
        "refusals": float(pair.refusals),
        "unread": float(pair.unread),
        SLIPS: float(pair.slips),
    }


def _belief_numbers(pair: ReplayedPair) -> dict[str, float]:
    secret = pair.world.instance.secret
    graded = grade_answers(pair.world.questions, secret.twins, pair.world.answers)
    grades = grade_by_code(pair)
    if grades is None:
        return {**graded, "rubric_computed": nan}
    weights = {criterion.id: criterion.weight for criterion in criteria()}
    points = sum(weights[name] * WORTH[grade] for name, grade in grades.items())
    return {**graded, "rubric_computed": float(points)}


def _explain(pair: ReplayedPair, marks: Sequence[PairMarks]) -> str:
    lines = []
    for mission, mark in zip(pair.world.missions, marks, strict=True):
        scale = f"the standard {mark.standard:.1%}, the optimum {mark.best:.1%}"
        rate = mission.survival
        fate = "no design" if rate is None else f"{rate:.1%}, {'won' if mission.won else 'lost'}"
        lines.append(f"Mission {mission.number + 1}: {fate} ({scale}).")
    return " ".join([*lines, f"Threshold {pair.world.public.threshold:.1%}."])

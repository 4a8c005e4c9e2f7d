"""The verdict on one expedition, from the instance and the recorded turns alone.

Designs are judged by the fleet's exact expected returns, so luck does not enter.
Answers are graded by the Brier score against the prior: each part raises or lowers returns with
chance one half.
"""

from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path
from statistics import fmean
from typing import Any

from causarium.contract.turn import Turn
from causarium.contract.verdict import SLIPS, Verdict, read_metrics
from ..mechanics.expeditions import (
    find_best_design,
    find_fleet_chance,
    find_fleet_gauge,
    find_lean,
)
from ..model.actions import ACTIONS
from ..model.expeditions import (
    ANSWERS,
    Expedition,
    Fitted,
    HiddenLeg,
    Leg,
)
from ..play.expeditions.replies import read_chances
from ..play.expeditions.world import ExpeditionWorld, write_design
from ..shared.rules import GameRules

METRICS = read_metrics(Path(__file__).parents[1] / "metrics.toml")["expeditions"]
"""Every number of a verdict."""
KINDS = ("dial", "line", "roster", "depot")
PRIOR_BRIER = 0.5
"""What the prior earns on a question: one half on each of two answers."""


def replay_expedition(
    instance: Expedition, rules: GameRules, turns: Sequence[Turn]
) -> ExpeditionWorld:
    """Play recorded turns again, and return how the world then stands."""
    world = ExpeditionWorld(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    return world


def score_expedition(instance: Expedition, rules: GameRules, turns: Sequence[Turn]) -> Verdict:
    """Score one expedition."""
    world = replay_expedition(instance, rules, turns)
    legs = list(zip(instance.public.legs, instance.secret.legs, strict=True))
    designs = world.committed or {}
    right = [is_best(leg, hidden, designs.get(leg.name)) for leg, hidden in legs]
    numbers = {
        "win": float(all(right)),
        "legs": fmean(right),
        **{f"legs_{kind}": _share(legs, right, kind) for kind in KINDS},
        **_grade_answers(legs, world.answers, questioned=rules.claims and bool(designs)),
        "right_step": find_right_steps(world),
        "asked": float(world.was_asked),
        "drones": float(world.spent),
        "orders": float(len(world.range.flown)),
        "refusals": float(sum(not turn.legal for turn in turns)),
        "unread": float(sum(turn.unparsed is not None for turn in turns)),
        SLIPS: float(sum(bool(t.unparsed or (t.action or {}).get("mended")) for t in turns)),
    }
    outcome = "nothing sent" if not designs else "won" if all(right) else "lost"
    chosen = (f"{leg.name}: {write_design(leg, designs[leg.name])}" for leg, _ in legs)
    return Verdict(
        numbers=numbers,
        labels={"outcome": outcome},
        answer="; ".join(chosen) if designs else None,
        explanation=_explain(legs, designs, right),
    )


def is_best(leg: Leg, hidden: HiddenLeg, fitted: Fitted | None) -> bool:
    """Whether no design of a leg brings more of the fleet home."""
    if fitted is None:
        return False
    best = find_best_design(leg, hidden)
    return find_fleet_chance(leg, hidden, fitted) == find_fleet_chance(leg, hidden, best)


def _share(legs: Sequence[tuple[Leg, HiddenLeg]], right: Sequence[bool], kind: str) -> float:
    own = [good for (leg, _), good in zip(legs, right, strict=True) if leg.kind == kind]
    return fmean(own) if own else nan


def find_right_steps(world: ExpeditionWorld) -> float:
    """Return the share of flown legs on which the step was taken that tells the faces apart.

    On a dial that is a fitted flight with the reading that matters set, on a line one with the
    fleet's gauge set, on a roster an order with the log; the hangar is not asked for.
    """
    steps = []
    for leg, hidden in zip(world.public.legs, world.instance.secret.legs, strict=True):
        if leg.kind == "depot":
            continue
        telling = hidden.active
        if leg.kind == "line":
            telling = find_fleet_gauge(leg, hidden)
        steps.append(
            any(
                one.order.log
                if leg.kind == "roster"
                else one.setting == telling
                and any(find_lean(leg, design) and count for design, count in one.ordered.items())
                for one in world.range.flown
                if one.leg == leg
            )
        )
    return fmean(steps) if steps else nan


def find_effect(leg: Leg, hidden: HiddenLeg, part: int) -> str:
    """Return what fitting one part alone does to the fleet: `up`, `down` or `none`."""
    alone = tuple(place == part for place in range(len(leg.parts)))
    bare = (False,) * len(leg.parts)
    change = find_fleet_chance(leg, hidden, alone) - find_fleet_chance(leg, hidden, bare)
    return "up" if change > 0 else "down" if change < 0 else "none"


def _grade_answers(
    legs: Sequence[tuple[Leg, HiddenLeg]], answers: Mapping[str, Any], *, questioned: bool
) -> dict[str, float]:
    """Grade the answers; one that is missing or no chances counts as the prior."""
    if not questioned:
        return {"question_skill": nan, "coins_known": nan}
    briers, known, number = [], [], 0
    for leg, hidden in legs:
        rightly = []
        for part in range(len(leg.parts)):
            number += 1
            chances = read_chances(answers.get(f"q{number}"))
            truth = find_effect(leg, hidden, part)
            if chances is None:
                briers.append(PRIOR_BRIER)
                rightly.append(False)
                continue
            briers.append(sum((chances[one] - (one == truth)) ** 2 for one in ANSWERS))
            rightly.append(chances[truth] > 0.5)
        known.append(all(rightly))
    return {"question_skill": 1 - fmean(briers) / PRIOR_BRIER, "coins_known": fmean(known)}


def _explain(
    legs: Sequence[tuple[Leg, HiddenLeg]], designs: Mapping[str, Fitted], right: Sequence[bool]
) -> str:
    if not designs:
        return "No design was sent."
    wrong = [leg for (leg, _), good in zip(legs, right, strict=True) if not good]
    if not wrong:
        return "On every leg no design brings more home."
    names = ", ".join(f"{leg.name} ({leg.kind})" for leg in wrong)
    return f"Another design brings more home on {names}."

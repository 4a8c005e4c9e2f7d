"""The verdict on one episode, from the instance and the recorded turns alone.

A right answer earns 1, none earns 0. A wrong one among n that are equally likely costs 1 / (n - 1),
so that any answer given without an experiment earns 0 in expectation.
"""

from collections.abc import Sequence
from math import nan
from pathlib import Path
from statistics import fmean

from causarium.contract.turn import Turn, count_forgiven
from causarium.contract.verdict import SLIPS, Verdict, read_metrics
from .levels import LadderRules
from .model.actions import ACTIONS
from .model.instance import UNKNOWN, LadderInstance
from .play.world import LadderWorld

METRICS = read_metrics(Path(__file__).parent / "metrics.toml")["ladder"]
"""Every number of a verdict, with a sentence on what it says."""


def replay_world(
    instance: LadderInstance, rules: LadderRules, turns: Sequence[Turn]
) -> LadderWorld:
    """Play recorded turns again in a fresh world."""
    world = LadderWorld(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    return world


def score(instance: LadderInstance, rules: LadderRules, turns: Sequence[Turn]) -> Verdict:
    """Score one episode."""
    world = replay_world(instance, rules, turns)
    public, truth = instance.public, instance.secret.answers
    given = world.answers or (None,) * len(truth)
    earned = [
        grade(said, answer, len(public.list_answers(kind)))
        for kind, said, answer in zip(public.asked, given, truth, strict=True)
    ]
    by_kind = {
        kind: [one for asked, one in zip(public.asked, earned, strict=True) if asked == kind]
        for kind in ("happens", "had", "tells")
    }
    unread = sum(turn.unparsed is not None for turn in turns)
    said = ", ".join(word or "-" for word in given) if world.answers is not None else None
    return Verdict(
        numbers={
            "score": fmean(earned),
            "right": fmean(said == answer for said, answer in zip(given, truth, strict=True)),
            **{kind: fmean(part) if part else nan for kind, part in by_kind.items()},
            "unknown": fmean(word == UNKNOWN for word in given),
            "acts": float(world.spent),
            "refusals": float(sum(not turn.legal for turn in turns)),
            SLIPS: float(unread + world.malformed + count_forgiven(turns)),
        },
        answer=said,
        explanation=f"Answered {said or 'nothing'}; right are {', '.join(truth)}. "
        f"{world.spent} of {public.budget} experiments were made.",
    )


def grade(said: str | None, answer: str, offered: int) -> float:
    """Return the score of one answer among equally likely ones.

    Example:
        >>> grade("up", "up", 4), grade(None, "up", 4), grade("down", "up", 3)
        (1.0, 0.0, -0.5)
    """
    if said is None:
        return 0.0
    return 1.0 if said == answer else -1.0 / (offered - 1)

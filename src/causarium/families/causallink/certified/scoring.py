"""The verdict on one table, from the instance and the recorded turns alone.

The headline is `score`: 1 for a right answer and -1 for a wrong one if some trial was decisive,
that is, would have come out differently had the other answer been true; 0 without such a trial.
Where an agent has no trials, what was watched is decisive. A coin thus earns 0 whatever is tried.
"""

from collections.abc import Sequence
from pathlib import Path

from causarium.contract.turn import Turn, count_forgiven
from causarium.contract.verdict import SLIPS, Metric, Verdict, read_metrics
from .levels import LinkRules
from .model import LinkInstance
from .play.replies import ERROR_MODES
from .play.world import replay

METRICS = {
    **read_metrics(Path(__file__).with_name("metrics.toml"))["table"],
    **{
        mode.replace(" ", "_"): Metric(f"1 if the case ended as {mode}.", "lower", share=True)
        for mode in ERROR_MODES
    },
}
"""Every number of a verdict, with a sentence on what it says."""


def score(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> Verdict:
    """Score one table."""
    world = replay(instance, rules, turns)
    right = world.answer == instance.secret.answer
    decisive = not world.budget or any(made.decisive for made in world.made)
    earned = 0.0
    if decisive and world.answer is not None:
        earned = 1.0 if right else -1.0
    given = f"The answer was {world.answer}" if world.answer else "No answer was given"
    why = "a trial was decisive" if decisive else "no trial was decisive"
    error = f" The case ended as {world.error}." if world.error else ""
    return Verdict(
        numbers={
            "score": earned,
            "right": float(right),
            "decisive": float(decisive),
            "trials": float(world.spent),
            "answered": float(world.answer is not None),
            SLIPS: float(world.slips + count_forgiven(turns)),
            **{mode.replace(" ", "_"): float(world.error == mode) for mode in ERROR_MODES},
        },
        labels={"error": world.error or "none"},
        answer=world.answer,
        explanation=f"{given}; {instance.secret.answer} is right, and {why}.{error}",
    )

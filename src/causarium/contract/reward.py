"""The reward of an episode: one number in [-1, 1], the headline metric of its verdict."""

import math

from causarium.contract.family import AnyFamily
from causarium.contract.rules import Edition
from causarium.contract.verdict import Verdict
from causarium.errors import RunError


def reward_of(family: AnyFamily, edition: Edition, verdict: Verdict) -> float:
    """Return the reward that a verdict is worth.

    It is the headline metric, clipped to [-1, 1]; 0 where it does not apply. A metric that is fair
    only because wrong answers cost as much as right ones earn must be able to be negative.

    Args:
        family: The family.
        edition: The edition that was played.
        verdict: What an episode of it came to.

    Raises:
        RunError: The verdict is unscored: a judge could not decide.
    """
    if verdict.unscored is not None:
        raise RunError(f"an episode without a score has no reward: {verdict.unscored}")
    earned = verdict.numbers.get(family.card.headline[edition], math.nan)
    return 0.0 if math.isnan(earned) else min(1.0, max(-1.0, earned))

"""The reward of an episode: one number in [0, 1], made of the verdict by the card's metric."""

import math

from causarium.contract.family import AnyFamily
from causarium.contract.verdict import Verdict
from causarium.errors import RunError


def reward_of(family: AnyFamily, verdict: Verdict) -> float:
    """Return the reward that a verdict is worth.

    The first metric of the card's `reward` that applies is taken, clipped to [0, 1]; where none
    applies the reward is 0.

    Raises:
        RunError: The verdict is unscored: a judge could not decide.
    """
    if verdict.unscored is not None:
        raise RunError(f"an episode without a score has no reward: {verdict.unscored}")
    metrics = family.card.reward or family.card.headline[:1]
    numbers = (verdict.numbers.get(name, math.nan) for name in metrics)
    reward = next((number for number in numbers if not math.isnan(number)), 0.0)
    return min(1.0, max(0.0, reward))

"""Draws chances with which two stories of one law call for opposite decisions."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..mechanics.chances import Chances, retell
from ..mechanics.story import Story
from .draw_chances import draw_chances

MARGIN = 0.05
"""The least size of an effect, by either story."""
FLOORS = (0.01, 0.01, 0.005, 0.002, 0.0006, 0.0002)
"""The least chance of a cell of the book, by the number of columns."""
MODELS = 128
"""Models that are tried at once."""


class Twins(NamedTuple):
    """Models with which two stories of one law call for opposite decisions."""

    models: Chances
    """By the first story."""
    found: int
    """How many they are."""


def try_models(
    story: Story, twin: Story, settings: Mapping[int, int], rng: np.random.Generator
) -> Twins:
    """Draw models of a story, and return those with which its twin calls for the other decision."""
    models = draw_chances(story, MODELS, rng)
    law = models.make_law()
    good = law.reshape(MODELS, -1).min(axis=1) >= FLOORS[story.module]
    models, law = models.pick(good), law[good]
    first = find_effect(models, story, settings)
    good = np.abs(first) >= MARGIN
    models, law, first = models.pick(good), law[good], first[good]
    second = find_effect(retell(twin, law), story, settings)
    good = (np.abs(second) >= MARGIN) & (first * second < 0)
    return Twins(models.pick(good), int(good.sum()))


def find_effect(models: Chances, story: Story, settings: Mapping[int, int]) -> NDArray[np.float64]:
    """Return the effect of the module on the share of returns, one number for each model."""
    shares = [
        models.find_share(story.result, {**settings, story.module: value}) for value in (0, 1)
    ]
    effect: NDArray[np.float64] = shares[1] - shares[0]
    return effect

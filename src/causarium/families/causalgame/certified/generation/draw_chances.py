"""Draws chances for a story, many models at once."""

from random import Random

import numpy as np
from numpy.typing import NDArray

from ..mechanics.chances import Chances
from ..mechanics.legs import GRAIN
from ..mechanics.story import Story, list_nodes


def make_generator(rng: Random) -> np.random.Generator:
    """Return a generator of arrays that follows from the stream."""
    return np.random.Generator(np.random.PCG64(rng.getrandbits(64)))


def draw_chances(
    story: Story, models: int, rng: np.random.Generator, *, additive: tuple[int, ...] = ()
) -> Chances:
    """Return some models of a story.

    Args:
        story: The story.
        models: How many.
        rng: Where all randomness comes from.
        additive: Nodes whose causes add up, whatever the others are.
    """
    pairs = sorted(story.hidden)
    causes, tables = [], []
    for node in range(story.nodes):
        told = tuple(list_nodes(story.parents[node]))
        unseen = tuple(story.nodes + place for place, pair in enumerate(pairs) if node in pair)
        causes.append((*told, *unseen))
        if node == story.result and story.module in told:
            mixed = node not in additive
            tables.append(_draw_result(models, (*told, *unseen), story, rng, mixed=mixed))
        else:
            count, mixed = len(told) + len(unseen), node not in additive
            tables.append(_draw_table(models, count, rng, mixed=mixed))
    hidden = tuple(rng.integers(2, 7, models) / 8.0 for _ in pairs)
    return Chances(story.nodes, tuple(causes), tuple(tables), hidden)


def _draw_table(
    models: int, causes: int, rng: np.random.Generator, *, mixed: bool
) -> NDArray[np.float64]:
    """Return chances that add up by cause, or are drawn cell by cell, half and half."""
    shape = (models, *[2] * causes)
    if not causes:
        return rng.integers(6, 27, models) / GRAIN
    free = rng.integers(1, GRAIN, shape)
    total = np.zeros(shape)
    for place in range(causes):
        side = [models, *[2 if axis == place else 1 for axis in range(causes)]]
        step = rng.integers(-12, 13, (models, *[1] * causes))
        total = total + np.where(np.arange(2).reshape(side[1:]) == 1, step, -step)
    sums = np.clip(GRAIN // 2 + total, 1, GRAIN - 1)
    if not mixed:
        return sums / GRAIN
    chosen = rng.integers(0, 3, (models, *[1] * causes))
    return np.where(chosen == 0, free, sums) / GRAIN


def _draw_result(
    models: int, causes: tuple[int, ...], story: Story, rng: np.random.Generator, *, mixed: bool
) -> NDArray[np.float64]:
    """Return chances of returning, in which the module weighs less than its rivals."""
    shape, ones = (models, *[2] * len(causes)), (models, *[1] * len(causes))
    total = np.zeros(shape)
    for place, cause in enumerate(causes):
        most = 5 if cause == story.module else 12
        step = rng.integers(-most, most + 1, ones)
        side = [2 if axis == place else 1 for axis in range(len(causes))]
        total = total + np.where(np.arange(2).reshape(side) == 1, step, -step)
    if mixed:
        total = total + rng.integers(-3, 4, shape) * rng.integers(0, 2, ones)
    return np.clip(GRAIN // 2 + total, 1, GRAIN - 1) / GRAIN

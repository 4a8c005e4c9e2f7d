"""Gradient boosting of small trees, by the logistic loss."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Split:
    """A tree: a threshold on one feature and what lies on both sides, or one value."""

    feature: int
    threshold: float
    below: "Split | float"
    above: "Split | float"


@dataclass(frozen=True, slots=True)
class BoostedTrees:
    """A sum of small trees."""

    start: float
    rate: float
    trees: tuple["Split | float", ...]

    def predict(self, features: Rows) -> Rows:
        """Return the chance of 1 for each row."""
        total = np.full(len(features), self.start)
        for tree in self.trees:
            total += self.rate * _walk(tree, features)
        chances: Rows = 1 / (1 + np.exp(-total))
        return chances


def fit_trees(
    features: Rows, target: Rows, *, rounds: int, depth: int, rate: float = 0.3, least: int = 3
) -> BoostedTrees:
    """Fit trees one after another, each to what the others leave.

    Args:
        features: A row an example.
        target: 0 or 1 for each row.
        rounds: How many trees.
        depth: How many splits deep a tree is.
        rate: How much of each tree counts.
        least: How many rows a leaf holds at least.
    """
    share = float(np.clip(target.mean(), 0.01, 0.99))
    start = float(np.log(share / (1 - share)))
    total = np.full(len(target), start)
    trees: list[Split | float] = []
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-total))
        tree = _grow(features, target - chance, chance * (1 - chance), depth, least)
        total += rate * _walk(tree, features)
        trees.append(tree)
    return BoostedTrees(start, rate, tuple(trees))


def _grow(features: Rows, slope: Rows, curve: Rows, depth: int, least: int) -> "Split | float":
    value = float(slope.sum() / (curve.sum() + 1))
    if depth == 0 or len(slope) < 2 * least:
        return value
    best = (1e-9, -1, 0.0)
    base = slope.sum() ** 2 / (curve.sum() + 1)
    for feature in range(features.shape[1]):
        order = np.argsort(features[:, feature], kind="stable")
        column = features[order, feature]
        slopes, curves = np.cumsum(slope[order]), np.cumsum(curve[order])
        cuts = np.flatnonzero(np.diff(column) > 0)
        cuts = cuts[(cuts + 1 >= least) & (len(column) - cuts - 1 >= least)]
        if not len(cuts):
            continue
        gain = slopes[cuts] ** 2 / (curves[cuts] + 1)
        gain += (slopes[-1] - slopes[cuts]) ** 2 / (curves[-1] - curves[cuts] + 1)
        top = int(np.argmax(gain))
        if gain[top] - base > best[0]:
            middle = (column[cuts[top]] + column[cuts[top] + 1]) / 2
            best = (float(gain[top] - base), feature, float(middle))
    if best[1] < 0:
        return value
    below = features[:, best[1]] < best[2]
    sides = [
        _grow(features[rows], slope[rows], curve[rows], depth - 1, least)
        for rows in (below, ~below)
    ]
    return Split(best[1], best[2], sides[0], sides[1])


def _walk(tree: "Split | float", features: Rows) -> Rows:
    if not isinstance(tree, Split):
        return np.full(len(features), tree)
    below = features[:, tree.feature] < tree.threshold
    return np.where(below, _walk(tree.below, features), _walk(tree.above, features))

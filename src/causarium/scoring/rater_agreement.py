"""How far two who rate the same things agree."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from statistics import StatisticsError, correlation


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the rank correlation of two ratings, ties sharing their mean rank.

    It is nan where one of them does not vary, or there are fewer than two.

    Example:
        >>> spearman([1, 2, 3], [10, 20, 20])
        0.8660254037844387
    """
    try:
        return correlation(_ranks(one), _ranks(other))
    except StatisticsError:
        return math.nan


def _ranks(values: Sequence[float]) -> list[float]:
    """Return the place of each value among all, from 0; equal ones share their mean place."""
    ordered = sorted(values)
    return [(bisect_left(ordered, v) + bisect_right(ordered, v) - 1) / 2 for v in values]


def kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """Return Cohen's kappa of two labellings: agreement beyond chance, 1 when they are the same.

    It is nan where there is nothing to label, or where both use one label throughout.
    """
    n = len(one)
    if not n:
        return math.nan
    observed = sum(a == b for a, b in zip(one, other, strict=True)) / n
    expected = sum(one.count(label) * other.count(label) for label in set(one)) / n**2
    return math.nan if expected == 1 else (observed - expected) / (1 - expected)

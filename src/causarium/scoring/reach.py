"""Reach: how far up a ladder of rungs an agent comes, as one number.

The reach is the sum of an agent's mean scores on rungs 1, 2, 3, ...: the Spearman-Karber estimate
of the rung at which it falls to half, less one half. An agent that solves rungs 1 to 3, half of 4
and nothing above has reach 3.5. Rungs added above change nothing that was measured below.

Rungs are independent, so that the distances from the mean to the ends of their intervals add in
squares (MOVER, Zou and Donner 2008). Scores are corrected for chance, each at most 1.
"""

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from causarium.scoring.intervals import (
    Interval,
    paired_difference,
    summarize,
    wilson_interval,
)

OPEN_ABOVE = 0.2
"""A mean on the last rung played above this leaves the reach open upwards."""
STOP_AFTER = 2
"""Rungs in a row without a score above 0 after which higher ones are taken to be 0."""
STOP_SIZE = 8
"""The fewest instances of a rung that count towards stopping."""


@dataclass(frozen=True, slots=True)
class RungMean:
    """An agent's mean score on one rung."""

    rung: int
    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Reach:
    """An agent's reach on one ladder."""

    value: float
    """The sum of rung means; below 0 if the agent is decisively wrong more often than right."""
    low: float
    high: float
    open: bool
    """Whether the last rung played was still above `OPEN_ABOVE`, so that the value is a bound."""
    rungs: tuple[RungMean, ...]
    """The rungs played, in order."""

    @property
    def in_words(self) -> str:
        """The value for people: never below 0, with `>=` where the ladder goes on."""
        return f"{'>= ' if self.open else ''}{max(0.0, self.value):.1f}"


def find_reach(scores: Iterable[tuple[int, float, Hashable]]) -> Reach:
    """Return the reach of one agent.

    Args:
        scores: The rung, the score and the cluster of each instance; nan scores are left out.

    Example:
        >>> find_reach([(1, 1.0, "a"), (1, 1.0, "b"), (2, 0.5, "c"), (2, 0.5, "d")]).value
        1.5
    """
    by_rung: dict[int, list[tuple[float, Hashable]]] = {}
    for rung, score, cluster in scores:
        if not math.isnan(score):
            by_rung.setdefault(rung, []).append((score, cluster))
    means = tuple(_find_rung_mean(rung, by_rung[rung]) for rung in sorted(by_rung))
    if not means:
        return Reach(math.nan, math.nan, math.nan, open=False, rungs=())
    value = math.fsum(one.mean for one in means)
    below, above = _find_spread(means)
    return Reach(
        value=value,
        low=value - below if value < 0 else max(value - below, 0.0),
        high=min(value + above, float(means[-1].rung)),
        open=means[-1].mean > OPEN_ABOVE,
        rungs=means,
    )


def average_reaches(reaches: Iterable[Reach]) -> Interval:
    """Return the mean of reaches on several ladders, with its interval.

    Spreads are those of the rungs: ends that were cut at 0 would make the mean look too sure.
    """
    given = list(reaches)
    spreads = [(one.value, *_find_spread(one.rungs)) for one in given]
    found = average_intervals(
        Interval(value, value - below, value + above, n=1) for value, below, above in spreads
    )
    low = found.low if found.value < 0 else max(found.low, 0.0)
    top = math.fsum(one.rungs[-1].rung for one in given) / len(given)
    return Interval(found.value, low, min(found.high, top), n=len(given))


def average_intervals(intervals: Iterable[Interval]) -> Interval:
    """Return the mean of independent estimates, with its interval (MOVER).

    Example:
        >>> average_intervals([Interval(1.0, 0.0, 2.0, n=9), Interval(2.0, 2.0, 2.0, n=9)])
        Interval(value=1.5, low=1.0, high=2.0, n=2, left_out=0, clusters=0)
    """
    given = list(intervals)
    below = math.sqrt(math.fsum((one.value - one.low) ** 2 for one in given)) / len(given)
    above = math.sqrt(math.fsum((one.high - one.value) ** 2 for one in given)) / len(given)
    mean = math.fsum(one.value for one in given) / len(given)
    return Interval(mean, mean - below, mean + above, n=len(given))


def compare_reaches(
    ours: Mapping[int, Mapping[str, float]],
    theirs: Mapping[int, Mapping[str, float]],
    clusters: Mapping[str, Hashable],
) -> Interval:
    """Return the difference of two reaches, paired on the instances that both played.

    A rung that only one of them played counts 0 for the other: the climb ended below it.

    Args:
        ours: By rung, the score on each instance.
        theirs: The same of the other.
        clusters: The mechanism of each instance.

    Example:
        >>> compare_reaches({1: {"a": 1.0, "b": 1.0}}, {1: {"a": 0.0, "b": 0.0}}, {}).value
        1.0
    """
    parts = []
    for rung in sorted(ours.keys() | theirs.keys()):
        mine, other = ours.get(rung, {}), theirs.get(rung, {})
        mine, other = mine or dict.fromkeys(other, 0.0), other or dict.fromkeys(mine, 0.0)
        found = paired_difference(mine, other, clusters=clusters)
        if found.n:
            parts.append((found, *_widen_difference(found)))
    value = math.fsum(found.value for found, _, _ in parts)
    below = math.sqrt(math.fsum((found.value - low) ** 2 for found, low, _ in parts))
    above = math.sqrt(math.fsum((high - found.value) ** 2 for found, _, high in parts))
    return Interval(value, value - below, value + above, n=sum(found.n for found, _, _ in parts))


def _widen_difference(found: Interval) -> tuple[float, float]:
    """Return the ends of a difference, as if of shares where all differences are equal."""
    if found.low < found.high:
        return found.low, found.high
    spread = wilson_interval(0, found.clusters or found.n).high
    return found.value - spread, found.value + spread


def find_spent_rung(scores: Mapping[int, Iterable[float]]) -> int | None:
    """Return the rung above which all are taken to be 0; None if the climb goes on.

    Args:
        scores: The scores on each rung played so far.
    """
    nothing = set()
    for rung, given in scores.items():
        tried = list(given)
        if len(tried) >= STOP_SIZE and not any(score > 0 for score in tried):
            nothing.add(rung)
    ends = (rung for rung in sorted(nothing) if {*range(rung - STOP_AFTER + 1, rung)} <= nothing)
    return next(ends, None)


def _find_spread(means: Iterable[RungMean]) -> tuple[float, float]:
    """Return how far the interval of a sum of rung means goes below it and above it."""
    given = list(means)
    below = math.sqrt(math.fsum((one.mean - one.low) ** 2 for one in given))
    above = math.sqrt(math.fsum((one.high - one.mean) ** 2 for one in given))
    return below, above


def _find_rung_mean(rung: int, scores: list[tuple[float, Hashable]]) -> RungMean:
    values = [score for score, _ in scores]
    found = summarize(values, clusters=[cluster for _, cluster in scores], share=False)
    low, high = _widen(found)
    return RungMean(rung, found.n, found.value, low, high)


def _widen(found: Interval) -> tuple[float, float]:
    """Return the ends of a rung's interval, as if of shares where all values are equal."""
    if found.low < found.high:
        return max(found.low, -1.0), min(found.high, 1.0)
    spread = wilson_interval(0, found.clusters or found.n).high
    return max(found.value - spread, -1.0), min(found.value + spread, 1.0)

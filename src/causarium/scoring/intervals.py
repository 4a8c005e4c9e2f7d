"""How sure a mean is: intervals for one agent, and for the difference of two.

Shares (all values 0 or 1) get the Wilson score interval, which stays within 0 and 1 and does not
collapse when every value is the same. Other means get the percentile bootstrap over instances,
drawn from a named stream, so that the same values give the same interval everywhere.

Conventions: nan means "does not apply"; such values are left out and counted (`left_out`). Without
values everything is nan. One value has a mean and, unless it is a share, no interval (nan): nothing
is known of its spread. The bootstrap of values that are all equal has no width; read it with `n`.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist, fmean

from causarium.errors import ContractError
from causarium.seeds import entropy

CONFIDENCE = 0.95
RESAMPLES = 2_000
_CHUNK_CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the interval around it."""

    value: float
    low: float
    high: float
    n: int
    """How many values the mean is of."""
    left_out: int = 0
    """How many values were nan."""


def summarize(values: Iterable[float], *, share: bool = True, seed: int = 0) -> Interval:
    """Return the mean of `values` with the interval that suits them.

    Args:
        values: One for each instance.
        share: False for a count or a measure that may happen to be 0 or 1 throughout.
        seed: Where the resampling starts.

    Example:
        >>> summarize([1.0, 0.0, math.nan]).value, summarize([0.25, 0.75]).value
        (0.5, 0.5)
    """
    kept, left_out = _split(values)
    if share and kept and all(value in (0.0, 1.0) for value in kept):
        return wilson_interval(round(sum(kept)), len(kept), left_out=left_out)
    return _bootstrap(kept, seed=seed, left_out=left_out)


def wilson_interval(
    successes: int, n: int, *, confidence: float = CONFIDENCE, left_out: int = 0
) -> Interval:
    """Return the Wilson score interval of a share (Wilson 1927, without continuity correction).

    Raises:
        ContractError: There are more successes than trials, or fewer than none.
    """
    if not 0 <= successes <= n:
        raise ContractError(f"{successes} successes in {n} trials cannot be")
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, 0, left_out)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share = successes / n
    centre = (successes + z * z / 2) / (n + z * z)
    half = z * math.sqrt(n * share * (1 - share) + z * z / 4) / (n + z * z)
    # The ends meet 0 and 1 exactly in theory; rounding must not push them past the share.
    low = 0.0 if successes == 0 else min(share, centre - half)
    high = 1.0 if successes == n else max(share, centre + half)
    return Interval(share, low, high, n, left_out)


def bootstrap_interval(
    values: Iterable[float],
    *,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return the percentile bootstrap interval of a mean.

    Raises:
        ContractError: A value is infinite.
    """
    kept, left_out = _split(values)
    return _bootstrap(
        kept, seed=seed, left_out=left_out, confidence=confidence, resamples=resamples
    )


def paired_difference(
    ours: Mapping[str, float],
    theirs: Mapping[str, float],
    *,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return the mean of `ours - theirs` over the instances that both have, with its interval.

    Instances are resampled whole, so what makes an instance hard for both cancels out. Average
    several epochs of one instance before calling this: they are not independent.

    Args:
        ours: A value for each instance id.
        theirs: The same for the agent to compare with.
        seed: Where the resampling starts.
        confidence: How often such an interval holds the truth.
        resamples: How many bootstrap means are drawn.

    Returns:
        The interval; `left_out` counts the ids that only one has, or where one is nan.
    """
    either = sorted({*ours, *theirs})
    differences = [ours.get(id_, math.nan) - theirs.get(id_, math.nan) for id_ in either]
    return bootstrap_interval(differences, seed=seed, confidence=confidence, resamples=resamples)


def _split(values: Iterable[float]) -> tuple[list[float], int]:
    given = [float(value) for value in values]
    kept = [value for value in given if not math.isnan(value)]
    if any(math.isinf(value) for value in kept):
        raise ContractError("an infinite value has no mean; a score that does not apply is nan")
    return kept, len(given) - len(kept)


def _bootstrap(
    kept: list[float],
    *,
    seed: int,
    left_out: int,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
) -> Interval:
    if not kept:
        return Interval(math.nan, math.nan, math.nan, 0, left_out)
    value = _between(fmean(kept), min(kept), max(kept))
    if len(kept) == 1:
        return Interval(value, math.nan, math.nan, 1, left_out)
    means = _resampled_means(kept, seed=seed, resamples=resamples)
    tail = (1 - confidence) / 2
    low, high = means[int(tail * (resamples - 1))], means[math.ceil((1 - tail) * (resamples - 1))]
    # A very skewed sample can leave its own mean outside; an interval has to hold its value.
    return Interval(value, min(low, value), max(high, value), len(kept), left_out)


def _resampled_means(kept: list[float], *, seed: int, resamples: int) -> list[float]:
    # Here and not above: importing numpy takes longer than `causarium list` may.
    import numpy as np

    rng = np.random.default_rng(entropy(seed, "scoring", "bootstrap"))
    # Sorted, so that the order in which rows arrive does not decide the interval.
    sample = np.sort(np.asarray(kept, dtype=np.float64))
    rows = max(1, _CHUNK_CELLS // len(kept))
    means: list[float] = []
    while len(means) < resamples:
        size = (min(rows, resamples - len(means)), len(kept))
        means.extend(sample[rng.integers(0, len(kept), size=size)].mean(axis=1).tolist())
    low, high = min(kept), max(kept)
    return sorted(_between(mean, low, high) for mean in means)


def _between(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)

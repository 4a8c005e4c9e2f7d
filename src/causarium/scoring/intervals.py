"""How sure a mean is: intervals for one agent, and for the difference of two.

Values are gathered in clusters that share something (a mechanism, a graph, a document), because
values of one cluster are not independent. Where every value is a cluster of its own, shares (all
values 0 or 1) get the Wilson score interval, which stays within 0 and 1 and does not collapse when
every value is the same. All other means get the percentile bootstrap over clusters: whole clusters
are drawn, with repetition, and the mean is taken over all their values. It is drawn from a named
stream, so that the same values give the same interval everywhere.

A percentile bootstrap of few clusters is too narrow, as if their spread were known. So percentiles
are taken further out, by as much as Student's quantile lies beyond the normal one (Hesterberg 2015,
"expanded percentile"). Below `FEW` clusters no percentile lies far enough out (two clusters hold
the mean in half of all cases), so these get Student's interval, within what such values can be.

Conventions: nan means "does not apply"; such values are left out and counted (`left_out`). Without
values everything is nan. One cluster has a mean and, unless it is one share, no interval (nan):
nothing is known of its spread. Shares that all agree get Wilson's interval of as many trials as
there are clusters. The bootstrap of other values that are all equal has no width; read it with `n`.
"""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, NamedTuple

from causarium.errors import ContractError
from causarium.seeds import entropy

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

CONFIDENCE = 0.95
TAIL = (1 - CONFIDENCE) / 2
"""What is left out at each end."""
RESAMPLES = 2_000
FEW = 8
_BLOCK_CELLS = 100_000
"""Weights are multiplied in blocks that fit into a processor's cache."""
_MOST_CACHED = 1_000
"""The weights of more clusters than this are drawn anew each time."""


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
    clusters: int = 0
    """How many clusters the values come from, where these are fewer than the values; 0 where every
    value stands for itself."""


def summarize(
    values: Iterable[float],
    *,
    clusters: Iterable[Hashable] | None = None,
    share: bool = True,
) -> Interval:
    """Return the mean of `values` with the interval that suits them.

    Args:
        values: One for each instance.
        clusters: What each of them shares with others, in the same order; None if nothing.
        share: False for a count or a measure that may happen to be 0 or 1 throughout.

    Example:
        >>> summarize([1.0, 0.0, math.nan]).value, summarize([0.25, 0.75]).value
        (0.5, 0.5)
        >>> summarize([1.0, 1.0, 0.0, 0.0], clusters=["a", "a", "b", "b"]).clusters
        2
    """
    sample = _gather(values, clusters)
    if share and sample.is_share:
        successes, m = round(float(sample.values.sum())), len(sample.sums)
        if sample.sizes is None:
            return wilson_interval(successes, sample.n, left_out=sample.left_out)
        if successes in (0, sample.n):
            sure = wilson_interval(m if successes else 0, m)
            return Interval(sure.value, sure.low, sure.high, sample.n, sample.left_out, m)
    return _bootstrap(sample, share=share)


def wilson_interval(successes: int, n: int, *, left_out: int = 0) -> Interval:
    """Return the Wilson score interval of a share (Wilson 1927, without continuity correction).

    Raises:
        ContractError: There are more successes than trials, or fewer than none.
    """
    if not 0 <= successes <= n:
        raise ContractError(f"{successes} successes in {n} trials cannot be")
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, 0, left_out)
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    share = successes / n
    centre = (successes + z * z / 2) / (n + z * z)
    half = z * math.sqrt(n * share * (1 - share) + z * z / 4) / (n + z * z)
    # The ends meet 0 and 1 exactly in theory; rounding must not push them past the share.
    low = 0.0 if successes == 0 else min(share, centre - half)
    high = 1.0 if successes == n else max(share, centre + half)
    return Interval(share, low, high, n, left_out)


def paired_difference(
    ours: Mapping[str, float],
    theirs: Mapping[str, float],
    *,
    clusters: Mapping[str, Hashable] | None = None,
) -> Interval:
    """Return the mean of `ours - theirs` over the instances that both have, with its interval.

    Instances are resampled whole, so what makes an instance hard for both cancels out. Average
    several epochs of one instance before calling this: they are not independent.

    Args:
        ours: A value for each instance id.
        theirs: The same for the agent to compare with.
        clusters: What an instance shares with others; one that is not named stands for itself.

    Returns:
        The interval; `left_out` counts the ids that only one has, or where one is nan.
    """
    either = sorted({*ours, *theirs})
    differences = [ours.get(id_, math.nan) - theirs.get(id_, math.nan) for id_ in either]
    shared = clusters or {}
    sample = _gather(differences, [shared.get(id_, id_) for id_ in either])
    return _bootstrap(sample, share=False)


@dataclass(frozen=True, slots=True)
class _Sample:
    """Values that are numbers, and the sum and size of each cluster."""

    values: "npt.NDArray[np.float64]"
    sums: "npt.NDArray[np.float64]"
    sizes: "npt.NDArray[np.float64] | None"
    """None where every value is a cluster of its own."""
    left_out: int

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def clusters(self) -> int:
        return 0 if self.sizes is None else len(self.sizes)

    @property
    def is_share(self) -> bool:
        return self.n > 0 and bool(((self.values == 0) | (self.values == 1)).all())


def _gather(values: Iterable[float], clusters: Iterable[Hashable] | None) -> _Sample:
    # Here and not above: importing numpy takes longer than `causarium list` may.
    import numpy as np

    given = np.fromiter(values, dtype=np.float64)
    if np.isinf(given).any():
        raise ContractError("an infinite value has no mean; a score that does not apply is nan")
    applies = ~np.isnan(given)
    kept = given[applies]
    left_out = len(given) - len(kept)
    # Sorted, so that the order in which rows arrive does not decide the interval.
    alone = _Sample(kept, np.sort(kept), None, left_out)
    if clusters is None:
        return alone
    numbers: dict[Hashable, int] = {}
    codes = np.array([numbers.setdefault(name, len(numbers)) for name in clusters], dtype=np.int64)
    if len(codes) != len(given):
        raise ContractError(f"{len(given)} values cannot be of {len(codes)} clusters' places")
    sizes = np.bincount(codes[applies], minlength=len(numbers)).astype(np.float64)
    if (sizes <= 1).all():
        return alone
    by_size = np.argsort(kept)  # sums of the same numbers in another order may differ
    sums = np.bincount(codes[applies][by_size], kept[by_size], len(numbers)).astype(np.float64)
    order = np.lexsort((sizes, sums))
    order = order[sizes[order] > 0]
    return _Sample(kept, sums[order], sizes[order], left_out)


def _bootstrap(sample: _Sample, *, share: bool) -> Interval:
    m, n, left_out, clusters = len(sample.sums), sample.n, sample.left_out, sample.clusters
    if not n:
        return Interval(math.nan, math.nan, math.nan, 0, left_out)
    least, most = float(sample.values.min()), float(sample.values.max())
    value = min(max(fmean(sample.values.tolist()), least), most)
    if m == 1:
        return Interval(value, math.nan, math.nan, n, left_out, clusters)
    if least == most:
        return Interval(value, value, value, n, left_out, clusters)
    if m < FEW:
        half = _student_half_width(sample, value)
        floor = 0.0 if least >= 0 else min(-1.0, least) if share else -math.inf
        roof = max(1.0, most) if share else math.inf
        low, high = max(value - half, floor), min(value + half, roof)
        return Interval(value, low, high, n, left_out, clusters)
    plan = _plan_resampling(m) if m <= _MOST_CACHED else _Resampling.of(m)
    means = _resampled_means(sample, plan.weights).clip(least, most)
    tail = plan.expanded_tail
    low = float(means[int(tail * (RESAMPLES - 1))])
    high = float(means[math.ceil((1 - tail) * (RESAMPLES - 1))])
    # A very skewed sample can leave its own mean outside; an interval has to hold its value.
    return Interval(value, min(low, value), max(high, value), n, left_out, clusters)


def _student_half_width(sample: _Sample, mean: float) -> float:
    m = len(sample.sums)
    sizes = 1.0 if sample.sizes is None else sample.sizes
    spread = float(((sample.sums - mean * sizes) ** 2).sum()) / (m - 1)
    return _student_quantile(1 - TAIL, m - 1) * math.sqrt(spread * m) / sample.n


def _expanded_tail(tail: float, m: int) -> float:
    """Return the share of bootstrap means to leave out at each end, for `m` clusters."""
    normal = NormalDist()
    return normal.cdf(-math.sqrt(m / (m - 1)) * _student_quantile(1 - tail, m - 1))


class _Resampling(NamedTuple):
    """What intervals of so many clusters have in common."""

    weights: "Iterable[npt.NDArray[np.uint16]]"
    """How often each cluster is in each resample, a block at a time."""
    expanded_tail: float

    @classmethod
    def of(cls, m: int) -> "_Resampling":
        return cls(_draw_weights(m), _expanded_tail(TAIL, m))


@lru_cache(maxsize=32)  # drawing takes nine tenths of an interval's time
def _plan_resampling(m: int) -> _Resampling:
    plan = _Resampling.of(m)
    return plan._replace(weights=tuple(plan.weights))


def _student_quantile(share: float, freedom: int) -> float:
    """Return a quantile above one half of Student's distribution, by bisection.

    Example:
        >>> [round(_student_quantile(0.975, freedom), 3) for freedom in (1, 2, 10)]
        [12.706, 4.303, 2.228]
    """
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        if _student_share_within(angle, freedom) < 2 * share - 1:
            low = angle
        else:
            high = angle
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def _student_share_within(angle: float, freedom: int) -> float:
    """Return how much of Student's distribution lies within `sqrt(freedom) * tan(angle)` of 0.

    For whole degrees of freedom that is a finite sum (Abramowitz and Stegun 26.7.3 and 26.7.4).
    """
    odd, squared = freedom % 2, math.cos(angle) ** 2
    term, total = math.cos(angle) if odd else 1.0, 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= squared * (power + 1) / (power + 2)
    return (angle + math.sin(angle) * total) * 2 / math.pi if odd else math.sin(angle) * total


def _resampled_means(
    sample: _Sample, blocks: "Iterable[npt.NDArray[np.uint16]]"
) -> "npt.NDArray[np.float64]":
    import numpy as np

    m = len(sample.sums)
    means = []
    for block in blocks:
        weights = block.astype(np.float64)
        sizes = float(m) if sample.sizes is None else weights @ sample.sizes
        means.append((weights @ sample.sums) / sizes)
    return np.sort(np.concatenate(means))


def _draw_weights(m: int) -> "Iterator[npt.NDArray[np.uint16]]":
    """Yield, a block at a time, how often each cluster is in each resample."""
    import numpy as np

    rng = np.random.default_rng(entropy(0, "scoring", "bootstrap"))
    rows = max(1, _BLOCK_CELLS // m)
    for start in range(0, RESAMPLES, rows):
        size = min(rows, RESAMPLES - start)
        chosen = rng.integers(0, m, size=(size, m)) + m * np.arange(size)[:, None]
        counts = np.bincount(chosen.ravel(), minlength=size * m)
        yield counts.reshape(size, m).astype(np.uint16)

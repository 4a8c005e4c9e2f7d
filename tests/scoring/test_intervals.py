"""Intervals: what must always hold, and cases worked out by hand."""

import math
import subprocess
import sys
from random import Random
from statistics import NormalDist, fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.errors import ContractError
from causarium.scoring.intervals import (
    FEW,
    Interval,
    _expanded_tail,
    _plan_resampling,
    _student_quantile,
    _student_share_within,
    paired_difference,
    summarize,
    wilson_interval,
)

Z = 1.959963984540054
unit = st.floats(0, 1)
trials = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
few = settings(max_examples=25, deadline=None)


def bootstrap(values):
    return summarize(values, share=False)


@given(trials)
def test_wilson_holds_its_share_and_stays_within_zero_and_one(counts):
    got = wilson_interval(*counts)
    assert 0.0 <= got.low <= got.value <= got.high <= 1.0
    assert got.value == counts[0] / counts[1]
    assert got.low < got.high


@given(trials, st.integers(2, 20))
def test_wilson_shrinks_when_the_same_share_is_seen_more_often(counts, times):
    successes, n = counts
    once, often = wilson_interval(successes, n), wilson_interval(successes * times, n * times)
    assert often.high - often.low < once.high - once.low


@given(trials)
def test_wilson_of_failures_mirrors_wilson_of_successes(counts):
    successes, n = counts
    got, mirror = wilson_interval(successes, n), wilson_interval(n - successes, n)
    assert got.low == pytest.approx(1 - mirror.high, abs=1e-12)


@given(trials)
def test_wilson_ends_solve_the_equation_that_defines_them(counts):
    """Both ends p satisfy (share - p)^2 = z^2 p (1 - p) / n."""
    got = wilson_interval(*counts)
    for end in (got.low, got.high):
        assert (got.value - end) ** 2 == pytest.approx(Z**2 * end * (1 - end) / got.n, abs=1e-12)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # No success: the lower end is 0 and the upper one is z²/(n + z²).
        (0, 1, 0.0, Z**2 / (1 + Z**2)),
        (0, 10, 0.0, Z**2 / (10 + Z**2)),
        # Only successes: the mirror image, n/(n + z²).
        (10, 10, 10 / (10 + Z**2), 1.0),
        # Half: 1/2 plus or minus z / (2 √(n + z²)).
        (5, 10, 0.5 - Z / (2 * math.sqrt(10 + Z**2)), 0.5 + Z / (2 * math.sqrt(10 + Z**2))),
    ],
)
def test_wilson_matches_closed_forms(successes, n, low, high):
    got = wilson_interval(successes, n)
    assert (got.low, got.high) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_printed_intervals(successes, n, low, high):
    """Newcombe (1998), Statistics in Medicine 17, table I, method 3."""
    got = wilson_interval(successes, n)
    assert (round(got.low, 4), round(got.high, 4)) == (low, high)


def test_wilson_of_nothing_is_nan_and_of_the_impossible_our_bug():
    assert math.isnan(wilson_interval(0, 0).value)
    with pytest.raises(ContractError, match="5 successes in 4 trials"):
        wilson_interval(5, 4)


@few
@given(st.lists(unit, min_size=2, max_size=30))
def test_an_interval_holds_its_mean_and_stays_where_such_values_can_be(values):
    got = summarize(values)
    assert 0 <= got.low <= got.value <= got.high <= 1
    assert got.n == len(values)
    measured = summarize(values, share=False)
    assert 0 <= measured.low <= measured.value <= measured.high
    if len(values) >= FEW:
        assert min(values) <= measured.low
        assert measured.high <= max(values)


@few
@given(st.lists(unit, min_size=4, max_size=12).filter(lambda v: max(v) - min(v) > 0.1))
def test_the_bootstrap_shrinks_when_the_same_values_are_seen_more_often(values):
    once, often = bootstrap(values), bootstrap(values * 9)
    assert often.high - often.low < once.high - once.low


@few
@given(st.lists(unit, min_size=2, max_size=20), st.randoms(use_true_random=False))
def test_the_order_of_values_does_not_matter(values, rng):
    shuffled = values[:]
    rng.shuffle(shuffled)
    assert summarize(values) == summarize(shuffled)


def test_the_bootstrap_is_about_as_wide_as_theory_says():
    values = [i / 100 for i in range(101)]
    got = bootstrap(values)
    spread = math.sqrt(sum((v - 0.5) ** 2 for v in values) / 101 / 101)
    assert got.high - got.low == pytest.approx(2 * Z * spread, rel=0.1)


@few
@given(st.dictionaries(st.text(max_size=5), unit, min_size=2, max_size=20))
def test_identical_agents_differ_by_exactly_nothing(scores):
    got = paired_difference(scores, dict(scores))
    assert (got.value, got.low, got.high, got.left_out) == (0.0, 0.0, 0.0, 0)


@few
@given(st.dictionaries(st.text(max_size=5), unit, min_size=2, max_size=20))
def test_a_constant_advantage_is_found_with_certainty(scores):
    worse = {id_: value - 0.25 for id_, value in scores.items()}
    got = paired_difference(scores, worse)
    assert (got.value, got.low, got.high) == pytest.approx((0.25, 0.25, 0.25))


def test_pairing_sees_what_two_separate_intervals_do_not():
    hard = {f"i{n}": n / 50 for n in range(50)}
    easier = {id_: value + 0.05 + 0.01 * (n % 3) for n, (id_, value) in enumerate(hard.items())}
    apart = paired_difference(easier, hard)
    assert apart.low > 0
    assert bootstrap(hard.values()).high > bootstrap(easier.values()).low


def test_only_instances_that_both_have_are_compared():
    ours = {"a": 1.0, "b": 0.5, "c": math.nan, "only ours": 1.0}
    theirs = {"a": 0.0, "b": 0.0, "c": 1.0, "only theirs": 0.0}
    got = paired_difference(ours, theirs)
    assert (got.value, got.n, got.left_out) == (0.75, 2, 3)


def test_nan_is_left_out_and_counted():
    assert summarize([1.0, math.nan, 0.0, math.nan]) == wilson_interval(1, 2, left_out=2)
    got = summarize([0.5, math.nan, 0.25])
    assert (got.value, got.n, got.left_out) == (0.375, 2, 1)


def test_zeros_and_ones_get_wilson_and_all_else_the_bootstrap():
    assert summarize([1.0, 0.0, 1.0]) == wilson_interval(2, 3)
    values = [1.0, 0.0, 0.5] * 3
    assert summarize(values) == bootstrap(values)
    assert summarize([True, False]) == wilson_interval(1, 2)


def test_without_values_there_is_nothing_to_say():
    for values in ([], [math.nan]):
        got = summarize(values)
        assert (got.n, got.left_out) == (0, len(values))
        assert all(math.isnan(x) for x in (got.value, got.low, got.high))


def test_one_value_has_a_mean_and_no_interval():
    got = summarize([0.3])
    assert (got.value, got.n) == (0.3, 1)
    assert math.isnan(got.low)
    assert math.isnan(got.high)


def test_an_infinite_value_is_our_bug():
    with pytest.raises(ContractError, match="infinite"):
        summarize([0.5, math.inf])


def test_the_same_values_give_the_same_interval():
    values = [math.sqrt(i) % 1 for i in range(40)]
    assert bootstrap(values) == bootstrap(values)


def test_large_samples_are_resampled_in_pieces(monkeypatch):
    values = [i / 7 for i in range(7)]
    whole = bootstrap(values)
    _plan_resampling.cache_clear()
    monkeypatch.setattr("causarium.scoring.intervals._BLOCK_CELLS", 7 * 30)
    assert bootstrap(values) == whole


def test_importing_the_module_does_not_import_numpy():
    code = "import causarium.scoring.intervals, sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_interval_is_a_value():
    assert Interval(0.5, 0.4, 0.6, 10) == Interval(0.5, 0.4, 0.6, 10, left_out=0)


clustered = st.lists(st.tuples(unit, st.integers(0, 4)), min_size=1, max_size=30)


@few
@given(clustered)
def test_a_clustered_interval_holds_its_mean_and_counts_its_clusters(pairs):
    values, clusters = zip(*pairs, strict=True)
    got = summarize(values, clusters=clusters)
    assert got.value == pytest.approx(fmean(values))
    m = len(set(clusters))
    assert (got.n, got.clusters) == (len(values), m if m < len(values) else 0)
    if not math.isnan(got.low):
        assert 0 <= got.low <= got.value <= got.high <= 1


@few
@given(st.lists(unit | st.sampled_from([0.0, 1.0]), max_size=20))
def test_clusters_of_one_value_each_change_nothing(values):
    assert repr(summarize(values, clusters=range(len(values)))) == repr(summarize(values))


@few
@given(clustered, st.randoms(use_true_random=False))
def test_the_order_of_clustered_values_does_not_matter(pairs, rng):
    mixed = list(pairs)
    rng.shuffle(mixed)
    got, other = (
        summarize([value for value, _ in each], clusters=[cluster for _, cluster in each])
        for each in (pairs, mixed)
    )
    assert (got.low, got.high) == pytest.approx((other.low, other.high), nan_ok=True)


def test_copies_of_an_instance_say_no_more_than_the_instance():
    scores = [0.1, 0.4, 0.5, 0.9, 0.3, 0.7, 0.2, 0.8]
    alone = summarize(scores)
    copied = summarize(scores * 10, clusters=[*range(8)] * 10)
    assert (copied.low, copied.high) == pytest.approx((alone.low, alone.high))
    assert (copied.n, copied.clusters) == (80, 8)
    ids = {f"{number}": score for number, score in enumerate(scores * 10)}
    zeros = dict.fromkeys(ids, 0.0)
    shared = {id_: int(id_) % 8 for id_ in ids}
    gap = paired_difference(ids, zeros, clusters=shared)
    assert (gap.low, gap.high) == pytest.approx((alone.low, alone.high))


def test_a_clustered_interval_is_as_wide_as_the_clustered_standard_error():
    rng = Random(5)
    values, clusters = [], []
    for cluster in range(50):
        level = rng.gauss(0.5, 0.15)
        values += [level + rng.gauss(0, 0.05) for _ in range(8)]
        clusters += [cluster] * 8
    mean = fmean(values)
    sums = [sum(values[8 * c : 8 * c + 8]) - 8 * mean for c in range(50)]
    error = math.sqrt(sum(total**2 for total in sums)) / len(values)
    got = summarize(values, clusters=clusters)
    assert (got.high - got.low) / 2 == pytest.approx(1.96 * error, rel=0.1)
    plain = summarize(values)
    assert plain.high - plain.low < 0.6 * (got.high - got.low)


def test_shares_that_agree_are_as_sure_as_their_clusters_are_many():
    got = summarize([1.0] * 40, clusters=[number % 5 for number in range(40)])
    sure = wilson_interval(5, 5)
    assert (got.value, got.low, got.high) == (1.0, sure.low, 1.0)
    assert (got.n, got.clusters) == (40, 5)


def test_one_cluster_has_no_interval():
    got = summarize([0.2, 0.4], clusters=["a", "a"])
    assert (got.value, got.clusters) == (pytest.approx(0.3), 1)
    assert math.isnan(got.low)


@pytest.mark.parametrize(
    ("m", "size", "shares"),
    [
        *[(2, 4, False), (4, 3, False), (7, 4, False)],
        *[(10, 4, False), (20, 6, True), (50, 8, False), (50, 8, True)],
    ],
)
def test_a_95_percent_interval_holds_the_truth_93_to_97_times_in_a_hundred(m, size, shares):
    rng = Random(11)
    repetitions, held = 1_200, 0
    for _ in range(repetitions):
        values, clusters = [], []
        for cluster in range(m):
            level = rng.betavariate(2, 2)
            for _ in range(size):
                value = float(rng.random() < level) if shares else rng.gauss(level, 0.1)
                values.append(value)
                clusters.append(cluster)
        got = summarize(values, clusters=clusters)
        held += got.low <= 0.5 <= got.high
    assert 0.93 <= held / repetitions <= 0.97


def test_without_clusters_the_same_intervals_would_be_far_too_narrow():
    rng = Random(11)
    held = 0
    for _ in range(300):
        levels = [rng.betavariate(2, 2) for _ in range(20)]
        values = [rng.gauss(level, 0.1) for level in levels for _ in range(6)]
        got = summarize(values)
        held += got.low <= 0.5 <= got.high
    assert held / 300 < 0.75


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        *((1, 12.706205), (2, 4.302653), (3, 3.182446), (4, 2.776445), (5, 2.570582)),
        *((9, 2.262157), (10, 2.228139), (30, 2.042272), (120, 1.979930), (1000, 1.962339)),
    ],
)
def test_students_quantile_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    assert _student_quantile(0.975, freedom) == pytest.approx(quantile, abs=5e-6)


@given(st.floats(0.55, 0.999), st.integers(1, 60))
def test_students_quantile_undoes_its_distribution(share: float, freedom: int) -> None:
    quantile = _student_quantile(share, freedom)
    angle = math.atan(quantile / math.sqrt(freedom))
    assert _student_share_within(angle, freedom) == pytest.approx(2 * share - 1, abs=1e-9)
    assert quantile > _student_quantile(share, freedom + 1)
    assert quantile > NormalDist().inv_cdf(share)


def test_two_clusters_are_hardly_known_and_many_almost_as_a_normal_sample() -> None:
    tail = 0.025
    assert _expanded_tail(tail, 2) == pytest.approx(
        NormalDist().cdf(-math.sqrt(2) * 12.706205), abs=1e-12
    )
    assert _expanded_tail(tail, 3) == pytest.approx(
        NormalDist().cdf(-math.sqrt(1.5) * 4.302653), rel=1e-4
    )
    assert _expanded_tail(tail, 2_001) == pytest.approx(tail, rel=1e-2)


def roots(m: int) -> list[float]:
    return [math.sqrt(i) % 1 for i in range(m)]


@pytest.mark.parametrize(
    ("m", "low", "high"),
    [
        # The lower of these is a draw's last place that the tail leaves out, and the first.
        (38, 0.326138885, 0.520493659),
        (64, 0.382517057, 0.529020415),
        (1001, 0.464464177, 0.499588086),
    ],
)
def test_intervals_stay_what_they_were(m, low, high):
    got = bootstrap(roots(m))
    assert (got.low, got.high) == pytest.approx((low, high), abs=1e-9)


def test_clustered_intervals_stay_what_they_were():
    got = summarize(roots(40), clusters=[number % 9 for number in range(40)])
    assert (got.low, got.high) == pytest.approx((0.244566184, 0.563331332), abs=1e-9)
    # By hand: what the clusters lack of the mean is 1.125, -.875, -.25; Student's quantile 4.3027.
    mixed = summarize([1.0, 1, 1, 0, 1, 0, 0, 1], clusters=[1, 1, 1, 2, 2, 2, 3, 3])
    half = 4.302652730 * math.sqrt(3 * (1.125**2 + 0.875**2 + 0.25**2) / 2) / 8
    assert (mixed.value, mixed.high) == (0.625, 1.0)
    assert mixed.low == pytest.approx(max(0, 0.625 - half), abs=1e-9)
    four = summarize([0.2, 0.4, 0.3, 0.5])
    half = 3.182446305 * math.sqrt((0.15**2 + 0.05**2 + 0.05**2 + 0.15**2) / 3 / 4)
    assert (four.low, four.high) == pytest.approx((0.35 - half, 0.35 + half), abs=1e-9)
    lost = summarize([-0.5, 0.1])
    assert (lost.low, lost.high) == (-1.0, 1.0)
    never = summarize([0.0] * 5, clusters=[1, 1, 1, 2, 2])
    assert never == Interval(0.0, 0.0, wilson_interval(0, 2).high, 5, 0, 2)


def test_a_cluster_without_values_is_none():
    values = [1.0, math.nan, math.nan, 1.0, 0.0, 0.5]
    got = summarize(values, clusters=["a", "b", "b", "c", "c", "d"])
    assert (got.value, got.n, got.left_out, got.clusters) == (0.625, 4, 2, 3)
    assert got == summarize([1.0, 1.0, 0.0, 0.5, *[math.nan] * 2], clusters="accdee")


def test_values_that_all_agree_have_no_width():
    assert bootstrap([0.3, 0.3]) == Interval(0.3, 0.3, 0.3, 2)
    assert bootstrap([1.0, 1.0]) == Interval(1.0, 1.0, 1.0, 2)
    assert summarize([0.3] * 4, clusters="aabb") == Interval(0.3, 0.3, 0.3, 4, 0, 2)


def test_every_value_has_a_cluster_or_none_has():
    with pytest.raises(ContractError, match="3 values cannot be of 2"):
        summarize([1.0, 0.0, 1.0], clusters="ab")


def test_fewer_successes_than_none_are_our_bug():
    with pytest.raises(ContractError, match="-1 successes"):
        wilson_interval(-1, 4)

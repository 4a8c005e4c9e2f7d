"""Agreement of raters, against scipy and scikit-learn where they are at hand, and by hand."""

import math
from statistics import correlation

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.scoring.rater_agreement import kappa, spearman

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


def brute_ranks(values: list[float]) -> list[float]:
    return [
        (sum(other < value for other in values) + sum(other <= value for other in values) - 1) / 2
        for value in values
    ]


@given(PAIRS)
def test_spearman_is_the_correlation_of_ranks_counted_one_by_one(
    pairs: list[tuple[int, int]],
) -> None:
    one, other = ([float(value) for value in values] for values in zip(*pairs, strict=True))
    if len(set(one)) > 1 and len(set(other)) > 1:
        assert spearman(one, other) == correlation(brute_ranks(one), brute_ranks(other))


def test_spearman_of_a_hundred_thousand_takes_no_square_of_it() -> None:
    ordered = [float(value) for value in range(100_000)]
    assert spearman(ordered, ordered) == pytest.approx(1.0)
    assert spearman(ordered, ordered[::-1]) == pytest.approx(-1.0)


@given(PAIRS)
def test_spearman_is_scipys(pairs: list[tuple[int, int]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    one, other = ([float(value) for value in values] for values in zip(*pairs, strict=True))
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert math.isnan(spearman(one, other))
        return
    assert spearman(one, other) == pytest.approx(float(stats.spearmanr(one, other).statistic))


def test_kappa_of_a_table_worked_by_hand() -> None:
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: 0.7 observed, 0.5 by chance.
    one = ["yes"] * 25 + ["no"] * 25
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert kappa(one, other) == pytest.approx(0.4)


@given(st.lists(st.sampled_from("abc"), min_size=1))
def test_a_rater_agrees_with_itself(labels: list[str]) -> None:
    value = kappa(labels, labels)
    assert math.isnan(value) if len(set(labels)) == 1 else value == 1.0


def test_nothing_to_rate_is_not_agreement() -> None:
    assert math.isnan(kappa([], []))
    assert math.isnan(spearman([], []))


def test_labels_of_other_things_are_not_compared() -> None:
    with pytest.raises(ValueError, match="shorter"):
        kappa(["a", "b"], ["a"])

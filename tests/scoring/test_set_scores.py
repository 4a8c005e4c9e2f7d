"""Agreement of sets, conventions for empty ones included."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.scoring.graph_scores import SetAgreement, compare_sets

members = st.sets(st.integers(0, 5))


@given(members, members)
def test_only_the_truth_scores_one(proposed, true):
    got = compare_sets(proposed, true)
    assert (got.f1 == 1.0) == (proposed == true)
    assert (got.precision == got.recall == 1.0) == (proposed == true)


@given(members, members)
def test_every_ratio_is_a_number_from_zero_to_one(proposed, true):
    got = compare_sets(proposed, true)
    assert all(0.0 <= ratio <= 1.0 for ratio in (got.precision, got.recall, got.f1))


@given(members, members)
def test_f1_is_the_harmonic_mean_where_that_is_defined(proposed, true):
    got = compare_sets(proposed, true)
    if got.precision + got.recall:
        harmonic = 2 * got.precision * got.recall / (got.precision + got.recall)
        assert got.f1 == pytest.approx(harmonic)
    else:
        assert got.f1 == 0.0


@given(members, members)
def test_precision_and_recall_swap_when_the_sets_do(proposed, true):
    assert compare_sets(proposed, true).precision == compare_sets(true, proposed).recall


@pytest.mark.parametrize(
    ("proposed", "true", "expected"),
    [
        pytest.param([], [], (1.0, 1.0, 1.0), id="both-empty"),
        pytest.param([], [1], (0.0, 0.0, 0.0), id="nothing-proposed"),
        pytest.param([1], [], (0.0, 0.0, 0.0), id="nothing-true"),
        pytest.param([1, 2, 3, 4], [1, 2, 5], (0.5, 2 / 3, 4 / 7), id="some-of-each"),
    ],
)
def test_small_cases_come_out_as_by_hand(proposed, true, expected):
    got = compare_sets(proposed, true)
    assert (got.precision, got.recall, got.f1) == pytest.approx(expected)


def test_repeated_members_count_once():
    assert compare_sets([1, 1, 2], [1, 3, 3]) == SetAgreement(matched=1, missing=1, extra=1)

"""Tolerances and windows."""

import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import ContractError
from causarium.scoring.measures import error_of, is_close

numbers = st.floats(-1e6, 1e6)
tolerances = st.floats(0, 10)


@given(numbers, tolerances, tolerances)
def test_the_truth_is_right_under_every_tolerance(truth, absolute, relative):
    assert is_close(truth, truth, absolute=absolute, relative=relative)


@given(numbers, numbers, tolerances, tolerances)
def test_a_wider_tolerance_never_turns_right_into_wrong(value, truth, absolute, more):
    if is_close(value, truth, absolute=absolute):
        assert is_close(value, truth, absolute=absolute + more)
        assert is_close(value, truth, absolute=absolute, relative=more)


@given(numbers)
def test_what_is_not_finite_is_never_right(truth):
    for value in (math.nan, math.inf, -math.inf):
        assert not is_close(value, truth, absolute=1e9, relative=1e9)
        assert math.isnan(error_of(value, truth))


@pytest.mark.parametrize(
    ("value", "truth", "absolute", "relative", "right"),
    [
        (2.5, 2.0, 0.5, 0.0, True),
        (2.51, 2.0, 0.5, 0.0, False),
        (105.0, 100.0, 0.0, 0.05, True),
        (-105.0, -100.0, 0.0, 0.05, True),
        (106.0, 100.0, 0.0, 0.05, False),
        (106.0, 100.0, 6.0, 0.05, True),
        (0.001, 0.0, 0.0, 0.5, False),
    ],
)
def test_the_wider_tolerance_counts_and_its_edge_is_inside(value, truth, absolute, relative, right):
    assert is_close(value, truth, absolute=absolute, relative=relative) is right


def test_a_large_proposal_does_not_widen_its_own_tolerance():
    assert not is_close(200.0, 100.0, relative=0.5)


def test_an_error_has_no_sign():
    assert error_of(1.5, 2.0) == error_of(2.5, 2.0) == 0.5


def test_the_errors_of_many_have_a_mean():
    assert fmean([error_of(1.7e308, -1e308)] * 1000) == pytest.approx(1e300)


@pytest.mark.parametrize("tolerance", [-0.1, math.nan, math.inf])
def test_an_impossible_tolerance_is_our_bug(tolerance):
    with pytest.raises(ContractError, match="the relative tolerance is"):
        is_close(1.0, 1.0, relative=tolerance)


def test_an_impossible_truth_is_our_bug():
    with pytest.raises(ContractError, match="the truth must be finite"):
        is_close(1.0, math.nan)

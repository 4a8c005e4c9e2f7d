"""Reach on numbers small enough for paper, and what must hold of every ladder."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.rungs import Rungs, name_rung
from causarium.errors import UsageError
from causarium.scoring.reach import OPEN_ABOVE, average_reaches, find_reach, find_spent_rung

scores = st.lists(
    st.tuples(
        st.integers(1, 8),
        st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0, math.nan]),
        st.integers(0, 20),
    ),
    max_size=60,
)


def test_three_rungs_solved_and_half_of_the_fourth_is_three_and_a_half():
    solved = [(rung, 1.0, (rung, i)) for rung in (1, 2, 3) for i in range(12)]
    half = [(4, float(i % 2), i) for i in range(12)]
    nothing = [(rung, 0.0, (rung, i)) for rung in (5, 6) for i in range(12)]
    found = find_reach(solved + half + nothing)
    assert found.value == 3.5
    assert found.low < 3.5 < found.high
    assert not found.open
    assert found.in_words == "3.5"
    assert [one.mean for one in found.rungs] == [1, 1, 1, 0.5, 0, 0]


def test_a_ladder_that_goes_on_leaves_the_reach_open():
    found = find_reach([(1, 1.0, 0), (1, 1.0, 1), (2, 1.0, 2), (2, 0.0, 3)])
    assert found.open
    assert found.in_words == ">= 1.5"


def test_a_negative_sum_stays_in_the_value_and_is_zero_in_words():
    found = find_reach([(1, -0.5, i) for i in range(12)])
    assert (found.value, found.in_words) == (-0.5, "0.0")
    assert found.low < -0.5


def test_zeros_have_an_interval():
    found = find_reach([(rung, 0.0, i) for rung in (1, 2) for i in range(12)])
    assert (found.value, found.low) == (0, 0)
    assert 0.3 < found.high < 0.4


def test_without_scores_there_is_no_reach():
    assert math.isnan(find_reach([(1, math.nan, 0)]).value)


@given(scores)
def test_an_interval_holds_its_value_and_stays_on_the_ladder(given_scores):
    found = find_reach(given_scores)
    if not found.rungs:
        return
    assert found.low <= found.value <= found.high + 1e-12
    assert found.high <= found.rungs[-1].rung
    assert found.open == (found.rungs[-1].mean > OPEN_ABOVE)


@given(scores, st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=12))
def test_a_rung_above_changes_nothing_below(below, above):
    lower = find_reach(below)
    both = find_reach([*below, *((9, score, i) for i, score in enumerate(above))])
    assert both.rungs[:-1] == lower.rungs
    if lower.rungs:
        assert both.value == pytest.approx(lower.value + both.rungs[-1].mean)


def test_two_rungs_without_a_score_end_the_climb():
    assert find_spent_rung({}) is None
    assert find_spent_rung({1: [0.0] * 12}) is None
    assert find_spent_rung({1: [1.0] * 12, 2: [0.0] * 12, 3: [-0.5] * 12, 4: [0.0]}) == 3
    assert find_spent_rung({2: [0.0] * 12, 3: [0.1] + [0.0] * 11}) is None
    assert find_spent_rung({2: [0.0] * 7, 3: [0.0] * 12}) is None
    assert find_spent_rung({1: [0.0] * 12, 3: [0.0] * 12}) is None


def test_rungs_go_from_one_to_the_top():
    ladder = Rungs(make=lambda rung: rung * 10, top=3)
    assert ladder.levels == {"rung-1": 10, "rung-2": 20, "rung-3": 30}
    assert ladder.config_of(2) == 20
    for rung in (0, 4):
        with pytest.raises(UsageError, match=f"no rung {rung}; rungs go from 1 to 3"):
            ladder.config_of(rung)
    assert name_rung(7) == "rung-7"


def test_a_mean_of_reaches_is_as_sure_as_its_rungs():
    """Ends cut at 0 say nothing of how sure a reach is: five small ones are not above guessing."""
    one = find_reach([(1, score, i) for i, score in enumerate([1.0, -1.0, 1.0, -0.5] * 3)])
    assert 0 == one.low < one.value
    found = average_reaches([one] * 5)
    assert found.value == pytest.approx(one.value)
    assert found.low == 0
    assert one.value < found.high < one.high
    beaten = find_reach([(1, -score, i) for i, score in enumerate([1.0, 0.5, 1.0, 0.0] * 3)])
    assert average_reaches([beaten] * 5).low < beaten.value

"""Effort against the optimum: the table in the module, line by line."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import ContractError
from causarium.scoring.measures import effort

counts = st.integers(0, 1000)


@given(st.integers(1, 1000))
def test_the_optimal_agent_has_effort_one(optimum):
    assert effort(optimum, optimum) == 1.0


@given(counts, st.integers(1, 1000))
def test_using_more_is_never_less_effort(used, optimum):
    assert effort(used + 1, optimum) > effort(used, optimum)


@pytest.mark.parametrize(
    ("used", "optimum", "ratio"),
    [
        (6, 3, 2.0),
        (2, 3, 2 / 3),
        (0, 3, 0.0),
        (0, 0, math.nan),
        (4, 0, math.nan),
        (4, None, math.nan),
    ],
)
def test_every_line_of_the_table_holds(used, optimum, ratio):
    assert effort(used, optimum) == pytest.approx(ratio, nan_ok=True)


@pytest.mark.parametrize(("used", "optimum"), [(-1, 2), (1, -2), (math.nan, 2), (1, math.inf)])
def test_an_impossible_count_is_our_bug(used, optimum):
    with pytest.raises(ContractError, match="must be a count, 0 or more"):
        effort(used, optimum)

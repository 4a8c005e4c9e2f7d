"""The rubric's scales, the failure patterns and the agreement of judges, by hand and by law."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalgame.paper.helpers import compare_judges
from causarium.families.causalgame.paper.scoring.judge import (
    CRITERIA,
    FULL_SCALE,
    HEADLINE_SCALE,
    HIGH_RUBRIC,
    NAMES,
    WORTH,
    make_empty_grades,
    pattern,
    points,
)
from causarium.families.causalgame.paper.views.charts import kappa_from_shares
from causarium.scoring.rater_agreement import kappa

GRADES = st.fixed_dictionaries({one.id: st.sampled_from(one.grades) for one in CRITERIA})


def grades(**changes):
    named = {name.replace("_", "."): grade for name, grade in changes.items()}
    assert named.keys() <= make_empty_grades().keys()
    return {**make_empty_grades(), **named}


def test_the_seventeen_published_weights_make_the_published_scales():
    assert {one.id: one.weight for one in CRITERIA} == {
        "D1.1": 2,
        "D1.2": 1,
        "D2.M1": 5,
        "D2.M2": 4,
        "D2.1": 2,
        "D2.2": 2,
        "D2.N1": -5,
        "D3.1": 2,
        "D3.2": 1,
        "D3.N1": -2,
        "D4.M1": 4,
        "D4.N1": -4,
        "D4.1": 2,
        "D4.2": 1,
        "D5.1": 2,
        "D5.2": 1,
        "TASK.M1": 5,
    }
    assert sum(one.weight for one in CRITERIA if not one.penalty) == FULL_SCALE == 34
    assert sum(one.weight for one in CRITERIA if one.headline) == HEADLINE_SCALE == 16
    assert [one.id for one in CRITERIA if one.mandatory] == ["D2.M1", "D2.M2", "D4.M1", "TASK.M1"]


def test_only_what_costs_points_is_a_penalty():
    first = CRITERIA[0]
    kinds = [first.model_copy(update={"weight": weight}).penalty for weight in (-1, 0, 1)]
    assert kinds == [True, False, False]


def test_the_best_report_has_all_points_and_the_worst_has_eleven_below_none():
    best = {o.id: "NOT_SATISFIED" if o.penalty else "SATISFIED" for o in CRITERIA}
    worst = {o.id: "SATISFIED" if o.penalty else "NOT_SATISFIED" for o in CRITERIA}
    assert points(best) == {
        "rubric_full": 34,
        "rubric_headline": 16,
        "causal_reasoning": 11,
        "experimental_design": 2,
        "reflection": 2,
        "data_usage": 1,
        "mandatory_met": 4,
    }
    assert points(worst)["rubric_full"] == -11


def test_the_published_example_sessions_add_up():
    # Sessions 623fb3ba and a29882fa of the paper's Table 17, headline criteria alone.
    first = points(grades(D4_1="SATISFIED", D4_2="PARTIALLY_SATISFIED"))
    assert first["rubric_headline"] == 2.5
    third = points(grades(D4_1="SATISFIED", D3_1="SATISFIED", D4_2="SATISFIED"))
    assert third["rubric_headline"] == 5
    assert third["causal_reasoning"] == 0


@given(GRADES)
@settings(max_examples=50)
def test_the_headline_scale_is_the_sum_of_its_dimensions_and_no_scale_is_left(given_grades):
    found = points(given_grades)
    parts = ("causal_reasoning", "experimental_design", "reflection", "data_usage")
    assert found["rubric_headline"] == sum(found[part] for part in parts)
    assert -11 <= found["rubric_full"] <= 34
    assert 0 <= found["rubric_headline"] <= 16


@given(GRADES, st.floats(0, 1), st.booleans())
@settings(max_examples=100)
def test_every_session_has_one_pattern_and_it_keeps_the_published_conditions(g, survival, won):
    found = points(g)
    named = pattern(found, survival=survival, won=won)
    assert named in NAMES
    assert (named == "none") == won
    if named == "A":
        assert found["causal_reasoning"] == 0
        assert found["experimental_design"] < 1
    if named in {"B", "D"}:
        assert found["causal_reasoning"] == 0
        assert found["experimental_design"] >= 1
    if named == "C":
        assert survival < 0.5
        assert found["reflection"] >= 1
        assert found["rubric_full"] >= HIGH_RUBRIC


PUBLISHED = {
    "A": grades(D1_1="SATISFIED"),
    "B": grades(D4_1="PARTIALLY_SATISFIED"),
    "D": grades(D4_1="SATISFIED", D4_2="PARTIALLY_SATISFIED"),
    "E": grades(D2_2="PARTIALLY_SATISFIED"),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_pattern_by_hand(name):
    assert pattern(points(PUBLISHED[name]), survival=0.3, won=False) == name
    assert pattern(points(PUBLISHED[name]), survival=0.9, won=True) == "none"


def test_talk_without_causal_reasoning_and_without_survival_is_pattern_c():
    talk = grades(
        D1_1="SATISFIED",
        D1_2="SATISFIED",
        D3_1="SATISFIED",
        D3_2="SATISFIED",
        D4_M1="SATISFIED",
        D4_1="SATISFIED",
        D5_1="SATISFIED",
    )
    found = points(talk)
    assert found["causal_reasoning"] == 0
    assert found["rubric_full"] == 14
    assert pattern(found, survival=0.27, won=False) == "C"
    assert pattern(found, survival=0.55, won=False) == "B"


@given(st.lists(st.tuples(GRADES, GRADES), min_size=1, max_size=4))
@settings(max_examples=40)
def test_kappa_from_counts_is_kappa_over_all_grades(sessions):
    every = [(a[n], b[n]) for a, b in sessions for n in a]
    shares = [
        [sum(pair[side] == step for pair in every) / len(every) for step in WORTH]
        for side in (0, 1)
    ]
    agreement = sum(a == b for a, b in every) / len(every)
    assert kappa_from_shares(agreement, *shares) == pytest.approx(
        kappa(*zip(*every, strict=True)), nan_ok=True
    )


def test_two_judges_are_compared_and_one_is_not():
    given = next(iter(PUBLISHED.values()))
    alone, twice = compare_judges([given]), compare_judges([given, given])
    assert math.isnan(alone["judge_agreement"])
    assert math.isnan(alone["judge_kappa"])
    assert twice["judge_agreement"] == twice["judge_kappa"] == 1
    assert twice["judge_first"] == twice["judge_second"] == points(given)["rubric_full"]

"""The trajectory: one grade a turn, and the area under it."""

from statistics import fmean

import pytest

from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LabConfig, LabRules
from causarium.families.causalab.paper.model.actions import Intervene, Measure, Submit
from causarium.families.causalab.paper.scoring.score import score
from tests.families.causalab.paper.made import (
    F,
    believe,
    made,
    numbers_of,
    played,
    trajectory,
    turns_of,
)

SIMPLE = made({("density", "moisture"): 3, ("moisture", F): 2, ("density", F): 1})
FIRST = believe(("density", F), base=1)
TRUE = believe(
    ("density", "moisture"), ("moisture", F), ("density", F), base=20, c_moisture=2, c_density=1
)


def growing():
    return (
        Measure(),
        Intervene(property="ph", value=1.0, hypothesis=FIRST),
        Intervene(property="density", value=1.0),
        Submit(value=SIMPLE.secret.target, hypothesis=TRUE),
    )


def test_a_belief_is_held_until_the_next_one():
    points = trajectory(SIMPLE, LabRules(), turns_of(SIMPLE, *growing()))
    assert [point.grade.edges.matched for point in points] == [0, 1, 1, 3]
    assert [point.changed for point in points] == [False, True, False, True]
    assert [point.interventions for point in points] == [0, 1, 2, 2]
    assert [len(point.edges) for point in points] == [0, 1, 1, 3]


def test_the_area_is_the_mean_over_the_turns():
    turns = turns_of(SIMPLE, *growing())
    points = trajectory(SIMPLE, LabRules(), turns)
    numbers = score(SIMPLE, LabRules(), turns).numbers
    for name in ("edge_f1", "shd", "root_f1", "freq_edge_f1", "weight_f1"):
        assert numbers[f"{name}_area"] == pytest.approx(fmean(p.numbers[name] for p in points))
    assert numbers["edge_f1_area"] == pytest.approx((0 + 0.5 + 0.5 + 1) / 4)
    assert numbers["hypotheses"] == 2


def test_the_last_point_is_the_verdict():
    for index in range(5):
        instance = generate(LabConfig(nodes=5), 2, index)
        turns = played("scientist", instance)
        last = trajectory(instance, LabRules(), turns)[-1].numbers
        found = score(instance, LabRules(), turns).numbers
        assert {name: found[name] for name in last} == last


def test_the_truth_from_the_first_turn_has_an_area_of_one():
    numbers = numbers_of(SIMPLE, Submit(value=0.0, hypothesis=TRUE))
    assert numbers["edge_f1_area"] == numbers["weight_f1_area"] == 1
    assert numbers["shd_area"] == 0


def test_an_empty_object_does_not_wipe_a_belief_out():
    points = trajectory(
        SIMPLE,
        LabRules(),
        turns_of(
            SIMPLE,
            Intervene(property="ph", value=1.0, hypothesis=TRUE),
            Intervene(property="ph", value=2.0, hypothesis=believe()),
        ),
    )
    assert [point.grade.edges.f1 for point in points] == [1, 1]


def test_the_dialog_has_the_same_grades_over_more_turns():
    instance = generate(LabConfig(nodes=4), 2, 0)
    dialog = LabRules(interface="dialog")
    turns = played("scientist", instance, dialog)
    points = trajectory(instance, dialog, turns)
    direct = trajectory(instance, LabRules(), played("scientist", instance))
    assert len(points) == len(turns) > len(direct)
    assert points[-1].numbers == direct[-1].numbers
    assert points[-1].interventions == direct[-1].interventions

"""Commitment: what is left, what the agent's own data say, and what a verification changes."""

import math

import pytest

from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import Hidden, LabConfig, LabRules
from causarium.families.causalab.paper.model.actions import Intervene, Submit, Verify
from causarium.families.causalab.paper.scoring.score import score, slack
from tests.families.causalab.paper.made import F, believe, made, numbers_of, turns_of, verdict_of

SIMPLE = made({("density", "moisture"): 3, ("moisture", F): 2, ("density", F): 1})
TARGET = SIMPLE.secret.target
TRUE = believe(
    ("density", "moisture"), ("moisture", F), ("density", F), base=20, c_moisture=2, c_density=1
)
OFF = believe(("moisture", F), ("density", F), base=30, c_moisture=2, c_density=1)
OPEN = believe(("moisture", F), base=30, c_moisture=None)


def test_a_hypothesis_that_is_off_by_ten_everywhere_has_an_error_of_ten():
    numbers = numbers_of(SIMPLE, Submit(value=TARGET, hypothesis=OFF))
    assert numbers["explained"] == 0
    assert numbers["fit_error"] == pytest.approx(10)


def test_an_unknown_coefficient_explains_nothing_and_has_no_error():
    numbers = numbers_of(SIMPLE, Submit(value=TARGET, hypothesis=OPEN))
    assert numbers["explained"] == 0
    assert math.isnan(numbers["fit_error"])


def test_a_share_of_the_readings_can_be_explained():
    # ph does not act on the frequency; a belief that it does fits where ph is 7.
    moves = [Intervene(property="ph", value=float(v)) for v in (7, 7, 9)]
    claim = believe(
        ("density", F), ("moisture", F), ("ph", F), base=13, c_moisture=2, c_density=1, c_ph=1
    )
    instance = made({("density", "moisture"): 3, ("moisture", F): 2, ("density", F): 1})
    numbers = numbers_of(instance, *moves, Submit(value=0.0, hypothesis=claim))
    assert numbers["explained"] == pytest.approx(2 / 6)


def test_turns_after_the_first_fit_are_counted():
    moves = [
        Intervene(property="ph", value=1.0, hypothesis=OFF),
        Intervene(property="ph", value=2.0, hypothesis=TRUE),
        Intervene(property="ph", value=3.0),
        Submit(value=TARGET),
    ]
    numbers = numbers_of(SIMPLE, *moves)
    assert numbers["turns_after_fit"] == 2
    assert math.isnan(numbers_of(SIMPLE, moves[0])["turns_after_fit"])


@pytest.mark.parametrize(
    ("interventions", "hypothesis", "submits", "label"),
    [
        (1, TRUE, True, "fitted"),
        (1, OFF, True, "early"),
        (1, None, True, "early"),
        (11, OFF, True, "early"),
        (12, OFF, True, "spent"),
        (12, TRUE, False, "unsubmitted"),
    ],
)
def test_commitments_are_named(interventions, hypothesis, submits, label):
    moves = [
        Intervene(property="ph", value=float(number), hypothesis=hypothesis)
        for number in range(interventions)
    ]
    moves += [Submit(value=TARGET)] if submits else []
    verdict = score(SIMPLE, LabRules(), turns_of(SIMPLE, *moves))
    assert verdict.labels["commitment"] == label
    assert verdict.numbers["budget_left"] == 12 - interventions


def test_a_verification_is_told_with_what_changed_after_it():
    rules = LabRules(verification="offered")
    moves = [Verify(hypothesis=OFF), Submit(value=TARGET, hypothesis=TRUE)]
    numbers = numbers_of(SIMPLE, *moves, rules=rules)
    assert (numbers["verified"], numbers["revised"]) == (1, 1)
    assert numbers["verification_gain"] == pytest.approx(1 - 0.8)
    assert numbers["verification_fit_gain"] == 1
    kept = numbers_of(SIMPLE, Verify(hypothesis=TRUE), Submit(value=TARGET), rules=rules)
    assert (kept["revised"], kept["verification_gain"]) == (0, 0)


def test_no_verification_is_zero_where_offered_and_does_not_apply_elsewhere():
    submit = Submit(value=TARGET, hypothesis=TRUE)
    offered = numbers_of(SIMPLE, submit, rules=LabRules(verification="offered"))
    assert offered["verified"] == 0
    assert math.isnan(offered["revised"])
    assert math.isnan(numbers_of(SIMPLE, submit)["verified"])


def test_a_verification_at_the_desk_of_the_dialog_counts_too():
    rules = LabRules(verification="required", interface="dialog")
    assert verdict_of("scientist", SIMPLE, rules).numbers["verified"] == 1


def test_a_disturbed_frequency_is_allowed_what_the_disturbance_adds():
    config = LabConfig(hidden=Hidden(count=1, span=5.0, frequency=True))
    instance = generate(config, 0, 0)
    assert slack(instance) == pytest.approx(5.1)
    assert slack(SIMPLE) == pytest.approx(0.1)
    assert verdict_of("oracle", instance).numbers["explained"] == 1


def test_no_belief_fits_nothing():
    numbers = numbers_of(SIMPLE)
    assert numbers["explained"] == 0
    assert math.isnan(numbers["fit_error"])


def test_writing_the_same_in_another_way_is_no_revision():
    rules = LabRules(verification="offered")
    again = believe(
        ("Density", "frequency"),
        ("moisture", F),
        ("density", "moisture"),
        equation="f = base + c_density * density + c_moisture * moisture",
        c_density=1,
        base=20.0,
        c_Moisture=2,
    )
    moves = [Verify(hypothesis=TRUE), Submit(value=TARGET, hypothesis=again)]
    numbers = numbers_of(SIMPLE, *moves, rules=rules)
    assert (numbers["revised"], numbers["hypotheses"]) == (0, 1)
    other = believe(*((e.cause, e.effect) for e in TRUE.edges), base=20, c_moisture=2, c_density=3)
    moves[1] = Submit(value=TARGET, hypothesis=other)
    numbers = numbers_of(SIMPLE, *moves, rules=rules)
    assert (numbers["revised"], numbers["hypotheses"]) == (1, 2)

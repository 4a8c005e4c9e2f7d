"""The lab: budget, lock, reactor, and what it refuses."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LEVELS, LabRules
from causarium.families.causalab.paper.mechanics.lab import Lab, Refusal, is_within_tolerance

CERTIFIED = LabRules()
ORIGINAL = LabRules(**dict.fromkeys(LabRules.quirks, True))


def _lab(level="paper-linear-4", index=0, rules=CERTIFIED):
    return Lab(generate(LEVELS[level], 0, index), rules)


def test_an_intervention_shows_the_value_that_was_asked_for_and_costs_one():
    lab = _lab()
    name = lab.public.names[1]
    values = lab.intervene(name, 42.5)
    assert values[1] == 42.5
    assert (lab.used, lab.left) == (1, lab.public.budget - 1)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e300, 1e9 + 1])
def test_a_value_that_is_not_finite_or_too_far_is_refused_and_costs_nothing(value):
    lab = _lab()
    before = list(lab.measure())
    assert (
        "is not a number between -1,000,000,000 and 1,000,000,000"
        in lab.intervene(lab.public.names[0], value).reason
    )
    assert lab.used == 0
    assert lab.measure() == before


@pytest.mark.parametrize("name", ["", "unobtainium", "x" * 100_000, "\0"])
def test_an_unknown_property_is_refused_with_those_that_exist(name):
    lab = _lab()
    refused = lab.intervene(name, 1.0)
    assert all(known in refused.reason for known in lab.public.names)
    assert len(refused.reason) < 400


@pytest.mark.parametrize("name", ["resonanceFreq", "Resonance Frequency (Hz)", "freq"])
def test_the_frequency_cannot_be_put_to_a_value(name):
    assert "cannot be put to a value" in _lab().intervene(name, 1.0).reason


def test_properties_answer_to_any_of_their_names():
    lab = _lab("paper-linear-8")
    for number, prop in enumerate(lab.public.properties):
        for name in (prop.name, prop.display, prop.name.upper(), f" {prop.display.lower()} "):
            assert lab.node(name) == number


def test_the_budget_ends_exactly_where_it_should():
    lab = _lab("paper-grid-4-3o3i")
    name = lab.public.names[0]
    assert not any(isinstance(lab.intervene(name, float(v)), Refusal) for v in range(3))
    assert lab.intervene(name, 9.0) == Refusal("all 3 interventions are used up")


def test_opening_the_reactor_locks_the_manipulator_for_good():
    lab = _lab("paper-linear-4")
    lab.open_reactor()
    for refused in (lab.measure(), lab.intervene(lab.public.names[0], 1.0)):
        assert "locked" in refused.reason


def test_values_that_would_leave_every_scale_are_refused_and_nothing_moves():
    lab = _lab("paper-hard-quadratic-5")
    before = list(lab.measure())
    roots = [n for n in lab.public.names if isinstance(lab.intervene(n, 1e9), Refusal)]
    assert roots
    assert lab.used == len(lab.public.names) - len(roots)
    if lab.used == 0:
        assert lab.measure() == before


def test_one_submission_ends_it_in_the_certified_edition():
    drawn = generate(LEVELS["paper-linear-4"], 0, 0)
    lab = Lab(drawn, CERTIFIED)
    assert lab.submit(drawn.secret.target + 5.0) is True
    assert lab.submit(drawn.secret.target) == Refusal("no submission is left")


def test_a_submission_out_of_range_is_refused_and_not_counted():
    lab = _lab()
    assert "can be tuned from 0 to 10,000" in lab.submit(1e7).reason
    assert "not a finite number" in lab.submit(math.nan).reason
    assert lab.submissions_left == 1
    assert not lab.locked


@given(st.floats(-20, 20), st.integers(-1000, 1000))
def test_the_certified_window_is_symmetric_and_as_stated(offset, target):
    hit = is_within_tolerance(target + offset, float(target), 5.0, CERTIFIED)
    assert hit == is_within_tolerance(target - offset, float(target), 5.0, CERTIFIED)
    if abs(abs(offset) - 5.0) > 1e-6:
        assert hit == (abs(offset) < 5.0)


@pytest.mark.parametrize("edge", [-5.0, 5.0])
def test_the_stated_ends_of_the_certified_window_are_inside(edge):
    assert is_within_tolerance(100.1 + edge, 100.1, 5.0, CERTIFIED)


@pytest.mark.parametrize(
    ("offset", "hit"),
    [(4.99, True), (-4.0, True), (-4.5, False), (-4.9, False), (5.0, False), (0.0, True)],
)
def test_the_published_window_is_lopsided(offset, hit):
    assert is_within_tolerance(156.0 + offset, 156.0, 5.0, ORIGINAL) is hit


def test_the_last_published_submission_can_never_succeed():
    drawn = generate(LEVELS["paper-linear-4"], 0, 0)
    lab = Lab(drawn, ORIGINAL)
    assert [lab.submit(drawn.secret.target + 50) for _ in range(2)] == [False, False]
    assert lab.submit(drawn.secret.target) is False
    assert lab.submissions_left == 0


def test_the_second_published_submission_can_succeed():
    drawn = generate(LEVELS["paper-linear-4"], 0, 0)
    lab = Lab(drawn, ORIGINAL)
    assert lab.submit(drawn.secret.target + 50) is False
    assert lab.submit(drawn.secret.target) is True


def _noise(lab, count=40):
    index = lab.public.names.index(next(iter(lab.public.names)))
    return [tuple(lab.intervene(lab.public.names[index], 10.0)) for _ in range(count)]


def test_a_disturbance_is_drawn_anew_after_every_intervention_and_the_same_every_time():
    drawn = generate(LEVELS["paper-hidden-n1"].model_copy(update={"interventions": 40}), 0, 0)
    one, again = _noise(Lab(drawn, CERTIFIED)), _noise(Lab(drawn, CERTIFIED))
    assert one == again
    assert len(set(one)) == 3


def test_a_disturbance_is_absent_before_the_first_intervention():
    drawn = generate(LEVELS["paper-hidden-n3"], 0, 0)
    assert tuple(Lab(drawn, CERTIFIED).measure()) == (
        *drawn.public.manipulator.values,
        drawn.public.manipulator.frequency,
    )


def test_a_disturbed_node_reads_the_value_plus_the_disturbance():
    drawn = generate(LEVELS["paper-hidden-n1"], 0, 1)
    lab = Lab(drawn, CERTIFIED)
    name = drawn.secret.disturbance.affected[0]
    node = drawn.public.names.index(name)
    seen = {lab.intervene(name, 50.0)[node] for _ in range(drawn.public.budget)}
    assert seen <= {45.0, 50.0, 55.0}
    assert len(seen) > 1


def test_a_refused_intervention_uses_no_draw_of_the_disturbance_up():
    drawn = generate(LEVELS["paper-hidden-n1"], 0, 0)
    plain, pestered = Lab(drawn, CERTIFIED), Lab(drawn, CERTIFIED)
    name = drawn.public.names[0]
    for value in (1.0, 2.0, 3.0, 4.0):
        pestered.intervene(name, math.nan)
        pestered.intervene("nothing", 1.0)
        assert pestered.intervene(name, value) == plain.intervene(name, value)

"""The dialog interface: places, pages, the one-way lock, and players that walk through them."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.world import Unparsed
from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LabConfig, LabRules
from causarium.families.causalab.paper.model.actions import (
    Choose,
    Enter,
    Go,
    Intervene,
    Measure,
    Submit,
    Talk,
    Verify,
)
from causarium.families.causalab.paper.play.dialog import DialogWorld
from causarium.families.causalab.paper.play.replies import parse
from causarium.families.causalab.paper.play.world import LabWorld, turn_limit
from causarium.families.causalab.paper.players.dialog_player import through_interface

INSTANCE = generate(LabConfig(level="test", nodes=4), 0, 0)
PUBLIC = INSTANCE.public
RULES = LabRules(interface="dialog")
TRUE = {
    "edges": [{"from": e.cause, "to": e.effect} for e in INSTANCE.secret.edges],
    "freq_equation": "",
    "coefficients": {},
}


def world(**rules):
    return DialogWorld(INSTANCE, LabRules(interface="dialog", **rules))


def play(plan, place):
    """Let a plan play in a world to its end; return how many turns it took."""
    turns = 0
    try:
        action = next(plan)
        while not place.done:
            seen = place.act(action)
            turns += 1
            action = plan.send(seen)
    except StopIteration:
        pass
    return turns


def test_the_manipulators_page_lists_the_crystal_the_uses_and_the_options():
    place = world()
    assert place.act(Go(place="Manipulator Lab")).legal
    seen = place.act(Talk())
    lines = seen.text.split("\n")
    for prop, value in zip(PUBLIC.properties, PUBLIC.manipulator.values, strict=True):
        assert f"{prop.display}: {value:.2f}" in lines
    assert f"Uses: 0 of {PUBLIC.budget}, {PUBLIC.budget} left." in lines
    assert lines[-4:] == [
        *(f"{n}. Adjust {p.display}" for n, p in enumerate(PUBLIC.properties, 1)),
        "4. Exit",
    ]


def test_a_value_page_takes_a_value_and_nothing_else():
    place = world()
    place.act(Go(place="manipulator"))
    place.act(Talk())
    seen = place.act(Choose(option=2))
    assert PUBLIC.properties[1].display in seen.text
    assert place.allowed_actions == (Enter,)
    for move in (Choose(option=1), Talk(), Go(place="reactor"), Unparsed(mode="x", detail="y")):
        assert not place.act(move).legal
    assert place.allowed_actions == (Enter,)
    entered = place.act(Enter(value=33))
    assert entered.legal
    assert entered.cost == 1
    assert place.spent == 1
    assert entered.data["values"][1] == 33.0


def test_opening_the_reactor_locks_the_manipulator_for_good():
    place = world()
    place.act(Go(place="reactor lab"))
    opened = place.act(Talk())
    assert "Submissions: 0 of 1." in opened.text
    place.act(Choose(option=2))
    place.act(Go(place="manipulator"))
    seen = place.act(Talk())
    assert "Locked" in seen.text
    assert place.allowed_actions == (Choose,)
    assert seen.data["options"] == ["Exit"]
    assert "values" not in seen.data


def test_merely_walking_to_the_reactor_locks_nothing():
    place = world()
    place.act(Go(place="reactor lab"))
    place.act(Go(place="manipulator lab"))
    assert "values" in place.act(Talk()).data


def test_a_spent_budget_leaves_only_the_exit():
    place = world()
    place.act(Go(place="manipulator"))
    place.act(Talk())
    for value in range(PUBLIC.budget):
        place.act(Choose(option=1))
        seen = place.act(Enter(value=value))
    assert seen.data["options"] == ["Exit"]
    assert seen.data["left"] == 0
    assert place.spent == PUBLIC.budget


def test_the_reactors_page_shows_its_crystal_and_never_the_target():
    place = world()
    place.act(Go(place="reactor"))
    seen = place.act(Talk())
    for prop, value in zip(PUBLIC.properties, PUBLIC.reactor, strict=True):
        assert f"{prop.display}: {value:.2f}" in seen.text
    assert f"{INSTANCE.secret.target:.2f}" not in seen.text


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (Talk(), "walk to a place first"),
        (Go(place="moon"), "there is no place 'moon'"),
        (Choose(option=1), "no dialog is open"),
        (Enter(value=1), "no page is asking"),
        (Measure(), "not an action of this interface"),
        (Unparsed(mode="no json", detail="no JSON object"), "no JSON object"),
    ],
)
def test_a_refused_move_says_why_and_where_one_is(move, said):
    place = world()
    seen = place.act(move)
    assert not seen.legal
    assert said in seen.text
    assert "You are in the corridor" in seen.text


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (Choose(option=0), "the options are 1 to 4, not 0"),
        (Choose(option=5), "the options are 1 to 4, not 5"),
        (Go(place="reactor"), "leave it first"),
        (Talk(), "open already"),
        (Enter(value=3), "no page is asking"),
    ],
)
def test_an_open_page_refuses_what_it_does_not_offer(move, said):
    place = world()
    place.act(Go(place="manipulator"))
    place.act(Talk())
    seen = place.act(move)
    assert not seen.legal
    assert said in seen.text
    assert "1. Adjust" in seen.text


def test_an_absurd_value_costs_nothing_and_the_page_stays():
    place = world()
    place.act(Go(place="manipulator"))
    place.act(Talk())
    place.act(Choose(option=1))
    seen = place.act(Enter(value=1e300))
    assert not seen.legal
    assert place.spent == 0
    assert place.allowed_actions == (Enter,)


def test_a_required_check_is_made_at_the_desk_before_the_reactor_opens():
    place = world(verification="required")
    place.act(Go(place="reactor"))
    assert "checked at the desk first" in place.act(Talk()).text
    place.act(Go(place="desk"))
    place.act(Talk(device="notebook"))
    assert "no hypothesis in this reply" in place.act(Choose(option=1)).text
    checked = place.act(Choose(option=1, hypothesis=TRUE))
    assert "readings" in checked.text
    assert checked.data["options"] == ["Exit"]
    place.act(Choose(option=1))
    place.act(Go(place="reactor"))
    assert place.act(Talk()).legal


def test_there_is_no_desk_where_there_is_no_check():
    assert not world().act(Go(place="desk")).legal


def test_three_submissions_are_answered_one_by_one():
    place = world(repeated_submissions=True)
    place.act(Go(place="reactor"))
    place.act(Talk())
    place.act(Choose(option=1))
    missed = place.act(Enter(value=INSTANCE.secret.target + 500))
    assert "uncalibrated" in missed.text
    assert "Submissions: 1 of 3." in missed.text
    place.act(Choose(option=1))
    assert "calibrated" in place.act(Enter(value=INSTANCE.secret.target)).text
    assert place.done


def full_plan():
    for number in range(PUBLIC.budget):
        yield Intervene(property=PUBLIC.names[number % 3], value=float(number))
    yield Submit(value=INSTANCE.secret.target)


def test_a_full_budget_takes_the_published_number_of_turns():
    place = world()
    assert play(through_interface(full_plan(), PUBLIC, RULES), place) == 2 * PUBLIC.budget + 7
    assert place.done
    assert place.lab.solved


def test_a_plan_sees_the_same_numbers_through_either_interface():
    readings = []

    def plan():
        readings.append((yield Measure()))
        for number in range(5):
            seen = yield Intervene(property=PUBLIC.names[number % 3], value=float(7 * number))
            readings.append(seen)
        readings.append((yield Measure()))
        yield Submit(value=1.0)

    direct = LabWorld(INSTANCE, LabRules())
    play(plan(), direct)
    expected = [(o.data["values"], o.data["frequency"], o.data["left"], o.cost) for o in readings]
    readings.clear()
    walked = world()
    play(through_interface(plan(), PUBLIC, RULES), walked)
    assert [
        (o.data["values"], o.data["frequency"], o.data["left"], o.cost) for o in readings
    ] == expected
    assert walked.lab.submitted == direct.lab.submitted
    assert [row.values for row in walked.lab.rows] == [row.values for row in direct.lab.rows]


def test_checks_can_be_walked_to():
    def plan():
        yield Intervene(property=PUBLIC.names[0], value=50.0)
        checked = yield Verify(hypothesis=TRUE)
        assert checked.data["readings"] > 0
        yield Submit(value=INSTANCE.secret.target)

    rules = LabRules(interface="dialog", verification="required")
    place = DialogWorld(INSTANCE, rules)
    play(through_interface(plan(), PUBLIC, RULES), place)
    assert place.lab.solved


def test_what_cannot_be_done_comes_back_to_the_plan_as_refused():
    seen = []

    def plan():
        seen.append((yield Intervene(property="no such thing", value=1.0)))
        seen.append((yield Intervene(property="resonanceFreq", value=1.0)))
        seen.append((yield Intervene(property=PUBLIC.names[0], value=1e300)))
        seen.append((yield Intervene(property=PUBLIC.names[0], value=10.0)))
        seen.append((yield Submit(value=1e300)))
        seen.append((yield Submit(value=INSTANCE.secret.target)))

    place = world()
    play(through_interface(plan(), PUBLIC, RULES), place)
    assert [one.legal for one in seen] == [False, False, False, True, False, True]
    assert place.lab.solved


def test_a_device_that_does_not_open_costs_no_further_turns():
    seen = []

    def plan():
        seen.append((yield Submit(value=1.0)))
        seen.append((yield Submit(value=1.0)))
        seen.append((yield Verify(hypothesis=TRUE)))

    place = world(verification="required")
    # Walk and talk, talk again, then walk, talk and choose at the desk.
    assert play(through_interface(plan(), PUBLIC, RULES), place) == 2 + 1 + 3
    assert [one.legal for one in seen] == [False, False, True]
    place = world()
    assert play(through_interface(plan(), PUBLIC, RULES), place) < 6
    assert place.done


def test_a_plan_under_another_interface_stays_as_it_is():
    plan = full_plan()
    assert through_interface(plan, PUBLIC, LabRules()) is plan


MOVES = st.one_of(
    st.builds(Go, place=st.sampled_from(["manipulator", "reactor lab", "corridor", "desk", ""])),
    st.builds(Talk, device=st.sampled_from(["", "manipulator", "reactor"])),
    st.builds(Choose, option=st.integers(-1, 6)),
    st.builds(Enter, value=st.floats()),
    st.just(Unparsed(mode="no json", detail="nothing")),
)


@settings(max_examples=20, deadline=None)
@given(st.lists(MOVES, max_size=60), st.sampled_from(["none", "offered", "required"]))
def test_whatever_is_sent_the_budget_holds_and_the_end_comes(moves, verification):
    place = world(verification=verification)
    for move in moves:
        before = place.spent
        seen = place.act(move)
        assert seen.text
        assert place.spent - before == seen.cost
        assert not seen.cost or seen.legal
        assert place.spent <= PUBLIC.budget
    for _ in range(turn_limit(PUBLIC, RULES)):
        place.act(Unparsed(mode="no json", detail="nothing"))
    assert place.done
    assert place.allowed_actions == ()
    assert not place.act(Go(place="reactor")).legal


def test_a_random_walk_gets_to_its_end():
    rng, place = Random(3), world()
    kinds = {
        Go: lambda: Go(place=rng.choice(["manipulator", "reactor"])),
        Talk: Talk,
        Choose: lambda: Choose(option=rng.randint(1, 4)),
        Enter: lambda: Enter(value=float(rng.randint(0, 100))),
    }
    turns = 0
    while not place.done:
        assert place.act(kinds[rng.choice(place.allowed_actions)]()).text
        turns += 1
    assert turns <= turn_limit(PUBLIC, RULES)


def test_the_turn_limit_leaves_room_for_every_intervention():
    assert turn_limit(PUBLIC, RULES) == 2 * (2 * PUBLIC.budget + 7) + 16
    assert turn_limit(PUBLIC, LabRules(interface="dialog", max_turns=56)) == 56
    assert turn_limit(PUBLIC, LabRules()) == LabWorld(INSTANCE, LabRules()).max_turns


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("causal reactor lab", "reactor lab"),
        ("Causal Manipulator Lab", "manipulator lab"),
        ("the causal reactor", "reactor lab"),
        ("the manipulator lab", "manipulator lab"),
    ],
)
def test_published_names_of_places_are_understood(name, place):
    reply = json.dumps({"action": "TELEPORT_TO_LOCATION", "arg1": name})
    walked = world()
    assert walked.act(parse(reply, walked.allowed_actions, RULES)).legal
    assert walked.place == place


@pytest.mark.parametrize(
    ("thing", "place"),
    [
        (1, "manipulator lab"),
        (2, "reactor lab"),
        ("5", "manipulator lab"),
        ("reactor", "reactor lab"),
    ],
)
def test_the_published_walk_to_a_thing_takes_its_number(thing, place):
    lab = world()
    reply = json.dumps({"action": "TELEPORT_TO_OBJECT", "arg1": thing})
    assert lab.act(parse(reply, lab.allowed_actions, RULES)).data["place"] == place


@pytest.mark.parametrize("thing", [3, 99, -1, 10**9])
def test_a_walk_to_a_number_that_is_no_device_is_refused(thing):
    lab = world()
    reply = json.dumps({"action": "TELEPORT_TO_OBJECT", "arg1": thing})
    seen = lab.act(parse(reply, lab.allowed_actions, RULES))
    assert (seen.legal, "there is no place" in seen.text) == (False, True)

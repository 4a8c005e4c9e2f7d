"""Playing twin pairs: phases, refusals, forms that are forgiven, and an end to everything."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.unparsed import Unparsed
from causarium.families.causalgame.model.actions import (
    AnswerQuestions,
    Commit,
    Explain,
    Fly,
    History,
    Status,
    Tabulate,
)
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.interface.twin_world import MOST_REFUSALS
from causarium.families.causalgame.play.published.parse import parse
from causarium.families.causalgame.play.published.prompts import prompt
from tests.families.causalgame.twins import FLOWN, TWINS, committed, pair, world

GARBAGE = Unparsed(mode="x", detail="nothing in it")


def test_a_pair_goes_from_mission_to_mission_and_tells_results_last():
    game = world()
    assert not game.act(Commit()).legal, "nothing was tested"
    game.act(Fly(count=5))
    second = game.act(Commit())
    assert "mission 2" in second.text
    assert "survive" not in second.text
    game.act(Fly(count=5))
    asked = game.act(Commit())
    assert len(asked.data["questions"]) == 12
    assert "won" not in asked.text
    assert "lost" not in asked.text
    game.act(AnswerQuestions(answers={"q1": "up"}))
    told = game.act(AnswerQuestions(answers={}))
    assert told.data["victory"] == [False, False]
    assert "of the fleet survive" in told.text
    assert game.act(Explain(text="So it went.")).legal
    assert game.done


@pytest.mark.parametrize("level", TWINS)
@pytest.mark.parametrize("interface", GameRules.interfaces)
def test_the_opening_states_the_target_and_what_can_be_done(level, interface):
    instance = pair(level)
    text = prompt(instance.public, GameRules(interface=interface)).user
    assert "$" not in text
    assert f"{100 * instance.public.threshold:.1f}%" in text
    for slot in instance.public.slots:
        assert slot.name in text
    if not instance.public.archived:
        for condition, value in zip(
            instance.public.conditions, instance.public.target, strict=True
        ):
            if value is not None:
                assert f"{condition.name} {condition.values[value]}" in text
    assert ("tabulate" in text) == bool(instance.public.archived) or interface == "tools"


def test_what_cannot_be_read_is_asked_for_once_more_at_no_cost():
    game = world()
    before = game._refusals
    first = game.act(GARBAGE)
    assert "send it again" in first.text
    assert game._refusals == before
    game.act(GARBAGE)
    assert game._refusals == before - 1
    game.act(Status())
    game.act(GARBAGE)
    assert game._refusals == before - 1
    strict = world(strict_form=True)
    strict.act(GARBAGE)
    assert strict._refusals == before - 1


def test_who_is_refused_for_ever_forfeits_step_by_step():
    game = world()
    moves = 0
    while not game.done:
        game.act(GARBAGE)
        moves += 1
    assert moves <= 2 * MOST_REFUSALS + 20
    assert [mission.committed for mission in game.missions] == [None, None]


def test_unanswered_questions_do_not_end_the_pair():
    game = world()
    committed(game)
    for _ in range(8):
        if game.phase == "asking":
            game.act(Fly(count=1))
    assert game.phase == "reporting"
    assert game.answers == [{}, {}]


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Fly(count=0), "order 1 to 60"),
        (Fly(count=10**9), "order 1 to 60"),
        (Fly(design={"warp": 3}, count=1), "there is no part 'warp'"),
        (Fly(equipment={"warp": "on"}, count=1), "there is no equipment slot"),
        (Tabulate(columns=["returned"]), "not taken now"),
        (Explain(text="x"), "when the results are known"),
        (AnswerQuestions(answers={}), "when both designs are in"),
    ],
)
def test_what_is_not_possible_costs_nothing(move, reason):
    game = world()
    seen = game.act(move)
    assert not seen.legal
    assert reason in seen.text
    assert game.spent == seen.cost == 0


def test_armour_is_bounded_part_by_part_and_in_all():
    game = world()
    part = game.public.parts[0]
    assert "between 0 and 30" in game.act(Fly(design={part: 31}, count=1)).text
    everything = dict.fromkeys(game.public.parts, 30)
    assert "adds up to 210" in game.act(Fly(design=everything, count=1)).text
    assert game.act(Fly(design={f"{part.upper()}_def": 3}, count=1)).legal


def test_where_losses_are_hidden_nobody_says_how_many_were_sent():
    game = world("twin-weather-returned")
    seen = game.act(Fly(count=50))
    assert "sent" not in seen.data
    assert "lost" not in seen.text
    sizes = {len(game.act(Fly(count=50)).data["flights"]) for _ in range(5)}
    assert len(sizes) > 1


@pytest.mark.parametrize("level", ["archive-frontdoor", "archive-instrument"])
def test_an_archive_is_counted_by_up_to_four_columns_twenty_times(level):
    game = world(level)
    names = [slot.name for slot in game.public.slots]
    seen = game.act(Tabulate(columns=[*names, "returned"]))
    assert sum(row[-1] for row in seen.data["rows"]) == 3000
    assert "1 to 4" in game.act(Tabulate(columns=[])).text
    assert "there is no column" in game.act(Tabulate(columns=["luck"])).text
    for _ in range(19):
        assert game.act(Tabulate(columns=["returned"])).legal
    assert "all 20 tables" in game.act(Tabulate(columns=["returned"])).text
    assert "no test flights" in game.act(Fly(count=1)).text or "not taken now"


def test_the_history_holds_both_missions():
    game = world()
    game.act(Fly(count=7))
    game.act(Commit())
    game.act(Fly(count=9))
    rows = game.act(History(of="session")).data["rows"]
    assert [row[0] for row in rows] == [1] * 7 + [2] * 9
    files = game.workspace()
    assert len(json.loads(files["history.json"])["rows"]) > 16


FORMS = [
    '{"action": "fly", "count": 3, "thought": "so"}',
    '{"action": "deploy", "count": "3",}',
    "{'action': 'fly', 'count': 3, 'design': {}}",
    '{"thought": "x", "action": {"name": "deploy_drone", "arguments": {"count": 3}}}',
    '{"action": "fly", "arguments": {"count": 3}}',
    'I would {think} first. {"action": "fly", "count": 3} {"action": "fly", "count": 3}',
    '{"count": 3}',
]


@pytest.mark.parametrize("reply", FORMS)
def test_forms_that_leave_no_doubt_are_read(reply):
    game, rules = world(), GameRules()
    move = parse(reply, game.allowed_actions, rules)
    assert isinstance(move, Fly), move
    assert move.count == 3
    assert bool(move.mended) == (reply is not FORMS[0])


@pytest.mark.parametrize("reply", FORMS[1:])
def test_with_strict_form_they_are_not(reply):
    game, rules = world(), GameRules(strict_form=True)
    move = parse(reply, game.allowed_actions, rules)
    assert isinstance(move, Unparsed) or reply == FORMS[1] or move.count != 3 or move.mended


@pytest.mark.parametrize(
    "reply",
    [
        '{"action": "fly", "count": 3} {"action": "fly", "count": 4}',
        '{"action": "warp"}',
        '{"design": {}}',
        "fly three drones",
        "__import__('os').system('true')",
        '{"action": "fly", "count": 3.5}',
    ],
)
def test_what_stays_in_doubt_is_not_guessed_at(reply):
    assert isinstance(parse(reply, world().allowed_actions, GameRules()), Unparsed)


@given(st.text(max_size=200) | st.sampled_from(FORMS).map(lambda form: form[:-3]))
@settings(max_examples=80, deadline=None)
def test_any_reply_is_a_value_and_the_world_answers_it(reply):
    game = world()
    for rules in (GameRules(), GameRules(interface="code")):
        seen = game.act(parse(reply, game.allowed_actions, rules))
        assert seen.text


@pytest.mark.parametrize("level", FLOWN)
def test_the_same_move_at_the_same_point_meets_the_same_flights(level):
    one, other = world(level), world(level)
    assert one.act(Fly(count=20)) == other.act(Fly(count=20))
    assert one.act(Fly(count=20)) == other.act(Fly(count=20))

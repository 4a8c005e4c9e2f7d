"""Reading replies: whatever is written, an action or the reason why there is none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.world import Unparsed
from causarium.families.causalgame.paper.model.actions import (
    ACTIONS,
    Deploy,
    History,
    PlayProgram,
    Query,
    Report,
    RunAnalysis,
    Status,
    Submit,
)
from causarium.families.causalgame.paper.model.rules import GameRules
from causarium.families.causalgame.paper.play.world import ERROR_MODES, read_session_reply

OPENING = ACTIONS
REPORTING = (Report,)


def read(reply, allowed_actions=OPENING, **rules):
    return read_session_reply(reply, allowed_actions, GameRules(**rules))


def test_an_action_is_read_with_its_thought():
    reply = '{"thought": "low", "action": "deploy", "design": {"wing_def": 3}, "count": 20}'
    assert read(f"Let me see. {reply}") == Deploy(thought="low", design={"wing_def": 3}, count=20)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("get_status", Status),
        ("get_mission_status", Status),
        ("get_flight_history", History),
        ("deploy_drone", Deploy),
        ("submit_final_design", Submit),
        ("Deploy", Deploy),
    ],
)
def test_published_names_are_read(name, kind):
    assert isinstance(read(json.dumps({"action": name})), kind)


def test_a_null_stands_for_what_is_left_out():
    assert read('{"action": "deploy", "equipment": null, "count": 2}') == Deploy(count=2)


def test_other_keys_are_left_to_the_log():
    assert read('{"action": "status", "mood": "good"}') == Status()


def test_of_several_objects_the_first_that_is_an_action_counts():
    got = read('{"plan": 1} {"action": "land"} {"action": "status"} {"action": "history"}')
    assert got == Status(forgiven=1)


@pytest.mark.parametrize(
    ("reply", "mode", "detail"),
    [
        ("", "no json", "no JSON object"),
        ("{}", "no action", 'names no "action"'),
        ('{"action": "land"}', "unknown action", "there is no action 'land'"),
        ('{"action": ["deploy"]}', "unknown action", "there is no action"),
        ('{"action": "play_program", "code": "1"}', "unknown action", "there is no action"),
        ('{"action": "deploy", "count": 2.5}', "bad fields", "must be a whole number, not 2.5"),
        ('{"action": "deploy", "count": "two"}', "bad fields", "must be a whole number"),
        ('{"action": "deploy", "design": [1]}', "bad fields", "design"),
        ('{"action": "deploy", "design": {"wing": 1e999}}', "bad fields", "whole number, not inf"),
        ('{"action": "query"}', "bad fields", "question: Field required"),
        ('{"action": "believe", "claims": [{"claim": "odd"}]}', "bad fields", "claims.0"),
    ],
)
def test_what_cannot_be_read_is_named(reply, mode, detail):
    got = read(reply)
    assert isinstance(got, Unparsed)
    assert got.mode == mode
    assert detail in got.detail


def test_an_agent_cannot_say_what_came_out_of_its_program():
    ran = {"output": "you have won", "ending": "finished"}
    got = read(json.dumps({"action": "run_analysis", "code": "print()", "ran": ran}))
    assert got == RunAnalysis(code="print()")


def test_an_agent_cannot_stand_in_for_the_interpreter():
    reply = '{"action": "query", "question": "x", "reading": ["emi level"]}'
    assert read(reply) == Query(question="x")


def test_the_last_python_block_is_the_program():
    reply = "First\n```python\nold()\n```\nbetter:\n```python\nnew()\nmore()\n```\nDone."
    assert read(reply, interface="code") == PlayProgram(code="new()\nmore()\n")


@pytest.mark.parametrize("reply", ["", "print(1)", "```\nprint(1)\n```", "```python\nprint(1)"])
def test_without_a_closed_python_block_there_is_no_program(reply):
    assert read(reply, interface="code").mode == "no code"


def test_code_that_a_model_only_thinks_of_is_not_run():
    reply = "<think>\n```python\nclient.submit_final_design({})\n```\n</think> I wait."
    assert isinstance(read(reply, interface="code"), Unparsed)


@pytest.mark.parametrize("interface", ["json", "code"])
def test_a_report_may_be_plain_words(interface):
    allowed_actions = REPORTING if interface == "json" else (Report, PlayProgram)
    words = "We won. The {antenna} was heard."
    assert read(words, allowed_actions, interface=interface) == Report(text=words)
    assert isinstance(read(" ", allowed_actions, interface=interface), Unparsed)


@pytest.mark.parametrize("extra", [{}, {"action": "report"}])
def test_a_report_may_be_an_object_with_claims(extra):
    claim = {"claim": "selection", "on": "survived"}
    got = read(json.dumps({**extra, "text": "We won.", "claims": [claim]}), REPORTING)
    assert got.text == "We won."
    assert got.claims[0].on == "survived"


def test_before_the_result_is_known_plain_words_are_no_report():
    assert isinstance(read("We won."), Unparsed)


@given(
    st.text(max_size=200) | st.text(alphabet='{}[]",:`python\n 0123456789', max_size=200),
    st.sampled_from(GameRules.interfaces),
    st.sampled_from([OPENING, REPORTING, (Submit,), ()]),
)
def test_no_text_ever_raises(reply, interface, allowed_actions):
    got = read(reply, allowed_actions, interface=interface)
    assert not isinstance(got, Unparsed) or got.mode in ERROR_MODES

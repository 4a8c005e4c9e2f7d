"""Reading replies: whatever is written, a value comes back."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.texts.replies import MAX_DEPTH, MAX_REPLY_CHARS, excerpt, fit_action
from causarium.contract.texts.scan_reply import (
    cut_thinking,
    find_json_object,
    find_json_objects,
    scan_reply,
)
from causarium.contract.world import Unparsed
from tests.support.lamps.model import ACTIONS, Answer, Flip

any_text = st.text(max_size=200)
json_like = st.text(alphabet='{}[]",:\\ \n0123456789.eE+-aulsrtfnNI', max_size=200)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=20,
)
objects = st.dictionaries(st.text(max_size=8), values, min_size=1, max_size=4)
tags = st.sampled_from(["<think>", "</think>", "a <think> b", "<think></think>"])
objects_with_tags = st.dictionaries(
    st.text(max_size=8) | tags, values | tags | st.lists(tags, max_size=3), min_size=1, max_size=4
)
prose = st.text(st.characters(blacklist_characters="{}[]<"), max_size=60)


@given(any_text | json_like)
def test_no_text_ever_raises(reply):
    assert isinstance(find_json_object(reply, mode="bad"), dict | Unparsed)


@given(any_text | json_like)
def test_no_text_ever_raises_when_it_is_fitted_to_actions(reply):
    for value in find_json_objects(reply):
        assert isinstance(fit_action(value, ACTIONS, mode="bad"), Flip | Answer | Unparsed)


@given(prose, objects, prose)
def test_an_object_is_found_wherever_it_stands(before, value, after):
    assert find_json_object(f"{before}{json.dumps(value)}{after}", mode="bad") == value


@given(objects, objects)
def test_of_two_objects_the_first_counts(first, second):
    reply = f"{json.dumps(first)} {json.dumps(second)}"
    assert find_json_object(reply, mode="bad") == first
    assert find_json_objects(reply) == [first, second]


@given(prose, objects_with_tags, prose)
def test_a_tag_within_a_string_is_text(before, value, after):
    assert find_json_object(f"{before}{json.dumps(value)}{after}", mode="bad") == value


@given(objects, objects_with_tags)
def test_what_a_model_thinks_aloud_is_not_its_reply(thought, value):
    reply = f"<think>Perhaps {json.dumps(thought)}?</think>{json.dumps(value)}"
    if "think>" not in json.dumps(thought):
        assert find_json_object(reply, mode="bad") == value


def test_thinking_that_never_ends_holds_no_reply():
    assert cut_thinking('so <think>{"switch": "tin"}') == "so"
    assert isinstance(find_json_object('<think>{"switch": "tin"}', mode="bad"), Unparsed)


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        ("", "no JSON object in the reply: ''"),
        ("yes", "no JSON object in the reply: 'yes'"),
        ("[1, 2]", "no JSON object"),
        ("x" * (MAX_REPLY_CHARS + 1), "has 200,001 characters; at most 200,000 are read"),
        ('{"a": ' + "[" * MAX_DEPTH, "nests deeper than 32 levels"),
    ],
)
def test_what_is_wrong_is_said(reply, detail):
    got = find_json_object(reply, mode="unreadable")
    assert isinstance(got, Unparsed)
    assert got.mode == "unreadable"
    assert detail in got.detail


def test_the_limits_are_inside_what_is_read():
    deep = '{"a": ' + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1) + "}"
    for reply in ("x" * MAX_REPLY_CHARS, deep, "[]" * 10 * MAX_DEPTH):
        assert not scan_reply(reply, strict=True).is_too_large


def test_a_nested_object_is_not_taken_for_a_reply_of_its_own():
    assert find_json_objects('{"a": {"b": 1}}') == [{"a": {"b": 1}}]


def test_the_first_action_whose_fields_fit_is_taken():
    assert fit_action({"switch": "tin"}, ACTIONS, mode="bad") == Flip(switch="tin")
    assert fit_action({"wired": "tin"}, ACTIONS, mode="bad") == Answer(wired="tin")


def test_what_does_not_fit_says_why_for_each_action():
    got = fit_action({"switch": 3}, ACTIONS, mode="bad")
    assert isinstance(got, Unparsed)
    assert "switch: Input should be a valid string; or wired: Field required" in got.detail
    nothing = fit_action({"switch": "tin"}, (), mode="bad")
    assert nothing == Unparsed(mode="bad", detail="nothing more is expected")


def test_an_excerpt_is_short():
    assert excerpt("short") == "short"
    assert len(excerpt("long" * 100)) == 121


@pytest.mark.parametrize(
    "reply",
    [
        '{"thought": "look", "plan": {"action": "submit"}, "action": "measure",}',
        '{"plan": {"action": "submit"}, "action": ',
        '{"action": "measure", "action": "submit"}',
        '{"plan": [{"action": "submit"}], action: 3}',
    ],
)
def test_nothing_within_a_broken_object_is_taken_for_the_reply(reply):
    got = find_json_object(reply, mode="bad")
    assert isinstance(got, Unparsed)
    assert "cannot be read" in got.detail


def test_brackets_in_prose_and_in_strings_are_not_depth():
    prose = "range [0,1) " * 50 + "<think>" + "[" * 50 + "</think>"
    value = {"answer": "}}]] {{ [["}
    assert find_json_object(f"{prose}{json.dumps(value)}", mode="bad") == value


def test_numbers_that_are_none_reach_whoever_wants_a_number():
    got = find_json_object('{"a": NaN, "b": -Infinity, "c": ' + "9" * 5_000 + "}", mode="bad")
    assert isinstance(got, dict)
    assert not any(math.isfinite(value) for value in got.values())


@pytest.mark.parametrize("part", ["{", "{a ", '{"}":', '{"', '{"a": "', "{[", '"{'])
def test_a_reply_full_of_braces_is_refused(part):
    reply = part * (MAX_REPLY_CHARS // len(part))
    assert isinstance(find_json_object(reply, mode="bad"), Unparsed)

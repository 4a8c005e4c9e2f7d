"""The one reader of replies: what it mends, what it leaves in doubt, and that nothing stops it."""

import json
import math
import random
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.texts.read_reply import (
    fold_keys,
    fold_symbols,
    read_action,
    read_code,
    read_lines,
    read_object,
    read_word,
)
from causarium.contract.texts.replies import MAX_DEPTH, MAX_REPLY_CHARS
from causarium.contract.texts.scan_reply import (
    CLOSED,
    CUT_OFF,
    OPENED,
    SPELLING,
    cut_thinking,
    scan_reply,
)
from causarium.contract.turn import Turn, count_forgiven
from causarium.contract.world import Action, Unparsed
from tests.support.cpu_time import cpu_seconds
from tests.support.hostile_replies import SHAPES, make_reply, make_shape
from tests.support.lamps.model import ACTIONS, Flip

ANSWER = {"answer": "yes", "sure": True}
MENDED = {
    "as asked": '{"answer": "yes", "sure": true}',
    "fence": '```json\n{"answer": "yes", "sure": true}\n```',
    "prose": 'I looked at {it}. So: {"answer": "yes", "sure": true} Hope that helps {you}!',
    "thinking": '<think>{"answer": "no"}</think>{"answer": "yes", "sure": true}',
    "thinking behind it": '{"answer": "yes", "sure": true} <think>{"answer": "no"}?</think>',
    "thinking within it": '{"thought": "<think>x</think>", "answer": "yes", "sure": true}',
    "thinking without a start": 'Hm {"answer": "no"}</think>\n{"answer": "yes", "sure": true}',
    "single quotes": "{'answer': 'yes', 'sure': true}",
    "Python": "{'answer': 'yes', 'sure': True}",
    "typographic quotes": "{“answer”: “yes”, ‘sure’: true}",
    "commas": '{"answer": "yes", "sure": true,}',
    "other case": '{"Answer": "yes", "SURE": true}',
    "unquoted keys": '{answer: "yes", sure: true}',
    "unquoted word": '{"answer": yes, "sure": true}',
    "no last brace": '{"answer": "yes", "sure": true ',
    "no last brace in a fence": '```json\n{"sure": true, "answer": "yes"\n```',
    "no first brace": '"answer": "yes", "sure": true}',
    "no first brace, and objects within": '"answer": "yes", "sure": true, "note": {"a": 1}}',
    "no brace": '"answer": "yes", "sure": true\n',
    "boxed": '\\boxed{{"answer": "yes", "sure": true}}',
    "boxed as the object": '\\boxed{"answer": "yes", "sure": true}',
    "comment": '{"answer": "yes", // surely\n "sure": true # so\n}',
    "blanks that do not break": '{"answer":\u00a0"yes",\u2009"sure": true}',
    "wide marks": '{"answer"："yes"，"sure": true}',
    "triple quotes": '{"answer": """yes""", "sure": true}',
    "in a list": '[{"answer": "yes", "sure": true}]',
    "in a wrapper": '{"result": {"answer": "yes", "sure": true}}',
    "twice": '{"answer": "yes", "sure": true} {"sure": true, "answer": "yes"}'[:31] * 2,
    "one key twice, one value": '{"answer": "yes", "answer": "yes", "sure": true}',
    "beside another object": '{"note": 1} {"answer": "yes", "sure": true}',
    "before another answer": '{"answer": "yes", "sure": true} {"answer": "no", "sure": true}',
    "behind a pattern": '{"answer": "<yes or no>"} {"answer": "yes", "sure": true}',
    "emphasis": '**{"answer": "yes", "sure": true}**',
}


@pytest.mark.parametrize("form", MENDED)
def test_what_can_mean_one_thing_is_read(form):
    read = read_object(MENDED[form], mode="bad", names=("answer", "sure"))
    assert {name: read[name] for name in ANSWER} == ANSWER


DOUBTS = {
    "two values": '{"answer": "yes", "answer": "no"}',
    "two values in two cases": '{"answer": "yes", "Answer": "no"}',
    "1 and true": '{"answer": 1, "answer": true}',
    "a text that breaks off": '{"answer": "ye',
    "a key without a value at the end": '{"answer": ',
    "a list that goes on": '{"answer": [1, 2,',
    "dots": '{"answer": "yes", "sure": ...}',
    "two words": '{"answer": yes no}',
    "a key without a value": '{"answer"}',
    "wrong brackets": '{"answer": [1, 2}',
    "within a broken one": '{"plan": {"answer": "yes"} !}',
    "behind a break": '{"plan": !, "next": {"answer": "yes"}}',
    "thinking that never ends": '<think>{"answer": "yes"}',
    "no object": "yes",
    "nothing": "",
    "too deep": '{"answer": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}",
    "too long": '{"answer": "' + "a" * MAX_REPLY_CHARS + '"}',
    "too many parts": "{answer: [" + "1," * 50_000 + "]}",
}


@pytest.mark.parametrize("form", DOUBTS)
def test_what_is_in_doubt_is_not_read(form):
    read = read_object(DOUBTS[form], mode="bad", names=("answer",))
    assert isinstance(read, Unparsed)
    assert read.mode == "bad"
    assert read.detail


def test_the_reason_names_the_place():
    read = read_object('{"a": 1 "b": 2}', mode="bad")
    assert isinstance(read, Unparsed)
    assert "at character 8 stands '\"b\": 2}' in place of a comma or }" in read.detail


def test_texts_keep_what_stands_in_them():
    value = scan_reply("{\"a\": \"“x” ∧ it's // no # comment\", 'b': 'it\\'s \"so\"'}").objects
    assert value == [{"a": "“x” ∧ it's // no # comment", "b": 'it\'s "so"'}]


def test_apostrophes_end_no_text():
    assert scan_reply("{'a': 'it's the dog's', 'b': 1}").objects == [
        {"a": "it's the dog's", "b": 1}
    ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("-2.50", -2.5),
        ("+3", 3),
        (".5", 0.5),
        ("−4", -4),
        ("1e3", 1000.0),
        ("None", None),
        ("(1, 2)", [1, 2]),
        ("50%", "50%"),
        ("1_000", "1_000"),
        ("X1", "X1"),
    ],
)
def test_bare_values(written, value):
    read = scan_reply(f"{{'a': {written}}}").objects[0]["a"]
    assert read == value
    assert type(read) is type(value)


def test_keys_are_texts():
    assert scan_reply("{1: 1, 2.5: {True: 3}}").objects == [{"1": 1, "2.5": {"True": 3}}]
    assert scan_reply("{('q', 1): 'up'}").objects == []


def test_huge_numbers_are_no_exception():
    assert scan_reply(f"{{'a': {'9' * 5_000}}}").objects == [{"a": math.inf}]


@pytest.mark.parametrize(
    ("reply", "mended"),
    [
        ('{"a": [1, 2]}', ""),
        ("{'a': [1, 2]}", SPELLING),
        ('{"a": [1, 2]', CLOSED),
        ('"a": [1, 2]}', OPENED),
    ],
)
def test_what_was_mended_is_named(reply, mended):
    (found,) = scan_reply(reply).values
    assert (found.value, found.mended) == ({"a": [1, 2]}, mended)


def test_whole_items_are_salvaged_where_that_is_asked_for():
    cut = '{"edges": [["a", "b"], ["b", "c"], ["c", "d'
    assert scan_reply(cut, lists=True).values == ()
    (found,) = scan_reply(cut, lists=True, salvage=True).values
    assert (found.value, found.mended) == ({"edges": [["a", "b"], ["b", "c"], ["c"]]}, CUT_OFF)
    broken = scan_reply('{"edges": [{"s": "a"} {"s": "b"}]}', salvage=True)
    assert [found.value for found in broken.values] == [{"edges": [{"s": "a"}]}, {"s": "b"}]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
json_objects = st.dictionaries(st.text(), json_values, min_size=1, max_size=4)


@given(json_objects, st.booleans(), st.sampled_from([None, 2]))
def test_valid_json_is_read_as_it_is(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    if "think>" not in text:
        assert scan_reply(f"So: {text} .").objects == [value]


@given(json_objects)
def test_python_is_read_as_it_is(value):
    text = repr(value)
    if "think>" not in text and "'s" not in text:
        read = scan_reply(f"So:\n{text}\nDone").objects
        # Python writes some characters as \x escapes, which JSON does not have.
        assert "\\x" in text or "\\U" in text or "'" in json.dumps(value) or read == [value]


@given(json_objects)
def test_mending_gives_the_value_itself_or_nothing(value):
    text = json.dumps(value)
    for reply in (text[:-1], text[1:], text.replace('"', "'"), text.replace(", ", ",, ")):
        if "think>" not in text:
            for found in scan_reply(reply).objects:
                assert found == value or "'" in text or "\\" in text or len(value) == 1


@given(st.text(alphabet="{}[]()\"'\\:,=ab1 \n“’`#/<think>.-"))
def test_no_text_raises(text):
    for lists in (False, True):
        scan_reply(text, lists=lists, salvage=lists)
    read_object(text, mode="bad", names=("a", "b"))
    read_word(text, ("a", "b"), mode="bad")
    read_lines(text)
    read_code(text)


@pytest.mark.parametrize("name", SHAPES)
def test_no_shape_raises(name):
    for size in (10, 1_000, 20_000):
        text = make_shape(name, size)
        assert read_object(text, mode="bad", names=("a",)) is not None
        assert scan_reply(text, lists=True, salvage=True) is not None
        assert read_word(text, ("yes", "no"), mode="bad") is not None


def test_hostile_replies_give_texts_and_plain_values():
    draw = random.Random(7)
    for _ in range(3_000):
        for found in scan_reply(make_reply(draw), lists=True, salvage=True).values:
            assert json.dumps(found.value)


WORDS = {
    "yes": "yes",
    "So the answer is yes.": "yes",
    "**Answer:** No": "no",
    '"answer": "yes"': "yes",
    "My final answer is: \\boxed{\\text{Yes}}": "yes",
    "$\\boxed{no}$": "no",
    "I think so.\n\nYes.": "yes",
    "Please answer yes or no? The answer: no.": "no",
    "If the answer is no, it would show. It does not.\nAnswer: yes": "yes",
    "<think>answer: no</think>answer: yes": "yes",
    "Answer = true": "yes",
    "Answer yes": "yes",
    "## Answer\n\nYes": "yes",
    "Here is my answer: no": "no",
    "It does not, so the answer is no.": "no",
    "The answer must be yes, no doubt.": "yes",
    "The answer 'yes' is wrong. My final answer: no": "no",
}


@pytest.mark.parametrize("reply", WORDS)
def test_a_lone_word_is_read(reply):
    spellings = {"yes": "yes", "true": "yes", "no": "no"}
    assert read_word(reply, spellings, mode="bad") == WORDS[reply]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Yes and no.",
        "The answer is not yes",
        "Answer: yes\nAnswer: no",
        "Answer yes or no.",
        "I say yes to this and go on",
        "The answer is no longer clear.",
        "Answer: yes, or rather: answer: no",
        "I cannot answer yes.",
        "I won't answer: yes",
        "Is the answer yes? No.",
        "Is the answer: yes?",
        "The answer yes would be wrong.",
        "Would the answer be yes",
        "Someone may answer yes, but I say no",
        "Answer: no wait, yes",
        "the answer is no, not yes",
        "\\boxed{yes} and no",
        "So it is.\nYes?",
        "maybe",
    ],
)
def test_a_word_in_doubt_is_not_read(reply):
    assert isinstance(read_word(reply, ("yes", "no"), mode="bad"), Unparsed)


def test_symbols_are_folded():
    assert fold_symbols("a∧b∨¬c⊕d↔e→f≤g “h” i’j\u00a0k") == ('a&b|!c^d<->e->f<=g "h" i\'j k')


THINKING = {
    "a": "a",
    "a</think>b</think>c": "c",
    "a<think>b": "a",
    "a<think>b</think>": "a",
    "a<think>b</think>c<think>d</think> ": "c",
    "<think>a<think>b</think>c</think>d": "d",
    "a<think>b</think>c</think>": "",
    '{"a": "</think>"}b': '{"a": "</think>"}b',
    '{"a": "<think>"} b <think>c</think>d': "d",
    "{'a': '<think>'} b": "{'a': '",
    "": "",
}


@pytest.mark.parametrize("reply", THINKING)
def test_thinking_is_cut(reply):
    assert cut_thinking(reply) == THINKING[reply]


def test_lines_are_pairs():
    reply = "Here:\n| X4 | X1 |\n* X5 = not X2;\n3) `X6` := X1 == X2\nX7: X1"
    assert read_lines(reply, (":=", "=", ":")) == [
        ("X5", "not X2"),
        ("X6", "X1 == X2"),
        ("X7", "X1"),
    ]
    assert read_lines(reply, ("|",)) == [("X4", "X1")]


def test_the_last_block_of_code_is_read():
    reply = "```python\na\n```\n```text\nb\n```\n  ```py\nc\n ```\n```python\nnever ends"
    assert read_code(reply) == "c\n"
    assert read_code("```\na\n```") is None


def test_keys_that_say_two_things_are_named():
    assert fold_keys({"a": 1, "A": 1}, ("a",)) == {"a": 1}
    assert fold_keys({"a": 1, "A": 2}, ("a",)) == "a"


class Push(Action):
    """Push."""

    kind: ClassVar[str] = "push"
    name: str
    by: int = 1


class Say(Action):
    """Say."""

    kind: ClassVar[str] = "say"
    answer: str


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ('{"action": "push", "name": "a"}', Push(name="a")),
        ("{'Action': 'PUSH', 'Name': 'a', 'by': 2, 'thought': 'so'}", Push(name="a", by=2)),
        ('{"name": "a", "by": 3}', Push(name="a", by=3)),
        ('{"answer": "yes"}', Say(answer="yes")),
        ('{"action": {"name": "push", "arguments": {"name": "a"}}}', Push(name="a")),
        ('{"action": "shove", "arguments": {"name": "a"}}', Push(name="a")),
    ],
)
def test_an_action_is_read(reply, action):
    assert read_action(reply, (Push, Say), mode="bad", other_names={"shove": "push"}) == action


@pytest.mark.parametrize(
    "reply", ['{"action": "fly"}', '{"action": 3}', '{"by": "x"}', '{"z": 1}', "push"]
)
def test_no_action_is_guessed(reply):
    assert isinstance(read_action(reply, (Push, Say), mode="bad"), Unparsed)


FLIP = '{"switch": "tin"}'
SEVERAL = {
    f"{FLIP} {{'switch': 'brass'}}": 1,
    f"{FLIP} {FLIP}": None,
    f'{{"note": 1}} {FLIP}': None,
    f'{{"switch": 3}} {FLIP}': 1,
    f'{{"switch": "<name>"}} {FLIP}': None,
    f'{{"action": "land"}} {FLIP} {{"wired": "tin"}}': 1,
    f'<think>{{"switch": "brass"}}</think> {FLIP}': None,
    f"{FLIP}\nThe lamp is dark.\n{{'wired': 'brass'}}": 1,
}


@pytest.mark.parametrize("reply", SEVERAL)
def test_of_several_objects_the_first_legal_one_is_taken(reply):
    read = read_action(reply, ACTIONS, mode="bad")
    assert read == Flip(switch="tin", forgiven=SEVERAL[reply])


def test_with_only_one_different_objects_leave_a_reply_unread():
    assert read_action(f"{FLIP} {FLIP}", ACTIONS, mode="bad", only_one=True) == Flip(switch="tin")
    read = read_action(f'{FLIP} {{"wired": "tin"}}', ACTIONS, mode="bad", only_one=True)
    assert read == Unparsed(mode="bad", detail="2 JSON objects in the reply; send one")


def test_a_record_says_that_objects_were_ignored_and_nothing_else():
    assert Flip(switch="tin").record() == {"kind": "flip", "switch": "tin"}
    record = Flip(switch="tin", forgiven=1).record()
    assert record == {"kind": "flip", "switch": "tin", "forgiven": 1}
    turn = Turn(action=record, observation="", legal=True, cost=1)
    assert turn.move(ACTIONS) == Flip(switch="tin", forgiven=1)
    assert count_forgiven([turn, turn.model_copy(update={"legal": False})]) == 1


@pytest.mark.parametrize("part", ['{{"switch": {}}} ', '{{"switch": "s{}"}} '])
def test_many_objects_are_read_soon(part):
    reply = "".join(part.format(number) for number in range(200_000 // 20))
    assert cpu_seconds(lambda: read_action(reply, ACTIONS, mode="bad"), rounds=1) < 2.0

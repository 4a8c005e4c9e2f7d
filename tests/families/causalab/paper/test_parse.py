"""Replies: the forms our texts ask for, the published forms, and everything else."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.texts.replies import MAX_DEPTH, MAX_REPLY_CHARS
from causarium.contract.world import Unparsed
from causarium.families.causalab.paper.levels import LabRules
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
from causarium.families.causalab.paper.play.replies import (
    BAD_NAME,
    BAD_OPTION,
    BAD_VALUE,
    MISSING_FIELD,
    NO_ACTION,
    NO_JSON,
    TOO_LARGE,
    UNKNOWN_ACTION,
    parse,
)

ERROR_MODES = {
    *(TOO_LARGE, NO_JSON, NO_ACTION, UNKNOWN_ACTION),
    *(MISSING_FIELD, BAD_NAME, BAD_VALUE, BAD_OPTION),
}
LAB = (Measure, Intervene, Verify, Submit)
DIALOG = (Go, Talk, Choose, Enter)
BELIEF = {
    "edges": [{"from": "density", "to": "resonanceFreq"}],
    "freq_equation": "resonanceFreq = base + c_density*density",
    "coefficients": {"base": 20, "c_density": 2},
}


def read(value, interface="json", allowed_actions=None, **rules):
    reply = value if isinstance(value, str) else json.dumps(value)
    wanted = allowed_actions or (DIALOG if interface == "dialog" else LAB)
    return parse(reply, wanted, LabRules(interface=interface, **rules))


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ({"action": "measure"}, Measure()),
        (
            {"action": "intervene", "property": "ph", "value": 3},
            Intervene(property="ph", value=3.0),
        ),
        ({"property": "ph", "value": 3}, Intervene(property="ph", value=3.0)),
        ({"action": "submit", "value": 99.5}, Submit(value=99.5)),
        ({"action": "INTERVENE", "arg1": "ph", "arg2": 3}, Intervene(property="ph", value=3.0)),
        (
            {"experiment": {"target_prop": "ph", "target_value": 3, "purpose": "see"}},
            Intervene(property="ph", value=3.0),
        ),
        (
            {"action": "intervene", "experiment": {"target_prop": "ph", "target_value": 3}},
            Intervene(property="ph", value=3.0),
        ),
    ],
)
def test_every_form_of_a_lab_action_is_read(reply, action):
    assert read(reply) == action


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ({"action": "go", "place": "reactor lab"}, Go(place="reactor lab")),
        ({"action": "TELEPORT_TO_LOCATION", "arg1": "reactor lab"}, Go(place="reactor lab")),
        ({"action": "TELEPORT_TO_OBJECT", "arg1": "reactor"}, Go(place="reactor")),
        ({"action": "talk"}, Talk()),
        ({"action": "TALK", "arg1": "reactor"}, Talk(device="reactor")),
        ({"action": "choose", "option": 2}, Choose(option=2)),
        ({"chosen_dialog_option_int": 2}, Choose(option=2)),
        ({"action": "enter", "value": 2.5}, Enter(value=2.5)),
        ({"value": 2.5}, Enter(value=2.5)),
        ({"value": 2.5, "experiment": {"target_prop": "ph", "target_value": 1}}, Enter(value=2.5)),
    ],
)
def test_every_form_of_a_dialog_action_is_read(reply, action):
    assert read(reply, "dialog") == action


def test_a_whole_published_reply_is_read_verbatim():
    reply = {
        "memory": "m",
        "thought": "t",
        "past_data": [{"id": "i/0", "props": {"density": 3}, "freq": 26}],
        "hypothesis": BELIEF,
        "experiment": {"target_prop": "density", "target_value": 50},
        "chosen_dialog_option_int": 1,
    }
    got = read(reply, "dialog")
    assert isinstance(got, Choose)
    assert got.hypothesis is not None
    assert got.hypothesis.coefficients == {"base": 20, "c_density": 2}
    del reply["chosen_dialog_option_int"]
    got = read(reply)
    assert isinstance(got, Intervene)
    assert got.hypothesis is not None
    assert got.hypothesis.edges[0].effect == "resonanceFreq"


def test_the_action_wins_over_a_planned_experiment():
    planned = {"experiment": {"target_prop": "ph", "target_value": 3}}
    assert read({**planned, "action": "submit", "value": 7}) == Submit(value=7.0)


def test_a_bare_value_is_a_submission_only_where_nothing_else_can_be_meant():
    assert read({"value": 5}, allowed_actions=(Submit,)) == Submit(value=5.0)
    got = read({"value": 5})
    assert isinstance(got, Unparsed)
    assert got.mode == NO_ACTION


def test_thinking_and_fences_around_the_object_do_not_matter():
    reply = '<think>{"action": "submit"}</think>```json\n{"action": "measure"}\n```'
    assert read(reply) == Measure()


def test_of_several_objects_the_first_expected_action_counts():
    first = '{"action": "measure"}'
    for other in ('{"action": "submit", "value": 1}', '{"a": 1}'):
        assert read(f"{first} {other}") == Measure(forgiven=1)
    for other in ('{"action": "submit"}', '{"a": 1}', '{"action": "land"}'):
        assert read(f"{other} {first}") == Measure(forgiven=1)
    assert read(f"{first} {first}") == Measure()
    assert read(f'{{"action": "measure"}} {first}', allowed_actions=(Submit,)) == Measure()


def test_published_the_first_fenced_object_counts_or_else_the_last():
    one, other = '{"action": "measure"}', '{"action": "submit", "value": 1}'
    assert read(f"{one} {other}", strict_form=True) == Submit(value=1.0)
    assert read(f"{other} ```json\n{one}\n``` {other}", strict_form=True) == Measure()


def test_the_plain_interface_takes_no_hypothesis_but_for_a_check():
    got = read({"action": "submit", "value": 1, "hypothesis": BELIEF}, "plain")
    assert got == Submit(value=1.0)
    assert isinstance(read({"action": "verify", "hypothesis": BELIEF}, "plain"), Verify)


def test_a_broken_hypothesis_does_not_cost_the_action():
    for broken in ("text", 7, [], {"edges": "all"}, {"coefficients": {"base": "many"}}, {"a": 1}):
        got = read({"action": "submit", "value": 1, "hypothesis": broken})
        assert isinstance(got, Submit), broken
        assert got.value == 1.0


@pytest.mark.parametrize(
    ("reply", "mode", "said"),
    [
        ("I would wait.", NO_JSON, "no JSON object"),
        ("a" * (MAX_REPLY_CHARS + 1), TOO_LARGE, "characters"),
        ('{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1), TOO_LARGE, "deeper"),
        ("{}", NO_JSON, "no JSON object"),
        ('{"experiment": {}}', NO_ACTION, "names no action"),
        ('{"action": "wait"}', UNKNOWN_ACTION, "'wait'"),
        ('{"action": null}', UNKNOWN_ACTION, "None"),
        ('{"action": "go", "place": "desk"}', UNKNOWN_ACTION, "'go'"),
        ('{"action": "intervene", "value": 1}', MISSING_FIELD, '"property"'),
        ('{"action": "intervene", "property": "ph"}', MISSING_FIELD, '"value"'),
        ('{"action": "verify"}', MISSING_FIELD, '"hypothesis"'),
        ('{"action": "intervene", "property": 3, "value": 1}', BAD_NAME, "must be a name"),
        ('{"action": "submit", "value": "about 12"}', BAD_VALUE, "without quotes"),
        ('{"action": "submit", "value": "1,234"}', BAD_VALUE, "without quotes"),
        ('{"action": "submit", "value": 1, "action": "measure"}', NO_JSON, "two values"),
        ('{"action": "submit", "value": 1e999}', BAD_VALUE, "finite"),
        ('{"action": "submit", "value": true}', BAD_VALUE, "not bool"),
        ('{"action": "submit", "value": null}', BAD_VALUE, "not null"),
        (f'{{"action": "submit", "value": {"9" * 400}}}', BAD_VALUE, "finite"),
        ('{"action": "submit", "value": NaN}', BAD_VALUE, "finite"),
    ],
)
def test_what_cannot_be_read_says_why(reply, mode, said):
    got = read(reply)
    assert isinstance(got, Unparsed)
    assert got.mode == mode
    assert said in got.detail


def test_halves_of_characters_reach_no_record():
    half = r'{"action": "intervene", "property": "\ud800", "value": 1, "hypothesis": {"edges": '
    got = read(half + r'[{"from": "\udfff", "to": "x"}], "coefficients": {"\ud801": 1}}}')
    assert isinstance(got, Intervene)
    assert got.property == "?"
    got.model_dump_json().encode()


@pytest.mark.parametrize("option", ["first", 1.5, True, None, 10**30])
def test_an_option_is_a_whole_number(option):
    got = read({"chosen_dialog_option_int": option}, "dialog")
    assert isinstance(got, Unparsed)
    assert got.mode == BAD_OPTION


def test_a_choice_without_an_option_says_what_is_missing():
    got = read({"action": "choose"}, "dialog")
    assert isinstance(got, Unparsed)
    assert got.mode == MISSING_FIELD


WORDS = ("action", "property", "value", "option", "place", "hypothesis", "experiment", "arg1")
KINDS = ("measure", "intervene", "verify", "submit", "go", "talk", "choose", "enter")
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | st.sampled_from(KINDS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from((*WORDS, "edges", "target_prop")), inner, max_size=4)
    ),
    max_leaves=8,
)
INTERFACES = st.sampled_from(LabRules.interfaces)


def can_be_filed(got):
    """Whether what was read is an action or `Unparsed` that any log can hold."""
    if isinstance(got, Unparsed):
        return got.mode in ERROR_MODES and bool(got.detail and got.model_dump_json().encode())
    written = json.dumps(got.record(), allow_nan=False, ensure_ascii=False).encode()
    return bool(written) and type(got).model_validate(got.model_dump(mode="json")) == got


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=())), INTERFACES)
def test_any_text_comes_back_as_a_value(text, interface):
    assert can_be_filed(read(text, interface))


@settings(max_examples=40, deadline=None)
@given(st.binary(), INTERFACES)
def test_any_bytes_come_back_as_a_value(raw, interface):
    assert can_be_filed(read(raw.decode("utf-8", "surrogateescape"), interface))


@settings(max_examples=70, deadline=None)
@given(
    st.dictionaries(st.sampled_from(WORDS), ANY_JSON, max_size=5),
    st.none() | st.sampled_from(KINDS),
    INTERFACES,
    st.sampled_from([LAB, (Submit,), DIALOG, ()]),
)
def test_any_json_comes_back_as_a_value(value, kind, interface, allowed_actions):
    if kind is not None:
        value = {**value, "action": kind}
    got = parse(json.dumps(value), allowed_actions, LabRules(interface=interface))
    assert can_be_filed(got)


def test_a_hypothesis_comes_with_every_action():
    reply = json.dumps(
        {"hypothesis": {"edges": [{"from": "ph", "to": "density"}]}, "action": "measure"}
    )
    action = parse(reply, LAB, LabRules())
    assert [(edge.cause, edge.effect) for edge in action.hypothesis.edges] == [("ph", "density")]

"""Which object in a reply is the answer, and what is said when there is none."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.world import Unparsed
from causarium.families.replayscm.paper.levels import ReplayRules
from causarium.families.replayscm.paper.model.actions import Extracted, Submit
from causarium.families.replayscm.paper.play.replies import (
    BROKEN,
    NO_MECHANISMS,
    NO_OBJECT,
    TOO_LARGE,
    TWICE,
    WRONG_TYPE,
    parse,
    read_plainly,
)

SHOT = (Submit, Extracted)
CERTIFIED = ReplayRules()
PAPER = ReplayRules(several_objects_chosen=True, strict_form=True)
ONE = '{"mechanisms": {"X4": "(and X1 X2)"}}'
TWO = '{"mechanisms": {"X4": "(or X1 X2)", "X5": "X4"}}'


def read(reply, rules=CERTIFIED, allowed_actions=SHOT):
    return parse(reply, allowed_actions, rules)


def test_an_object_alone_is_strict():
    got = read(f"  {ONE}\n")
    assert isinstance(got, Extracted)
    assert got.strict
    assert got.mechanisms == {"X4": "(and X1 X2)"}


@pytest.mark.parametrize(
    "reply", [f"Here it is:\n{ONE}", f"```json\n{ONE}\n```", f"{ONE} Done.", f"{ONE}\n{ONE}"]
)
def test_words_around_an_object_leave_it_extracted_but_not_strict(reply):
    got = read(reply)
    assert isinstance(got, Extracted)
    assert not got.strict
    assert got.mechanisms == {"X4": "(and X1 X2)"}


def test_thinking_is_not_searched():
    got = read(f"<think>{TWO}</think>{ONE}")
    assert isinstance(got, Extracted)
    assert got.mechanisms == {"X4": "(and X1 X2)"}


def test_of_two_answers_the_first_is_taken_or_one_chosen_by_the_rules():
    first = read(f"{ONE} or {TWO}")
    assert isinstance(first, Extracted)
    assert (first.mechanisms, first.forgiven) == (json.loads(ONE)["mechanisms"], 1)
    chosen = read(f"{ONE} or {TWO}", PAPER)
    assert isinstance(chosen, Extracted)
    assert chosen.mechanisms == json.loads(TWO)["mechanisms"]
    assert [other.mechanisms for other in chosen.others] == [json.loads(ONE)["mechanisms"]]


def test_the_choice_does_not_depend_on_the_order_unless_all_else_is_equal():
    same = read(f"{TWO} {ONE}", PAPER)
    assert same == read(f"{ONE} {TWO}", PAPER)
    left, right = ONE, ONE.replace("X1 X2", "X2 X1")
    assert read(f"{left} {right}", PAPER).mechanisms == json.loads(left)["mechanisms"]
    assert read(f"{right} {left}", PAPER).mechanisms == json.loads(right)["mechanisms"]


def test_more_of_the_shape_goes_before_more_mechanisms():
    with_roots = '{"roots": ["X1"], "mechanisms": {"X2": "X1"}}'
    assert read(f"{TWO} {with_roots}", PAPER).roots == ("X1",)


@pytest.mark.parametrize(
    ("reply", "mode"),
    [
        ("", NO_OBJECT),
        ("X4 = X1 and X2", NO_OBJECT),
        ('{"mechanisms": {"X4": "X1"', BROKEN),
        ('{"mechanisms": {"X4": "X1",}}', BROKEN),
        ('{"mechanisms": {"X4": "X1", "X4": "X2"}}', TWICE),
        ('{"mechanisms": {}, "mechanisms": {}}', TWICE),
        ("{}", NO_MECHANISMS),
        ('{"X4": "X1"}', NO_MECHANISMS),
        ('{"mechanisms": ["X1"]}', WRONG_TYPE),
        ('{"mechanisms": {"X4": NaN}}', WRONG_TYPE),
        ('{"mechanisms": {"X4": {"op": "and"}}}', WRONG_TYPE),
        ('{"mechanisms": {"X4": "X1"}, "roots": "X1"}', WRONG_TYPE),
        ('{"a":' * 10_000, TOO_LARGE),
        ("x" * 10_000_000, TOO_LARGE),
        ('{"mechanisms": {"X4": "' + "(" * 10_000_000 + '"}}', TOO_LARGE),
    ],
)
def test_bad_replies_have_a_named_fault(reply, mode):
    begun = time.process_time()
    for rules in (CERTIFIED, PAPER):
        if rules is PAPER and (mode == TWICE or '"roots": "X1"' in reply):
            continue
        got = read(reply, rules)
        assert isinstance(got, Unparsed)
        assert got.mode == mode
        assert len(got.detail) < 500
    assert time.process_time() - begun < 2


def test_faults_of_json_say_where():
    assert "at character 22" in read('{"mechanisms": {"X4": X1}}').detail
    assert "again at character 28" in read('{"mechanisms": {"X4": "X1", "X4": "X2"}}').detail


RELEASED = {
    "alternative": {"mechanisms": {"X1": "X2"}},
    "experiment": {"type": "hard_do", "assignments": {"X6": 1}},
    "witness": {
        "rootAssignment": {"X2": 1},
        "differences": [{"variable": "X1", "reference": 0, "alternative": "1"}, 3],
    },
}


def test_the_released_form_of_an_alternative_is_read():
    got = read(json.dumps(RELEASED))
    assert (got.mechanisms, got.experiment, got.witness) == ({"X1": "X2"}, {"X6": 1}, {"X2": 1})
    assert got.released.experiment_type == "hard_do"
    assert [(d.variable, d.reference, d.alternative) for d in got.released.differences] == [
        ("X1", 0, 1)
    ]
    assert got.slips == 0


@pytest.mark.parametrize("bit", ["1", True, 1.0])
def test_bits_may_be_written_otherwise_and_that_is_counted(bit):
    reply = json.dumps({"mechanisms": {}, "experiment": {"X1": bit}, "witness": {"X2": 0}})
    assert read(reply).experiment == {"X1": 1}
    assert read(reply).slips == 1
    assert read(reply, PAPER).experiment == {"X1": 1}
    assert read(reply, PAPER).slips == 0


@pytest.mark.parametrize("bad", [3, {"X1": None}, {"X1": "x"}, []])
def test_a_bad_experiment_spoils_a_certified_answer_and_not_a_published_one(bad):
    reply = json.dumps({"mechanisms": {"X1": "X2"}, "experiment": bad})
    assert read(reply).mode == WRONG_TYPE
    assert read(reply, PAPER).experiment is None
    assert read(reply, PAPER).mechanisms == {"X1": "X2"}


def test_published_replies_may_say_a_key_twice_and_are_no_lists():
    twice = '{"mechanisms": {"X4": "X1", "X4": "X2"}}'
    assert read(twice, PAPER).mechanisms == {"X4": "X2"}
    assert read(f"[{ONE}]", PAPER).mode == NO_OBJECT
    assert read(f"[{ONE}]").mechanisms == json.loads(ONE)["mechanisms"]


@pytest.mark.parametrize(
    "reply",
    [
        ONE, TWO, '{"roots": ["X1"], "mechanisms": {}}', '{"mechanisms": {"X4": "(and X1"}}',
        '{"mechanisms": {}, "roots": []}', '{"mechanisms": {}, "roots": null}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("rules", [CERTIFIED, PAPER])
def test_what_is_read_plainly_is_what_is_read(reply, rules):
    assert read_plainly(reply) is not None
    # With a space before it, a reply is no longer plain, and means the same.
    assert read(reply, rules) == read(f" {reply}", rules)
    assert read(reply, rules).strict


@pytest.mark.parametrize(
    "reply",
    [
        "", "[]", f"{ONE} ", f" {ONE}", "{}", '{"mechanisms": 3}', '{"mechanisms": {"X4": 3}}',
        '{"mechanisms": {"X4": "X1", "X4": "X2"}}', '{"mechanisms": {}, "witness": {}}',
        '{"mechanisms": {"X4": "\\ud800"}}', '{"mechanisms": {"X4": "<think>"}}', '{"a":' * 10_000,
        json.dumps({"mechanisms": {"X4": "X1" * 100_000}}),
        '{"mechanisms": {}, "roots": "X1"}', '{"mechanisms": {}, "roots": [1]}', ONE + ONE,
    ],
)  # fmt: skip
def test_everything_else_is_left_to_the_reader_of_all_replies(reply):
    plain = read_plainly(reply)
    assert plain is None or reply == f"{ONE} "


@given(st.text(max_size=80), st.booleans())
def test_any_text_is_read_or_has_a_fault_from_the_list(reply, chosen):
    got = read(reply, PAPER if chosen else CERTIFIED)
    assert not isinstance(got, Unparsed) or (": " in got.mode and got.detail)


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=5))
def test_mechanisms_arrive_unchanged(mechanisms):
    got = read(json.dumps({"mechanisms": mechanisms}))
    assert isinstance(got, Extracted)
    assert got.mechanisms == mechanisms

"""The log levels as a conversation: one run, one answer, and every way to get them wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.episode import Episode
from tests.families.causallink.worlds import FAMILY, NO, YES, converse

CASE = FAMILY.generate(FAMILY.level("laws"), 1, 0)
PUBLIC = CASE.public
SURE = FAMILY.proofs.certify(CASE).extra["sure_run"]
ANSWER = YES if CASE.secret.truth else NO


def run(*names: str) -> str:
    return '{"move": [' + ", ".join(f'"{name}"' for name in names) + "]}"


GOOD = run(PUBLIC.cause, *SURE)


def numbers(*replies: str, **rules) -> dict[str, float]:
    return converse(CASE, replies, "certified", **rules).score().numbers


def test_a_decisive_run_and_the_right_answer_earn_the_point():
    found = numbers(GOOD, ANSWER)
    assert [found[name] for name in ("earned", "share", "sure", "decisive")] == [1, 1, 1, 1]


def test_the_run_can_be_made_with_either_suspect():
    assert numbers(run(PUBLIC.machine.companion, *SURE), ANSWER)["earned"] == 1


def test_a_wrong_answer_after_a_decisive_run_is_misread():
    found = numbers(GOOD, NO if ANSWER == YES else YES)
    assert (found["earned"], found["misread"], found["accuracy"]) == (0, 1, 0)


@pytest.mark.parametrize(
    "names",
    [(), PUBLIC.parts, (PUBLIC.cause, PUBLIC.machine.companion, *SURE), tuple(SURE)],
    ids=["nothing", "everything", "both suspects", "neither"],
)
def test_a_run_that_cannot_tell_is_allowed_and_earns_nothing(names):
    found = numbers(run(*names), ANSWER)
    assert (found["earned"], found["accuracy"], found["slips"]) == (0, 1, 0)


def test_an_answer_in_place_of_the_run_is_taken_and_earns_nothing():
    found = numbers(ANSWER)
    assert (found["earned"], found["accuracy"], found["share"]) == (0, 1, 0)


@pytest.mark.parametrize("name", [PUBLIC.effect, "no such part"])
def test_a_run_that_names_what_cannot_be_moved_is_asked_for_once_more(name):
    found = numbers(run(PUBLIC.cause, name), GOOD, ANSWER)
    assert (found["earned"], found["slips"]) == (1, 1)
    skipped = converse(CASE, [run(name), run(name), ANSWER], "certified")
    assert skipped.score().numbers["accuracy"] == 1
    assert skipped.score().numbers["earned"] == 0


def test_a_second_run_is_refused_and_the_answer_asked_for():
    found = numbers(GOOD, GOOD, ANSWER)
    assert (found["earned"], found["asked"]) == (1, 1)


def test_only_two_unreadable_answers_in_a_row_end_a_case_without_one():
    episode = converse(CASE, ["hm", "hm", "hm", "hm"], "certified")
    assert episode.done
    assert episode.score().labels["error"] == "invalid format"
    assert numbers("hm", GOOD, "hm", ANSWER)["earned"] == 1


@pytest.mark.parametrize(
    "reply",
    [
        GOOD.replace('"', "'"),
        GOOD.upper().replace("MOVE", "move"),
        '{"move": "' + ", ".join((PUBLIC.cause, *SURE)) + '"}',
        '{"move": "the ' + "\\nthe ".join((PUBLIC.cause, *SURE)) + '"}',
        f"<think>{run(PUBLIC.effect)}</think> So: {GOOD}",
    ],
)
def test_every_form_of_a_run_that_can_mean_one_thing_is_read(reply):
    found = numbers(reply, ANSWER)
    assert (found["earned"], found["slips"]) == (1, 0)


@pytest.mark.parametrize(
    "form",
    [
        "The answer is {0}.",
        "Answer: {0}",
        "\\boxed{{{0}}}",
        "{{'answer': '{0}'}}",
        "<think>no, yes, no</think> {0}",
        "well.. </think>{0}",
        "I see.\n{0}",
    ],
)
def test_every_form_of_an_answer_that_can_mean_one_thing_is_read(form):
    word = "yes" if CASE.secret.truth else "no"
    found = numbers(GOOD, form.format(word))
    assert (found["earned"], found["slips"]) == (1, 0)


@given(st.lists(st.sampled_from((*PUBLIC.shapes, "?")), max_size=9))
def test_whatever_is_run_the_share_is_one_and_the_case_goes_on(names):
    episode = converse(CASE, [run(*names)], "certified")
    assert not episode.done
    assert 0 <= episode.score().numbers["share"] <= 1


def test_on_practice_an_agent_that_never_stops_is_asked_for_its_answer():
    case = FAMILY.generate(FAMILY.level("practice-4"), 0, 0)
    act = f'{{"shape": "{case.public.cause}", "action": "hold"}}'
    for interface, more in (("json", '{"next": "continue interaction"}'), ("tools", None)):
        rules = FAMILY.rules_for("certified", interface=interface)
        episode = Episode(FAMILY, case, rules)
        for _ in range(2 * case.public.cap):
            if len(episode.world.allowed_actions) == 1 and episode.turns:
                break
            choice = more and len(episode.world.allowed_actions) == 3
            episode.step(episode.parse_reply(more if choice else act))
        assert "You have used all your actions." in episode.turns[-1].observation
        episode.step(episode.parse_reply(YES))
        numbers = episode.score().numbers
        assert (numbers["asked"], numbers["stopped"]) == (1, 0)
        assert numbers["accuracy"] == float(case.secret.truth)

"""What a verdict says of cases that nobody answered, or only when asked, and in which words."""

import math

from causarium.contract.sets.instance_sets import generate_one
from causarium.contract.verdict import Verdict
from causarium.families import get
from tests.families.causallink.worlds import GO_ON, READY, YES, act, converse, world_of


def test_whoever_gives_no_answer_gave_none_too_early_and_none_against_evidence() -> None:
    family = get("causallink")
    for edition, label in (("certified", "smoke"), ("paper", "core")):
        instance = generate_one(family, edition, label, 0)
        numbers = family.score(instance, family.rules_for(edition), ()).numbers
        assert not math.isnan(numbers["determined"])
        assert math.isnan(numbers["answered_early"])
        assert math.isnan(numbers["against_evidence"])


def score_practice(*replies: str) -> Verdict:
    return converse(world_of("AB", "A>B", "AB", "A>B"), replies, "certified").score()


def test_who_answers_has_stopped_unless_the_answer_had_to_be_asked_for() -> None:
    hold = act("A", "hold")
    asked = (hold, *(GO_ON, hold) * 3, GO_ON)
    for replies, stopped, was_asked in (
        ((hold, READY, YES), 1, 0),
        ((*asked, YES), 0, 1),
        (asked, 0, 1),
        ((hold,), 0, 0),
    ):
        numbers = score_practice(*replies).numbers
        assert (numbers["stopped"], numbers["asked"]) == (stopped, was_asked), replies


def test_an_explanation_says_what_was_answered_what_is_right_and_what_went_wrong() -> None:
    answered = score_practice(act("A", "hold"), READY, YES).explanation
    assert answered.startswith("The answer was yes; yes is right.")
    assert "Error mode" not in answered
    failed = score_practice("?", "?").explanation
    assert failed.startswith("No answer was given; yes is right.")
    assert failed.endswith("Error mode: invalid format.")

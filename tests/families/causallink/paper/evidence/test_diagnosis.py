"""What the evidence said, and the four biases, on the paper's own examples."""

import math

import pytest

from causarium.players.direct_runner import play_all
from tests.families.causallink.paper.worlds import (
    FAMILY,
    GO_ON,
    READY,
    act,
    converse,
    draw_set,
    world_of,
)


def verdict_on(instance, actions: str, answer: str):
    """Play actions written `hold A, move B`, then answer."""
    replies = []
    for number, action in enumerate(actions.split(", ")):
        verb, name = action.split()
        replies += [GO_ON] * (number > 0) + [act(name, verb)]
    replies += [READY, f'{{"answer": "{answer}"}}']
    return converse(instance, replies, "repaired").score()


CHAIN = "A>B B>C"


@pytest.mark.parametrize(
    ("shapes", "edges", "moving", "question", "actions", "answer", "bias"),
    [
        # The mediator is held without effect, then the root stops everything.
        ("ABC", CHAIN, "ABC", "B>C", "hold B, hold A", "no", "root cause"),
        # Everything moves and stops together.
        (
            "ABCD",
            "A>B A>C A>D",
            "ABCD",
            "B>A",
            "hold B, hold C, hold D, hold A",
            "yes",
            "correlation",
        ),
        # The effect was moving anyway.
        ("ABC", "B>A B>C", "A", "C>A", "move C", "yes", "correlation"),
        # Holding the cause alone stopped the effect.
        ("ABC", CHAIN, "ABC", "A>C", "hold A", "no", "illusive confounder"),
        # Another root keeps the effect going.
        ("ABCD", "A>C B>C", "ABCD", "A>C", "hold A", "no", "reverse collider"),
        # A wrong yes although cause and effect parted.
        ("ABC", "B>A B>C", "C", "A>C", "move A, hold A", "yes", "unclassified"),
        # A wrong no with cause and effect alike all the time, and something still moving.
        ("ABC", CHAIN, "ABC", "B>C", "hold C", "no", "unclassified"),
        ("ABC", CHAIN, "ABC", "B>C", "hold C", "yes", "none"),
    ],
)
def test_wrong_answers_show_the_bias_they_were_led_by(
    shapes, edges, moving, question, actions, answer, bias
):
    verdict = verdict_on(world_of(shapes, edges, moving, question), actions, answer)
    assert verdict.labels["bias"] == bias


def test_no_answer_is_a_failure_without_a_bias():
    episode = converse(world_of("AB", "A>B", "AB", "A>B"), ["?", "?"], "repaired")
    assert episode.score().labels == {
        "error": "invalid format",
        "bias": "unclassified",
        "evidence": "open",
    }


def test_an_answer_before_the_evidence_is_early_even_when_right():
    verdict = verdict_on(world_of("ABC", CHAIN, "ABC", "B>C"), "hold C", "yes")
    assert verdict.numbers["accuracy"] == 1
    assert verdict.numbers["answered_early"] == 1
    assert verdict.numbers["determined"] == 0
    assert math.isnan(verdict.numbers["steps_after_determined"])
    assert verdict.numbers["effort"] == 0.5


def test_an_answer_against_the_evidence_is_named():
    verdict = verdict_on(world_of("ABC", CHAIN, "ABC", "A>C"), "hold A", "no")
    assert verdict.numbers["against_evidence"] == 1
    assert verdict.numbers["answered_early"] == 0


def test_interventions_after_the_answer_is_determined_are_counted():
    instance = world_of("ABC", CHAIN, "ABC", "A>C")
    verdict = verdict_on(instance, "hold A, move B, hold B", "yes")
    assert verdict.numbers["steps_after_determined"] == 2


def test_the_forced_first_intervention_is_not_held_against_the_agent():
    instance = world_of("AB", "A>B", "B", "B>A")
    assert verdict_on(instance, "hold A", "no").numbers["steps_after_determined"] == 0
    assert verdict_on(instance, "hold A, hold A", "no").numbers["steps_after_determined"] == 1
    assert math.isnan(verdict_on(instance, "hold A", "no").numbers["effort"])


def test_the_optimal_player_answers_only_when_the_evidence_is_in():
    for name in ("smoke", "core60"):
        for row in play_all(FAMILY, draw_set(name), "optimal", edition="paper", set_name=name):
            assert row.numbers["determined"] == 1
            assert row.numbers["answered_early"] == 0
            assert row.labels["bias"] == "none"
            assert not row.numbers["effort"] > 1


def test_every_failed_case_is_classified_or_said_not_to_be():
    instances = draw_set("core")
    for player in ("random", "one_shot", "always_yes", "always_no", "silent"):
        for row in play_all(FAMILY, instances, player, edition="paper", set_name="core"):
            assert (row.labels["bias"] == "none") == (row.numbers["accuracy"] == 1)

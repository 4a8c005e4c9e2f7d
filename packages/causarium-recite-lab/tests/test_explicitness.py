"""Shares of what a text tells, and labels given by a model."""

import json

import pytest
from causarium_recite_lab.building.label_nodes import MOST_AGAIN, label_nodes, read_labels

from causarium.contract.texts.role_questions import Ask, answer_questions
from causarium.families.recite.paper.model.instance import lenient_explicitness, strict_explicitness

NODES = ["Rain", "Floods", 'A "quoted" node']


def test_lenient_and_strict_differ_by_what_is_between_the_lines() -> None:
    """Both are 0 where there is nothing to tell."""
    assert lenient_explicitness([1, 2, 2, 3]) == 0.75
    assert strict_explicitness([1, 2, 2, 3]) == 0.25
    assert lenient_explicitness([]) == strict_explicitness([]) == 0


def test_a_model_labels_every_node() -> None:
    """One question suffices where it does as asked; the text comes first."""
    asked: list[Ask] = []

    def reply(ask: Ask) -> str:
        asked.append(ask)
        return "Here: " + json.dumps({"scores": dict.fromkeys(NODES, 2)})

    found = answer_questions(label_nodes("It rained.", NODES), reply)
    assert found.labels == dict.fromkeys(NODES, 2)
    assert (found.asked, found.missing) == (1, [])
    assert asked[0].user.startswith("<document>\nIt rained.")


def test_what_is_missing_or_illegal_is_asked_for_again() -> None:
    """The first labels are kept."""
    replies = iter(
        [
            '{"scores": {"Rain": 1, "Floods": 4, "Storks": 1}}',
            '{"Floods": "3", "Rain": 3}',
            '{"scores": {"A \\"quoted\\" node": 2}}',
        ]
    )
    found = answer_questions(label_nodes("text", NODES), lambda _: next(replies))
    assert found.labels == {"Rain": 1, "Floods": 3, NODES[2]: 2}
    assert found.asked == 3


def test_a_model_that_never_answers_leaves_all_missing() -> None:
    """It is asked once and three times again."""
    found = answer_questions(label_nodes("text", NODES), lambda _: "no")
    assert (found.asked, found.missing, found.labels) == (1 + MOST_AGAIN, NODES, {})
    assert found.problem


@pytest.mark.parametrize("said", ["true", "1.0", "null", "[1]", '"one"', "0", "4"])
def test_only_three_labels_are_labels(said: str) -> None:
    """Nothing that merely equals one in Python."""
    labels, problem = read_labels(f'{{"scores": {{"Rain": {said}}}}}', ["Rain"])
    assert labels == {}
    assert "'Rain' is" in problem

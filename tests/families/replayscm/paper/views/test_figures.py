"""One problem as a picture."""

from xml.etree import ElementTree as ET

import pytest

from causarium.contract.turn import Turn
from causarium.contract.world import Unparsed
from causarium.families.replayscm.paper.levels import ReplayRules
from causarium.families.replayscm.paper.model.actions import Submit
from causarium.families.replayscm.paper.views.episodes import draw_episode
from tests.families.replayscm.paper.problems import FORMULAS, alternative_problem, problem, turn

RULES = ReplayRules()


def drawn(instance, *moves):
    picture = draw_episode(instance, RULES, [turn(move) for move in moves])
    root = ET.fromstring(picture.svg)
    return " ".join(text for text in root.itertext() if text.strip())


def test_the_picture_says_how_much_is_replayed():
    text = drawn(problem(n_rows=16), Submit(mechanisms={**FORMULAS, "X4": "(or X1 X2)"}))
    assert "training worlds are replayed exactly" in text
    assert "The answer" in text


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ([], "No answer was given."),
        ([Submit(mechanisms={"X4": "<b>(" * 50})], "Refused at keys (missing key)"),
        ([Submit(mechanisms={**FORMULAS, "X5": "(nor X1 X2)"})], "unknown operator"),
    ],
)
def test_what_cannot_be_drawn_is_said(moves, said):
    assert said in drawn(problem(), *moves)


def test_an_unreadable_reply_is_said():
    unread = Turn(
        unparsed=Unparsed(mode="extraction: duplicate key", detail='"X4" twice'),
        observation="no",
        legal=False,
        cost=0,
    )
    svg = draw_episode(problem(), RULES, [unread]).svg
    assert "Refused at extraction (duplicate key)" in svg


def test_a_second_model_is_drawn_beside_the_given_one():
    move = Submit(mechanisms={"X4": "(or X1 X2)", "X5": "X1"}, experiment={"X4": 0})
    text = drawn(alternative_problem(), move)
    assert "The given model" in text
    assert "The answer" in text

"""One problem as a picture, and many rows."""

from xml.etree import ElementTree as ET

import pytest

from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.model.actions import Submit
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.views.episodes import draw_episode
from causarium.families.replayscm.views.row_charts import draw_rows, ladder
from causarium.players.direct_runner import play_all
from tests.families.replayscm.problems import FORMULAS, alternative_problem, problem, turn

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


def test_certified_rows_are_drawn_by_level_and_clans_count_once():
    smoke = generate_set(FAMILY, "certified", "smoke")
    chosen = [one for one in smoke if one.public.setting in {"whatif", "trait", "both"}]
    rows = [
        row
        for player in ("exact", "filler", "silent")
        for row in play_all(FAMILY, chosen, player, edition="certified", set_name="smoke")
    ]
    (figure,) = draw_rows(rows)
    for word in ("whatif", "trait", "both", "What is found on each level"):
        assert word in figure.svg
    assert "counts as one problem" in figure.caption
    marks = ladder([row for row in rows if row.facets["setting"] == "trait"], "exact")
    assert {interval.n for interval in marks.values()} == {1}

"""One problem as a picture, and the wrong cell that it traces back."""

from xml.etree import ElementTree as ET

import pytest

from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.evidence.open_models import open_models
from causarium.families.replayscm.model.actions import Submit
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.scoring.desk import Desk
from causarium.families.replayscm.views.episodes import draw_episode, find_first_failure
from causarium.families.replayscm.views.row_charts import draw_rows, ladder
from causarium.players.direct_runner import play_all
from tests.families.replayscm.problems import FORMULAS, alternative_problem, problem, turn

RULES = ReplayRules()


def drawn(instance, *moves):
    picture = draw_episode(instance, RULES, [turn(move) for move in moves])
    root = ET.fromstring(picture.svg)
    return " ".join(text for text in root.itertext() if text.strip())


def trace(instance, **changed):
    desk = Desk(instance)
    found = desk.evaluate(Submit(mechanisms={**FORMULAS, **changed}))
    return find_first_failure(desk, found.replayed)


def test_a_failure_is_traced_to_the_mechanism_that_went_wrong_first():
    found = trace(problem(n_rows=16), X4="(or X1 X2)")
    assert found.heldout
    assert found.first == "X4"
    assert found.path in {("X5", "X4"), ("X6", "X5", "X4"), ("X4",)}
    assert set(found.inputs) == {"X1", "X2"}
    assert found.said == 1
    assert sum(found.inputs.values()) == 1


def test_what_only_follows_from_a_wrong_cause_is_not_blamed():
    desk = Desk(problem(n_rows=16, heldout=((),)))
    wrong = Submit(mechanisms={**FORMULAS, "X4": "(not (and X1 X2))"})
    found = find_first_failure(desk, desk.evaluate(wrong).replayed)
    assert found.first == "X4"
    assert len(found.path) > 1


def test_a_failure_in_training_is_traced_where_no_held_out_world_fails():
    shown = problem(heldout=(("X4", "X5", "X6"),))
    assert not trace(shown, X4="(or X1 X2)").heldout
    assert trace(problem()) is None


def test_the_picture_says_what_went_wrong():
    text = drawn(problem(n_rows=16), Submit(mechanisms={**FORMULAS, "X4": "(or X1 X2)"}))
    assert "X4 went wrong first" in text
    assert "The answer's X4: (or X1 X2)" in text
    assert "The true X4: (and X1 X2)" in text


def test_the_truth_leaves_nothing_to_trace():
    assert "Every scored cell is replayed" in drawn(problem(), Submit(mechanisms=FORMULAS))


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ([], "Nothing was handed in."),
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
    assert "X4 = 0 to tell the two models apart" in text


def test_more_worlds_never_leave_more_models():
    public = problem(train=((), ("X4",), ("X5", "X1"), ("X4", "X6"), ("X1",))).public
    parts = (public.model_copy(update={"train": public.train[:n]}) for n in range(1, 6))
    values = [open_models(part) for part in parts]
    assert values == sorted(values, reverse=True)
    assert values[-1] >= 0


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
    assert {interval.n for by_cell in marks.values() for interval in by_cell.values()} == {1}

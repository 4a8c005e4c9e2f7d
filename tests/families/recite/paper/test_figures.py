"""Pictures and stages of answers: what is drawn is what was counted."""

import re
from xml.etree import ElementTree as ET

import pytest

from causarium.contract.turn import Turn
from causarium.contract.world import Unparsed
from causarium.families.recite.paper.levels import ReciteRules
from causarium.families.recite.paper.scoring.score import score
from causarium.families.recite.paper.views.figures import draw_episode
from causarium.families.recite.paper.views.row_charts import draw_rows
from causarium.families.recite.paper.views.scene import count_arrows, make_scenes
from tests.families.recite.paper.papers import CHAIN, handed_in, paper, row

RULES = ReciteRules()
MIXED = [("rain", "the floods"), ("Losses", "Floods"), ("Storks", "Babies"), ("rain", "Losses")]
"""One edge as it is, one reversed, one between strangers, one that is not there."""


def test_a_picture_counts_what_the_answer_did() -> None:
    """Matched, reversed, extra and missing, strangers and evidence."""
    instance = paper()
    edges = [("rain", "Floods"), ("Losses", "Floods"), ("Storks", "Babies"), ("rain", "Losses")]
    picture = draw_episode(instance, RULES, handed_in(edges))
    assert "4 edges in the answer, 4 true: 1 matched, 1 reversed, 2 extra, 2 missing." in (
        picture.svg
    )
    assert "lacks: Babies, Storks" in picture.svg
    assert "Rain → Floods (matched)" in picture.svg
    assert "“Rain leads to Floods.”" in picture.svg
    assert "Floods → Losses (reversed)" in picture.svg
    ET.fromstring(picture.svg)


@pytest.mark.parametrize("task", ["no_count", "names"])
@pytest.mark.parametrize("edges", [[], CHAIN, MIXED, [("<b>&\x1b\x00", "\"'"), ("x", "x")]])
def test_every_answer_can_be_drawn_and_staged(task, edges) -> None:
    """Whatever it calls its nodes."""
    instance = paper(task=task)
    for turns in ([], handed_in(edges)):
        svg = draw_episode(instance, RULES, turns).svg
        ET.fromstring(svg)
        assert "<b>" not in svg
        assert len(make_scenes(instance, RULES, turns).scenes) == len(turns) + 1


def test_large_graphs_are_drawn_as_a_table() -> None:
    """A cell for each edge, whatever became of it."""
    edges = [(f"n{i:02}", f"n{(i + 1) % 40:02}") for i in range(40)]
    picture = draw_episode(paper(edges), RULES, handed_in(edges[:10]))
    body = picture.svg.split("<g ")[1]
    assert len(re.findall("<rect", body)) == 40


def test_a_stage_says_what_states_each_edge() -> None:
    """True edges with their sentences first, then what is not true."""
    edges = [("rain", "Floods"), ("Losses", "Floods"), ("rain", "Dykes")]
    turns = handed_in(edges)
    staged = make_scenes(paper(), RULES, turns)
    lines = {line.name: line for line in staged.scenes[1].lines}
    assert lines["Rain → Floods"].right
    assert lines["Rain → Floods"].true == "Rain leads to Floods."
    assert lines["Floods → Losses"].believed == "reversed"
    assert lines["Losses → Dykes"].believed == "no"
    assert lines["Rain → Dykes"].true == "not in the graph"
    assert "Losses → Floods" not in lines
    belief = staged.scenes[1].belief
    assert belief is not None
    assert belief.edges[0] == ("Rain", "Floods")
    assert "“rain” for “Rain”" in staged.scenes[1].note


def test_a_replay_opens_with_the_text() -> None:
    """And goes on without it."""
    scenes = make_scenes(paper(), RULES, handed_in(CHAIN)).scenes
    assert scenes[0].text == paper().public.text
    assert not scenes[1].text


def test_a_stage_says_why_nothing_is_there() -> None:
    """An unreadable reply has its reason."""
    unread = Turn(
        unparsed=Unparsed(mode="no_json", detail="no braces"), observation="", legal=False, cost=1
    )
    assert make_scenes(paper(), RULES, [unread]).scenes[1].note == "No braces."


def test_rows_are_drawn_where_a_facet_varies() -> None:
    """One explicitness is no slope; two are."""
    one = [
        row("m", n, 0.5).model_copy(update={"facets": {"explicitness": "0-25 %"}}) for n in (1, 2)
    ]
    assert not [p for p in draw_rows(one) if "told" in p.title or "tells" in p.title]
    two = [*one, row("m", 3, 0.9).model_copy(update={"facets": {"explicitness": "75-100 %"}})]
    pictures = draw_rows(two)
    assert pictures[0].title == "F1 against how much of the graph the text tells"


def test_no_rows_are_no_pictures() -> None:
    """Nor are unscored ones."""
    assert draw_rows([]) == ()
    assert draw_rows([row("m", 1, 0.5).model_copy(update={"unscored": "mute"})]) == ()


@pytest.mark.parametrize("composed", [False, True])
def test_arrows_are_counted_alike_by_either_scale(composed) -> None:
    """One as it is, said twice in other words, one reversed, two that are not there, two missed."""
    instance = paper()
    rules = ReciteRules(composite_f1=composed)
    verdict = score(instance, rules, handed_in([*MIXED, ("Rain", "floods")]))
    facets = {"n_edges": len(instance.secret.edges)}
    played = row("m", 1, 0.5).model_copy(
        update={"numbers": verdict.numbers, "labels": verdict.labels, "facets": facets}
    )
    assert list(count_arrows(played).values()) == [1, 1, 2, 2]

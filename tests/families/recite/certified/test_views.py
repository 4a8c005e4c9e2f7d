"""What people see of a text: the board, the replay, the picture, and how an episode ended."""

import json
from xml.etree import ElementTree as ET

import pytest

from causarium.contract.episode import Episode, play
from causarium.contract.row import Row
from causarium.families.recite.certified import FAMILY
from causarium.families.recite.certified.model import Submit
from causarium.families.recite.certified.views.episodes import (
    FOUND,
    INVENTED,
    MISSED,
    MOST_DRAWN,
    count_edges,
    draw_episode,
    explain_outcome,
    judge_edges,
    make_scenes,
)
from causarium.families.recite.certified.views.play_page import PLAY_PAGE

RULES = FAMILY.rules_for("certified")
RUNGS = range(1, FAMILY.rungs.top + 1 if FAMILY.rungs else 1)


def open_episode(rung: int, index: int = 0) -> Episode:
    return Episode(FAMILY, FAMILY.generate(FAMILY.level(f"rung-{rung}"), 29, index), RULES)


@pytest.mark.parametrize("rung", RUNGS)
def test_every_edge_that_a_text_tells_has_its_words_in_the_text(rung: int) -> None:
    for index in range(2):
        instance = open_episode(rung, index).instance
        judged = judge_edges(instance, frozenset())
        assert {one.kind for one in judged} == {"missed"}
        for one in judged:
            assert one.words
            assert all(part in instance.public.text for part in one.words.split(" … "))


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("player", ["exact", "words_learned", "everything", "silent"])
def test_a_replay_lists_what_was_found_missed_and_invented(rung: int, player: str) -> None:
    played = play(FAMILY, open_episode(rung).instance, RULES, player)
    shown, verdict = make_scenes(played.instance, RULES, played.turns), played.score()
    assert len(shown.scenes) == len(played.turns) + 1
    for scene in (shown.truth, *(one.belief for one in shown.scenes)):
        assert scene is None or len(scene.edges) <= MOST_DRAWN
    if player == "exact":
        assert all(line.right for line in shown.scenes[-1].lines)
    if player == "silent":
        assert not shown.scenes[-1].lines
    assert shown.outcome == verdict.explanation
    ET.fromstring(draw_episode(played.instance, RULES, played.turns).svg)


def test_edges_are_counted_by_what_became_of_them() -> None:
    episode = open_episode(2)
    told = episode.instance.secret.edges
    names = episode.instance.public.names
    turned = next([b, a] for a, b in told if (b, a) not in told)
    edges = [[names.index(end) + 1 for end in edge] for edge in (*told[1:], turned)]
    episode.step(episode.parse_reply(json.dumps({"edges": edges})))
    verdict = episode.score()
    row = Row(
        family="recite",
        version="5-A",
        edition="certified",
        set="smoke",
        agent="m",
        interface="json",
        id=episode.instance.id,
        numbers=verdict.numbers,
        facets={},
        labels=verdict.labels,
        turns=1,
    )
    assert count_edges(row) == {FOUND: len(told) - 1, INVENTED: 1, MISSED: 1}
    assert explain_outcome(row, "correct") == "some passages misread"
    assert explain_outcome(row, "malformed") == ""


def test_the_board_of_the_first_rung_asks_questions() -> None:
    public = open_episode(1).instance.public
    board = PLAY_PAGE.lay_out(public, RULES, ())
    assert len(board.view["questions"]) == len(public.questions)
    drafts = {f"q{n}": "a" for n in range(1, len(public.questions) + 1)}
    assert PLAY_PAGE.read_draft(public, RULES, (), drafts) == Submit(answers=("a",) * len(drafts))
    problems = PLAY_PAGE.read_draft(public, RULES, (), {**drafts, "q2": ""})
    assert [problem.field for problem in problems] == ["q2"]


@pytest.mark.parametrize(
    ("arrows", "why"),
    [
        ("", "at least one"),
        ("rain", "is no arrow"),
        ("nobody -> nowhere", "is none of the names"),
        ("{0} -> {0}", "cannot act on itself"),
    ],
)
def test_a_slip_on_the_board_costs_nothing(arrows: str, why: str) -> None:
    public = open_episode(2).instance.public
    draft = {"arrows": arrows.format(*public.names)}
    (problem,) = PLAY_PAGE.read_draft(public, RULES, (), draft)
    assert why in problem.words


def test_arrows_are_handed_in_as_ids() -> None:
    public = open_episode(2).instance.public
    draft = {"arrows": f"{public.names[0]} -> {public.names[3]}\n"}
    assert PLAY_PAGE.read_draft(public, RULES, (), draft) == Submit(edges=(("1", "4"),))

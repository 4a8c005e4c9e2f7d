"""What people look at: the board, the replay and the picture of a session."""

import re
from xml.etree import ElementTree as ET

import pytest

from causarium.contract.episode import Episode, play
from causarium.contract.views.play_page import Exchange, Problem
from causarium.families.causalgame.certified import FAMILY
from causarium.families.causalgame.certified.model import Decide, Fly, GameInstance
from causarium.families.causalgame.certified.views.diagram import draw_story

RULES = FAMILY.rules_for("certified", interface="tools")
PAGE = FAMILY.views.play_page


def draw(rung: int, index: int = 0) -> GameInstance:
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), 0, index)


@pytest.mark.parametrize("rung", [1, 3, 5, 8])
def test_the_board_shows_every_leg(rung: int) -> None:
    assert PAGE is not None
    public = draw(rung).public
    view = PAGE.lay_out(public, RULES, ()).view
    assert [leg["module"] for leg in view["legs"]] == [leg.module for leg in public.legs]
    for shown, leg in zip(view["legs"], public.legs, strict=True):
        assert len(shown["pictures"]) == len(leg.told)
        assert len(shown["tables"][0]["rows"]) == 1 + len(leg.book)
        for picture in shown["pictures"]:
            ET.fromstring(picture["svg"])


def test_a_story_names_all_its_nodes_and_no_cause_that_is_not_told() -> None:
    for index in range(6):
        for leg in draw(6, index).public.legs:
            for told in leg.told:
                said = " ".join(ET.fromstring(f"<g>{draw_story(leg, told).body}</g>").itertext())
                words = re.sub(r"\s+", " ", said)
                for name in (leg.module, *(one.name for one in told.hidden)):
                    assert all(word in words for word in name.split())


def test_a_draft_is_a_trial_a_decision_or_a_problem() -> None:
    assert PAGE is not None
    public = draw(4).public
    leg = public.legs[0]
    column = leg.columns[0]
    fly = PAGE.read_draft(
        public, RULES, (), {"kind": "fly", "leg": "1", f"set {column.name}": column.values[0]}
    )
    assert fly == Fly(leg=1, set={column.name: column.values[0]})
    found = PAGE.read_draft(public, RULES, (), {"kind": "decide", "choice 1": "fit"})
    assert isinstance(found, tuple)
    assert [one.field for one in found if isinstance(one, Problem)] == ["choice 2", "choice 3"]
    choices = {f"choice {number}": "bare" for number in range(1, len(public.legs) + 1)}
    assert isinstance(PAGE.read_draft(public, RULES, (), choices), Decide)


@pytest.mark.parametrize("rung", [1, 4, 5, 8])
def test_a_session_is_replayed_and_drawn(rung: int) -> None:
    assert PAGE is not None
    instance = draw(rung)
    views, played = FAMILY.views, play(FAMILY, instance, RULES, "exact")
    assert views.scene is not None
    assert views.draw_episode is not None
    shown = views.scene(instance, RULES, played.turns)
    assert len(shown.scenes) == len(shown.steps) == len(played.turns) + 1
    assert all(line.right for line in shown.scenes[-1].lines)
    ET.fromstring(views.draw_episode(instance, RULES, played.turns).svg)
    ET.fromstring(views.draw_episode(instance, RULES, ()).svg)
    episode, exchanges = Episode(FAMILY, instance, RULES), []
    for turn in played.turns:
        move = turn.move(FAMILY.actions)
        exchanges.append(Exchange(move, episode.step(move)))
    board = PAGE.lay_out(instance.public, RULES, exchanges)
    tables = sum(len(leg["tables"]) for leg in board.view["legs"])
    assert tables == len(instance.public.legs) + len(played.turns) - 1
    ending = PAGE.tell_ending(played.score(), exchanges)
    assert (ending.sentence, ending.facts["score"]) == ("Right on every leg.", "1.00")

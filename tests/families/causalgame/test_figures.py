"""Pictures: whole, harmless, and saying what the session was."""

import re
from xml.etree import ElementTree as ET

import pytest

from causarium.charts.palette import WARN
from causarium.contract.row import Row
from causarium.families.causalgame.paper.model.actions import Effect
from causarium.families.causalgame.paper.model.game import Design
from causarium.families.causalgame.paper.model.paper_games import paper_game
from causarium.families.causalgame.paper.model.rules import GameRules
from causarium.families.causalgame.paper.scoring.claims import claims_of
from causarium.families.causalgame.paper.scoring.judge import chain
from causarium.families.causalgame.paper.scoring.score import landmarks
from causarium.families.causalgame.paper.views import VIEWS
from causarium.families.causalgame.paper.views.charts import draw_rows
from causarium.families.causalgame.paper.views.episode import (
    draw_true_graph,
    select_shown_graph,
    trap_levers,
)
from tests.families.causalgame.game_graph import Graph
from tests.families.causalgame.made import session
from tests.families.causalgame.sessions import played

DIFFERENT = [
    "antenna_trap",
    "deployment_zone_trap_categorical",
    "deployment_zone_trap_categorical_no_selection_bias",
    "deployment_zone_trap_env_shift",
    "weather_noise",
]
"""Games whose graphs differ, in one edition or the other."""
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter(f"{SVG}text")]


def assert_harmless(svg):
    tree = ET.fromstring(svg)
    assert tree.tag == f"{SVG}svg"
    assert not list(tree.iter(f"{SVG}script"))
    assert not re.search(r"href|javascript|url\(", svg)
    assert not any(name.startswith("on") for node in tree.iter() for name in node.attrib)
    assert "nan" not in re.sub(r">[^<]*<", "><", svg)


def test_a_session_shows_its_designs_between_default_threshold_and_optimum():
    game = paper_game("antenna_trap")
    picture = VIEWS.draw_episode(*played(game=game, claims=claims_of(game)[:2]))
    assert_harmless(picture.svg)
    said, marks = texts(picture.svg), landmarks(game)
    assert f"optimum {marks.best:.1%}" in said
    assert f"standard {marks.default:.1%}" in said
    assert f"threshold {game.threshold:.0%}" in said
    assert any(line.startswith("turn 2: ") and "the standard design" in line for line in said)
    assert any(line.startswith("fleet ") for line in said)
    assert any("in the end" in line for line in said)
    assert any("the trap: antenna_def" in line for line in said)


@pytest.mark.parametrize("name", DIFFERENT)
def test_every_game_has_its_true_graph_with_trap_and_chain(name):
    for game in (paper_game(name), paper_game(name)):
        nodes, edges = select_shown_graph(game)
        graph = Graph(game)
        above = {name: set(graph.ancestors(name)) for name in nodes}
        assert set(chain(game)) <= set(nodes)
        assert all(cause in above[effect] for cause, effect in edges)
        drawn, width, height = draw_true_graph(game)
        assert_harmless(f'<svg xmlns="http://www.w3.org/2000/svg">{drawn}</svg>')
        assert width > 200
        assert height > 200
        assert drawn.count(f'stroke="{WARN}"') == len(trap_levers(game) & set(nodes))
    assert trap_levers(paper_game(name))


def test_the_trap_of_the_antenna_game_is_its_antenna():
    assert trap_levers(paper_game("antenna_trap")) == {"antenna_def"}


def test_sessions_in_which_nothing_happened_are_drawn_too():
    picture = VIEWS.draw_episode(session(paper_game("weather_noise")), GameRules(), [])
    assert_harmless(picture.svg)
    assert "nothing was submitted" in " ".join(texts(picture.svg))
    quiet = VIEWS.draw_episode(*played(submits=False, claims=()))
    assert_harmless(quiet.svg)


def test_hostile_words_stay_words():
    claim = Effect(cause="<script>alert(1)</script>", relation="raises", effect="survived")
    instance, rules, turns = played(Design(), claims=(claim,), report="</svg><script>x</script>")
    assert_harmless(VIEWS.draw_episode(instance, rules, turns).svg)


COLLAPSED, WON = {"pattern": "A: complete collapse"}, {"pattern": "none: won"}


def row(agent, game, regret, **more):
    labels = more.pop("labels", {})
    return Row(
        family="causalgame",
        version="1-0",
        edition="certified",
        set="smoke",
        agent=agent,
        interface="json",
        id=f"causalgame-{game}-{len(agent)}",
        facets={"game": game},
        numbers={"gain": regret, **more},
        labels=labels,
        turns=3,
    )


def test_many_sessions_show_regret_by_game():
    rows = [row("player/oracle", "a", 1.0), row("a <model>", "a", -7.0), row("a <model>", "b", 0.4)]
    (picture,) = draw_rows(rows)
    assert_harmless(picture.svg)
    assert {"a", "b", "a <model>", "player/oracle"} <= set(texts(picture.svg))
    assert draw_rows([]) == ()


def test_judged_sessions_show_patterns_and_the_agreement_of_two_judges():
    first = {"judge_first_met": 8.0, "judge_first_partly": 2.0}
    second = {"judge_second_met": 6.0, "judge_second_partly": 4.0}
    given = {**first, **second, "judge_agreement": 0.7}
    rows = [
        row("m", "a", 0.1, judge_first=4.0, judge_second=5.0, **given, labels=COLLAPSED),
        row("mm", "a", 0.2, judge_first=9.0, judge_second=12.0, **given, labels=WON),
    ]
    pictures = draw_rows(rows)
    assert [picture.title for picture in pictures][1:] == [
        "Failure patterns",
        "Agreement of two judges",
    ]
    for picture in pictures:
        assert_harmless(picture.svg)
    # By chance (8 * 6 + 2 * 4 + 7 * 7) / 17 ** 2 = 0.363 agree, so kappa is 0.337 / 0.637.
    assert "2 reports; same grade 70%; kappa 0.53; Spearman 1.00" in texts(pictures[2].svg)
    assert "won" in texts(pictures[1].svg)

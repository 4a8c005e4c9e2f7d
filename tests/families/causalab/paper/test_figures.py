"""Pictures: well formed, self-contained, true to the grades, and nothing on top of anything."""

import math
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.charts.causal_graph import STROKES, edge_kinds
from causarium.charts.layout import NODE_HEIGHT, NODE_WIDTH, lay_out, route
from causarium.contract.row import Row
from causarium.contract.world import Unparsed
from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LabConfig, LabRules
from causarium.families.causalab.paper.model.actions import Intervene, Measure, Submit
from causarium.families.causalab.paper.model.instance import FREQUENCY
from causarium.families.causalab.paper.views.figures import (
    MAX_PANELS,
    choose_points,
    draw_episode,
    draw_rows,
)
from causarium.scoring.graph_scores import compare_edges
from tests.families.causalab.paper.made import trajectory, turns_of

SVG = "{http://www.w3.org/2000/svg}"
INSTANCE = generate(LabConfig(level="test", nodes=5), 0, 0)
PUBLIC, SECRET = INSTANCE.public, INSTANCE.secret
TRUE = sorted(SECRET.edge_pairs)


def believed(edges):
    return {
        "edges": [{"from": cause, "to": effect} for cause, effect in edges],
        "coefficients": {"base": 12, **{f"c_{c}": 1.5 for c, e in edges if e == "resonanceFreq"}},
    }


def growing(count):
    """Yield moves, each with one true arrow more."""
    for number in range(count):
        edges = TRUE[: number % len(TRUE) + 1]
        value = float(number % 90)
        yield Intervene(property=PUBLIC.names[0], value=value, hypothesis=believed(edges))
    yield Submit(value=SECRET.target, hypothesis=believed(TRUE))


def episode(moves, **rules):
    how = LabRules(**rules)
    return how, turns_of(INSTANCE, *moves, rules=how)


def parsed(picture):
    """Parse a picture, and check what every picture keeps."""
    root = ET.fromstring(picture.svg)
    assert root.tag == f"{SVG}svg"
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert not names & {"script", "style", "foreignObject", "image", "a", "use"}
    for element in root.iter():
        assert not [key for key in element.attrib if key.startswith("on") or "href" in key]
        assert "id" not in element.attrib
    assert "nan" not in picture.svg
    assert "url(" not in picture.svg
    assert picture.title
    assert picture.caption
    return root


def texts(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def test_an_episode_shows_the_truth_and_each_hypothesis_that_came_into_force():
    rules, turns = episode(growing(3))
    root = parsed(draw_episode(INSTANCE, rules, turns))
    heads = [text for text in texts(root) if text.startswith(("The truth", "Turn "))]
    changed = [p.turn for p in trajectory(INSTANCE, rules, turns) if p.changed]
    assert [head.split(",")[0] for head in heads] == ["The truth", *(f"Turn {n}" for n in changed)]
    assert texts(root).count("Frequency") == len(heads)
    assert f"{SECRET.edges[0].linear:.4g}" in texts(root)


def test_many_hypotheses_are_thinned_out_and_the_first_and_last_are_kept():
    rules, turns = episode(growing(14))
    course = trajectory(INSTANCE, rules, turns)
    changed = [point for point in course if point.changed]
    chosen = choose_points(course)
    assert len(changed) > MAX_PANELS == len(chosen)
    assert chosen[0] is changed[0]
    assert chosen[-1] is changed[-1]
    assert len({point.turn for point in chosen}) == MAX_PANELS
    parsed(draw_episode(INSTANCE, rules, turns))


def test_no_hypothesis_and_no_turn_are_drawn_too():
    for moves in ([], [Measure()], [Unparsed(mode="no json", detail="nothing")]):
        rules, turns = episode(moves)
        assert "No hypothesis came into force." in texts(
            parsed(draw_episode(INSTANCE, rules, turns))
        )


def test_the_plain_interface_is_drawn_without_grades():
    rules, turns = episode(growing(2), interface="plain")
    said = texts(parsed(draw_episode(INSTANCE, rules, turns)))
    assert not [text for text in said if "hypothesis" in text or "F1" in text]


def test_unchecked_nonsense_is_drawn():
    odd = believed([("resonanceFreq", "resonanceFreq"), TRUE[0], TRUE[0][::-1], TRUE[1][::-1]])
    rules, turns = episode([Submit(value=1.0, hypothesis=odd)], unchecked_hypothesis=True)
    parsed(draw_episode(INSTANCE, rules, turns))


def test_the_same_episode_gives_the_same_bytes():
    rules, turns = episode(growing(4))
    assert draw_episode(INSTANCE, rules, turns) == draw_episode(INSTANCE, rules, turns)


def test_what_is_written_is_escaped():
    hostile = INSTANCE.model_copy(update={"id": 'causalab-<script>"&-0000'})
    rules, turns = episode(growing(1))
    root = parsed(draw_episode(hostile, rules, turns))
    assert 'causalab-<script>"&-0000' in texts(root)


def test_kinds_of_arrows_differ_in_more_than_colour():
    styles = [(s.dash, s.hollow) for kind, s in STROKES.items() if kind != "true"]
    assert len(styles) == len(set(styles))


NODES = PUBLIC.nodes
PAIRS = st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)).filter(lambda e: e[0] != e[1])


@settings(max_examples=40, deadline=None)
@given(st.frozensets(PAIRS), st.frozensets(st.sampled_from(TRUE)))
def test_arrows_are_coloured_as_they_are_counted(drawn, true):
    kinds = list(edge_kinds(drawn, true).values())
    counted = compare_edges(drawn, true, variables=NODES)
    assert kinds.count("matched") == counted.matched
    assert kinds.count("reversed") == counted.reversed
    assert kinds.count("missing") == counted.missing
    assert kinds.count("extra") == counted.extra


@pytest.mark.parametrize("nodes", [3, 4, 5, 6, 7, 8, 12])
def test_no_two_nodes_overlap_and_causes_stand_above_their_effects(nodes):
    for index in range(6):
        instance = generate(LabConfig(level="test", nodes=nodes, edition="paper"), 0, index)
        edges = [(e.cause, e.effect) for e in instance.secret.edges]
        layout = lay_out(instance.public.nodes, edges, lowest=FREQUENCY)
        for (x0, y0), (x1, y1) in combinations(layout.at.values(), 2):
            assert abs(x0 - x1) >= NODE_WIDTH or abs(y0 - y1) >= NODE_HEIGHT
        for x, y in layout.at.values():
            assert NODE_WIDTH / 2 <= x <= layout.width - NODE_WIDTH / 2 + 1e-9
            assert NODE_HEIGHT / 2 <= y <= layout.height - NODE_HEIGHT / 2 + 1e-9
        for cause, effect in edges:
            assert layout.at[cause][1] < layout.at[effect][1]


def test_most_arrows_cross_no_other_node():
    crossing = drawn = 0
    for index in range(20):
        instance = generate(LabConfig(level="test", nodes=6, edition="paper"), 0, index)
        edges = [(e.cause, e.effect) for e in instance.secret.edges]
        layout = lay_out(instance.public.nodes, edges, lowest=FREQUENCY)
        for edge in edges:
            curve = route(layout, edge)
            path = [curve.point(i / 50) for i in range(51)]
            others = [at for node, at in layout.at.items() if node not in edge]
            drawn += 1
            crossing += any(
                abs(x - cx) < NODE_WIDTH / 2 and abs(y - cy) < NODE_HEIGHT / 2
                for x, y in path
                for cx, cy in others
            )
    assert crossing <= 0.03 * drawn


def row(agent, nodes, index, level="linear", **numbers):
    return Row(
        family="causalab",
        version="1-1",
        edition="paper",
        set="smoke",
        agent=agent,
        interface="json",
        id=f"causalab-{level}-{nodes}-{index:04d}",
        facets={"nodes": nodes},
        numbers={"prediction": 1.0, "edge_f1": 0.5, **numbers},
        turns=3,
    )


def test_no_rows_give_no_picture():
    assert draw_rows([]) == ()
    assert draw_rows([row("m", 4, 0, edge_f1=math.nan)]) == ()


def test_rows_give_a_mark_for_each_agent():
    rows = [
        row(agent, nodes, index, edge_f1=0.9 - nodes / 20, prediction=float(index % 2))
        for agent in ("model/one", "player/random")
        for nodes in (3, 5, 7)
        for index in range(4)
    ]
    (picture,) = draw_rows(rows)
    root = parsed(picture)
    assert len(list(root.iter(f"{SVG}circle"))) == 2 + 2
    assert "model/one" in texts(root)
    assert "player/random" in texts(root)


def test_rows_without_a_score_are_left_out():
    unscored = row("model/judged", 4, 2).model_copy(update={"unscored": "the judge was away"})
    assert draw_rows([unscored]) == ()
    assert "model/judged" not in draw_rows([unscored, row("m", 4, 0)])[0].svg


def test_strange_rows_are_drawn_or_left_out():
    rows = [
        row('<b>"&', 4, 0),
        row("n" * 300, 4, 1),
        *(row(f"agent {i}", 4, 0) for i in range(30)),
    ]
    root = parsed(draw_rows(rows)[0])
    assert any("more agents" in text for text in texts(root))


def test_a_picture_has_the_same_bytes_in_every_process():
    code = (
        "from causarium.families.causalab.paper import FAMILY\n"
        "for level in ('paper-linear-4', 'paper-linear-8'):\n"
        "    instance = FAMILY.generate(FAMILY.levels[level], 0, 0)\n"
        "    print(FAMILY.views.draw_episode(instance, FAMILY.rules(), ()).svg)\n"
    )
    drawn = {
        subprocess.check_output(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}
        )
        for seed in ("1", "2")
    }
    assert len(drawn) == 1

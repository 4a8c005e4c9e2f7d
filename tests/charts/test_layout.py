"""Graphs on paper: every node has a place of its own, cycles and all; agents look different."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from causarium.charts.causal_graph import draw_graph, edge_kinds, find_reach
from causarium.charts.elastic import draw_key_symbol
from causarium.charts.layout import NODE_HEIGHT, lay_out, route

NODES = [f"n{i}" for i in range(7)]
EDGES = st.lists(
    st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=20, unique=True
)


@given(EDGES, st.sampled_from([60.0, 150.0]))
def test_no_two_nodes_overlap_in_any_graph(edges: list[tuple[str, str]], wide: float) -> None:
    layout = lay_out(NODES, edges, node_width=wide)
    for (x0, y0), (x1, y1) in combinations(layout.at.values(), 2):
        assert abs(x0 - x1) >= wide or abs(y0 - y1) >= NODE_HEIGHT
    for x, y in layout.at.values():
        assert wide / 2 <= x <= layout.width - wide / 2
        assert 0 < y < layout.height


@given(EDGES)
def test_any_graph_can_be_drawn_beside_any_other(edges: list[tuple[str, str]]) -> None:
    kinds = edge_kinds(frozenset(edges), frozenset(edges[::2]))
    svg = draw_graph(lay_out(NODES, edges), kinds)
    assert svg.count("<path") == len(kinds)


def test_one_node_alone_has_a_place() -> None:
    assert set(lay_out(["only"], []).at) == {"only"}


def test_a_long_name_is_shortened_and_said_in_full_beside() -> None:
    name = "a very long <name> indeed, too long for its box"
    svg = draw_graph(lay_out([name], []), {})
    assert "…" in svg
    assert "&lt;name&gt; indeed, too long for its box</title>" in svg


@given(EDGES)
def test_no_arrow_leaves_the_room_that_its_drawing_takes(edges: list[tuple[str, str]]) -> None:
    layout = lay_out(NODES, edges, most=3)
    reach = find_reach(layout, edges)
    assert min(reach) >= 0
    for cause, effect in edges:
        if cause != effect:
            curve = route(layout, (cause, effect), twin=(effect, cause) in edges)
            x, y = curve.point(0.5)
            assert -reach.left <= x <= layout.width + reach.right
            assert -reach.top <= y <= layout.height + reach.bottom


@given(EDGES)
def test_no_arrow_from_row_to_row_runs_through_a_node(edges: list[tuple[str, str]]) -> None:
    layout = lay_out(NODES, edges, node_width=120, most=2)
    for cause, effect in edges:
        if layout.at[cause][1] == layout.at[effect][1]:
            continue
        curve = route(layout, (cause, effect), twin=(effect, cause) in edges)
        points = [curve.point(step / 24) for step in range(25)]
        if curve.lanes:
            stops = pairwise((curve.start, *curve.lanes, curve.end))
            points = [pass_bend(one, other, t / 8) for one, other in stops for t in range(9)]
        for node in set(NODES) - {cause, effect}:
            x, y = layout.at[node]
            over = [p for p in points if abs(p[0] - x) < 60 and abs(p[1] - y) < NODE_HEIGHT / 2]
            assert not over, (cause, effect, node)


def pass_bend(
    one: tuple[float, float], other: tuple[float, float], t: float
) -> tuple[float, float]:
    """Return a point of the bend that leaves and arrives straight up or down."""
    s, middle = 1 - t, (one[1] + other[1]) / 2
    x = one[0] * (s**3 + 3 * s * s * t) + other[0] * (3 * s * t * t + t**3)
    return x, s**3 * one[1] + 3 * s * t * middle + t**3 * other[1]


def test_agents_past_the_eighth_still_look_different() -> None:
    assert len({draw_key_symbol(number) for number in range(64)}) == 64

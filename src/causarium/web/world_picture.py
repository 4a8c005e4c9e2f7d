"""The world of an episode as a replay draws it: who is on, what was acted on, what is believed.

Pictures are drawn for a phone's width and never scaled, so that no word shrinks and nothing is cut.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, get_args

from causarium.charts.causal_graph import (
    STROKES,
    TWO_LINES,
    Kind,
    NodeLook,
    draw_graph,
    edge_kinds,
    find_reach,
)
from causarium.charts.layout import NODE_HEIGHT, Layout, lay_out
from causarium.charts.palette import SERIES
from causarium.charts.svg import line, make_svg, tag
from causarium.contract.views.scene import Graph, ReplayScene, Step
from causarium.scoring.graph_scores import Edge

WIDTH = 330.0
"""How wide a drawing may be; one that needs more scrolls in its own box."""
MOST_NODES = 14
"""Larger graphs are folded away."""
MARGIN = 10.0
_LEAST_NODE, _MOST_NODE, _GAP = 56.0, 136.0, 26.0
KIND_NAMES: dict[Kind, str] = {
    "true": "true",
    "matched": "matched",
    "reversed": "wrong way round",
    "extra": "not in the truth",
    "missing": "missing",
}


class GraphPicture(NamedTuple):
    """One drawn graph with its title."""

    title: str
    svg: str


class Titles(NamedTuple):
    """What the graphs are called."""

    belief: str = "What it believed"
    truth: str = "The truth"
    alone: str = "True graph (not shown to the agent)"
    """The truth where nothing is believed."""


class BeliefPictures(NamedTuple):
    """Belief beside truth, in one layout."""

    graphs: list[GraphPicture]
    kinds: list[tuple[str, str]]
    """The kinds of arrows that occur, each with a short stroke of it and its name."""
    large: bool
    """Whether the graphs are too large to stand open."""


def _lay_out(nodes: tuple[str, ...], edges: tuple[Edge, ...]) -> Layout:
    widest = max(map(len, nodes), default=1)
    wanted = 6.4 * widest + 14
    wide = min(_MOST_NODE, max(_LEAST_NODE, wanted))
    tall = NODE_HEIGHT if wanted <= _MOST_NODE else TWO_LINES
    most = max(2, int((WIDTH + _GAP) / (wide + _GAP)))
    return lay_out(nodes, edges, node_width=wide, node_height=tall, most=most)


def _draw(
    layout: Layout,
    kinds: Mapping[Edge, Kind],
    title: str,
    about: str,
    looks: Mapping[str, NodeLook] | None = None,
) -> str:
    """Draw a graph with room for arrows that bend around others, so that nothing is cut."""
    reach = find_reach(layout, kinds)
    graph = draw_graph(layout, kinds, looks=looks)
    place = f"translate({MARGIN + reach.left:.0f} {MARGIN + reach.top:.0f})"
    wide = layout.width + reach.left + reach.right + 2 * MARGIN
    tall = layout.height + reach.top + reach.bottom + 2 * MARGIN
    moved = tag("g", graph, transform=place)
    return make_svg(round(wide), round(tall), moved, title=title, about=about)


def draw_world(scene: ReplayScene, step: Step, number: int) -> str:
    """Draw the true graph with how everything stands after a step; nothing where nobody knows.

    Args:
        scene: The episode.
        step: The step; its states decide how nodes look.
        number: The agent's number, which decides the colour of the frame.
    """
    truth = scene.truth
    if truth is None or not step.states or len(truth.nodes) > MOST_NODES:
        return ""
    looks = {
        state.name: NodeLook(
            filled=bool(state.on),
            ringed=state.name in step.changed and state.name not in step.acted,
            frame=SERIES[number] if state.name in step.acted else "",
        )
        for state in step.states
    }
    layout = _lay_out(truth.nodes, truth.edges)
    kinds: dict[Edge, Kind] = dict.fromkeys(sorted(truth.edges), "true")
    told = ", ".join(f"{state.name} {state.value}" for state in step.states)
    return _draw(layout, kinds, "The world", told, looks)


def draw_beliefs(
    scene: ReplayScene, turn: int, titles: Titles | None = None
) -> BeliefPictures | None:
    """Draw what was believed after a turn beside the truth; nodes keep their places throughout.

    Args:
        scene: The episode.
        turn: After which turn; a later one than there are is the last.
        titles: What the graphs are called.
    """
    titles = titles or Titles()
    truth = scene.truth
    belief = scene.scenes[min(turn, len(scene.scenes) - 1)].belief
    if belief is None:
        return _draw_truth(truth, titles.alone)
    graphs = [truth] if truth else []
    graphs += [each.belief for each in scene.scenes if each.belief is not None]
    nodes = tuple(dict.fromkeys(node for graph in graphs for node in graph.nodes))
    if not nodes:
        return None
    layout = _lay_out(nodes, (truth or belief).edges)
    true = frozenset(truth.edges) if truth else frozenset()
    kinds = edge_kinds(frozenset(belief.edges), true) if truth else _mark_edges(belief)
    pictures = [_picture(titles.belief, layout, kinds)]
    if truth:
        pictures.append(_picture(titles.truth, layout, _mark_edges(truth)))
    used = [kind for kind in get_args(Kind) if kind in kinds.values()]
    return BeliefPictures(
        pictures, [(_stroke(kind), KIND_NAMES[kind]) for kind in used], len(nodes) > MOST_NODES
    )


def _draw_truth(truth: Graph | None, title: str) -> BeliefPictures | None:
    if truth is None or not truth.nodes:
        return None
    layout = _lay_out(truth.nodes, truth.edges)
    picture = _picture(title, layout, _mark_edges(truth))
    return BeliefPictures([picture], [], len(truth.nodes) > MOST_NODES)


def _mark_edges(graph: Graph) -> dict[Edge, Kind]:
    return dict.fromkeys(sorted(graph.edges), "true")


def _picture(title: str, layout: Layout, kinds: dict[Edge, Kind]) -> GraphPicture:
    counts = Counter(KIND_NAMES[kind] for kind in kinds.values())
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    return GraphPicture(title, _draw(layout, kinds, title, told))


def _stroke(kind: Kind) -> str:
    stroke = STROKES[kind]
    mark = line((0, 6), (26, 6), stroke=stroke.colour, width=2.2, dash=stroke.dash)
    return tag("svg", mark, width="28", height="12", aria_hidden="true")

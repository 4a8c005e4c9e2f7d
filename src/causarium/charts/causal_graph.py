"""One causal graph: nodes in their places, arrows by what they are beside the truth."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Literal

from causarium.charts.layout import NODE_HEIGHT, Layout, route
from causarium.charts.svg import INK, PAPER, Point, arrow_head, patched, tag, words
from causarium.scoring.graph_scores import Edge

Kind = Literal["true", "matched", "reversed", "extra", "missing"]


@dataclass(frozen=True, slots=True)
class Stroke:
    """How arrows of one kind are drawn."""

    colour: str
    width: float
    dash: str = ""
    hollow: bool = False


STROKES: Mapping[Kind, Stroke] = {
    "true": Stroke(INK, 1.7),
    "matched": Stroke("#0b6bb0", 2.2),
    "reversed": Stroke("#c77700", 2.0, "9 4"),
    "extra": Stroke("#c2352b", 2.2, "2 4"),
    "missing": Stroke("#98a2ae", 1.1, hollow=True),
}


def edge_kinds(drawn: frozenset[Edge], true: frozenset[Edge]) -> dict[Edge, Kind]:
    """Say of every arrow, drawn or missing, what it is; as `scoring.graphs` counts them."""
    kinds: dict[Edge, Kind] = {}
    for cause, effect in sorted(drawn):
        turned = (effect, cause)
        if (cause, effect) in true:
            kinds[cause, effect] = "matched"
        elif turned in true and turned not in drawn:
            kinds[cause, effect] = "reversed"
        else:
            kinds[cause, effect] = "extra"
    for cause, effect in sorted(true - drawn):
        if (effect, cause) not in drawn:
            kinds[cause, effect] = "missing"
    return kinds


def draw_graph(
    layout: Layout,
    kinds: Mapping[Edge, Kind],
    weights: Mapping[Edge, str] | None = None,
    *,
    names: Mapping[str, str] | None = None,
    outcome: str | None = None,
) -> str:
    """Return a graph's drawing.

    Args:
        layout: Where the nodes stand.
        kinds: The arrows, each with what it is.
        weights: What is written on an arrow.
        names: What is written on a node that is not its own name.
        outcome: The node that stands out.
    """
    weights = weights or {}
    # What is missing lies beneath everything that was drawn.
    order = sorted(kinds, key=lambda edge: kinds[edge] != "missing")
    arrows, labels = [], []
    for edge in order:
        if edge[0] == edge[1]:
            arrows.append(_loop(layout, edge[0], STROKES[kinds[edge]]))
            continue
        curve = route(layout, edge, twin=(edge[1], edge[0]) in kinds)
        stroke = STROKES[kinds[edge]]
        path = f"M{_xy(curve.start)}Q{_xy(curve.control)} {_xy(curve.end)}"
        arrows.append(_stroke(path, stroke))
        arrows.append(
            arrow_head(
                curve.end,
                curve.heading,
                fill=PAPER if stroke.hollow else stroke.colour,
                rim=stroke.colour,
            )
        )
        if edge in weights and kinds[edge] != "missing":
            labels.append(patched(curve.point(0.5), weights[edge], size=10.5, fill=stroke.colour))
    nodes = [
        _node(layout, node, (names or {}).get(node, node), outcome=node == outcome)
        for node in layout.at
    ]
    return "".join((*arrows, *nodes, *labels))


def _stroke(path: str, stroke: Stroke) -> str:
    return tag(
        "path",
        d=path,
        fill="none",
        stroke=stroke.colour,
        stroke_width=stroke.width,
        stroke_dasharray=stroke.dash or None,
    )


def _loop(layout: Layout, node: str, stroke: Stroke) -> str:
    x, y = layout.at[node][0] + layout.node_width / 2, layout.at[node][1]
    return _stroke(f"M{x:.1f},{y - 5:.1f}c16,-8 16,18 0,10", stroke)


def _xy(at: Point) -> str:
    return f"{at[0]:.1f},{at[1]:.1f}"


def _node(layout: Layout, node: str, name: str, *, outcome: bool) -> str:
    at, most = layout.at[node], int(layout.node_width / 6.1)
    shown = name if len(name) <= most else f"{name[: most - 1]}…"
    box = tag(
        "rect",
        x=at[0] - layout.node_width / 2,
        y=at[1] - NODE_HEIGHT / 2,
        width=layout.node_width,
        height=NODE_HEIGHT,
        rx=NODE_HEIGHT / 2,
        fill=INK if outcome else "#eef1f5",
        stroke=INK if outcome else "#b8c0ca",
    )
    colour = PAPER if outcome else INK
    label = words((at[0], at[1] + 3.8), shown, size=11, fill=colour, anchor="middle")
    return box + label if shown == name else tag("g", tag("title", escape(name)) + box + label)

"""One causal graph: nodes in their places, arrows by what they are beside the truth."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Literal, NamedTuple

from causarium.charts.layout import Curve, Layout, route
from causarium.charts.palette import ACCENT, BAD, INK, LINE, PAPER, SOFT, WARN, WASH
from causarium.charts.svg import Point, arrow_head, line, tag, text, text_on_patch
from causarium.scoring.graph_scores import Edge

Kind = Literal["true", "matched", "reversed", "extra", "missing"]
LINE_HEIGHT = 12.0
TWO_LINES = 32.0
"""A node of this height has room for a name in two lines."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """How arrows of one kind are drawn."""

    colour: str
    width: float
    dash: str = ""
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class NodeLook:
    """How a node stands out: filled for on, ringed for changed, framed in a colour for acted on."""

    filled: bool = False
    ringed: bool = False
    frame: str = ""


STROKES: Mapping[Kind, Stroke] = {
    "true": Stroke(INK, 1.7),
    "matched": Stroke(ACCENT, 2.2),
    "reversed": Stroke(BAD, 2.0, "9 4"),
    "extra": Stroke(WARN, 2.2, "2 4"),
    "missing": Stroke(LINE, 1.1, hollow=True),
}


def edge_kinds(drawn: frozenset[Edge], true: frozenset[Edge]) -> dict[Edge, Kind]:
    """Say of every arrow, drawn or missing, what it is; as `scoring.graph_scores` counts them."""
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
    looks: Mapping[str, NodeLook] | None = None,
) -> str:
    """Return a graph's drawing.

    Args:
        layout: Where the nodes stand.
        kinds: The arrows, each with what it is.
        weights: What is written on an arrow.
        names: What is written on a node that is not its own name.
        outcome: The node that stands out.
        looks: How nodes stand out otherwise.
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
        arrows.append(_stroke(_write_path(curve), stroke))
        arrows.append(
            arrow_head(
                curve.end,
                curve.heading,
                fill=PAPER if stroke.hollow else stroke.colour,
                rim=stroke.colour,
            )
        )
        if edge in weights and kinds[edge] != "missing":
            labels.append(
                text_on_patch(curve.point(0.5), weights[edge], size=11, fill=stroke.colour)
            )
    looks = {**(looks or {}), **({outcome: NodeLook(filled=True)} if outcome else {})}
    nodes = [
        _node(layout, node, (names or {}).get(node, node), looks.get(node, NodeLook()))
        for node in layout.at
    ]
    return "".join((*arrows, *nodes, *labels))


def draw_kinds_legend(at: Point, names: Mapping[Kind, str]) -> str:
    """Draw an arrow of each kind with its name, beside each other."""
    parts, (x, y) = [], at
    for kind, name in names.items():
        stroke = STROKES[kind]
        ends = (x, y - 4), (x + 34, y - 4)
        parts.append(line(*ends, stroke=stroke.colour, width=stroke.width, dash=stroke.dash))
        fill = PAPER if stroke.hollow else stroke.colour
        parts.append(arrow_head((x + 42, y - 4), 0.0, fill=fill, rim=stroke.colour))
        parts.append(text((x + 50, y), name, size=12, fill=SOFT))
        x += 78 + 6.4 * len(name)
    return "".join(parts)


class Reach(NamedTuple):
    """How far arrows reach beyond a layout, on each side."""

    left: float
    top: float
    right: float
    bottom: float


def find_reach(layout: Layout, kinds: Iterable[Edge]) -> Reach:
    """Return how far the arrows of a graph reach beyond its layout, so that none is cut."""
    edges = set(kinds)
    across, down = [0.0, layout.width], [0.0, layout.height]
    for edge in edges:
        if edge[0] == edge[1]:
            across.append(layout.at[edge[0]][0] + layout.node_width / 2 + 16)
            continue
        curve = route(layout, edge, twin=(edge[1], edge[0]) in edges)
        points = curve.lanes or [curve.point(step / 12) for step in range(13)]
        across += [x for x, _ in points]
        down += [y for _, y in points]
    return Reach(-min(across), -min(down), max(across) - layout.width, max(down) - layout.height)


def _write_path(curve: Curve) -> str:
    if not curve.lanes:
        return f"M{_xy(curve.start)}Q{_xy(curve.control)} {_xy(curve.end)}"
    bends = []
    for (x, y), (next_x, next_y) in pairwise((curve.start, *curve.lanes, curve.end)):
        middle = (y + next_y) / 2
        bends.append(f"C{_xy((x, middle))} {_xy((next_x, middle))} {_xy((next_x, next_y))}")
    return f"M{_xy(curve.start)}{''.join(bends)}"


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


def _node(layout: Layout, node: str, name: str, look: NodeLook) -> str:
    at, most = layout.at[node], int((layout.node_width - 8) / 6.1)
    lines = _break_name(name, most) if layout.node_height >= TWO_LINES else [name]
    shown = [words if len(words) <= most else f"{words[: most - 1]}…" for words in lines]
    parts = [
        _pill(layout, at, 0, fill=INK if look.filled else WASH, stroke=INK if look.filled else LINE)
    ]
    if look.ringed:
        parts.append(_pill(layout, at, 3, fill="none", stroke=INK, dash="3 3"))
    if look.frame:
        parts.append(_pill(layout, at, 6, fill="none", stroke=look.frame, width=3))
    colour = PAPER if look.filled else INK
    for row, words in enumerate(shown):
        y = at[1] + 3.8 + LINE_HEIGHT * (row - (len(shown) - 1) / 2)
        parts.append(text((at[0], y), words, size=11, fill=colour, anchor="middle"))
    if shown != lines:
        parts.insert(0, tag("title", escape(name)))
        return tag("g", "".join(parts))
    return "".join(parts)


def _break_name(name: str, most: int) -> list[str]:
    """Return a name in one line, or in two that are about as long where it does not fit one."""
    gaps = [place for place, letter in enumerate(name) if letter == " "]
    if len(name) <= most or not gaps:
        return [name]
    middle = min(gaps, key=lambda place: abs(place - len(name) / 2))
    return [name[:middle], name[middle + 1 :]]


def _pill(
    layout: Layout,
    at: Point,
    margin: float,
    *,
    fill: str,
    stroke: str,
    width: float = 1,
    dash: str = "",
) -> str:
    return tag(
        "rect",
        x=at[0] - layout.node_width / 2 - margin,
        y=at[1] - layout.node_height / 2 - margin,
        width=layout.node_width + 2 * margin,
        height=layout.node_height + 2 * margin,
        rx=layout.node_height / 2 + margin,
        fill=fill,
        stroke=stroke,
        stroke_width=width,
        stroke_dasharray=dash or None,
    )

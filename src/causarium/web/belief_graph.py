"""Truth beside belief, drawn: matched, missing, extra and reversed by colour and by stroke."""

from collections import Counter
from collections.abc import Sequence
from typing import get_args

from causarium.charts.causal_graph import STROKES, Kind, draw_graph, edge_kinds, find_reach
from causarium.charts.layout import Layout, lay_out
from causarium.charts.palette import SOFT
from causarium.charts.svg import line, make_svg, tag, text
from causarium.contract.views.scene import Graph, ReplayScene

MARGIN, GAP, HEAD, LEGEND = 20.0, 44.0, 34.0, 40.0
LEAST_NODE, MOST_NODE = 60.0, 170.0
MOST_BESIDE = 6
"""So many nodes stand side by side."""
WIDE = 460.0
"""Graphs wider than this stand above each other."""
_NAMES: dict[Kind, str] = {
    "true": "true",
    "matched": "matched",
    "reversed": "wrong way round",
    "extra": "not in the truth",
    "missing": "missing",
}


def draw_staging(
    staging: ReplayScene, turn: int, titles: tuple[str, str] = ("The truth", "What it believed")
) -> str:
    """Draw the true graph and the belief after a turn, every node in the same place in both.

    Nodes keep their places over all turns of an episode, so that only arrows move.
    """
    truth = staging.truth
    belief = staging.scenes[min(turn, len(staging.scenes) - 1)].belief
    layout = _layout(truth, [scene.belief for scene in staging.scenes if scene.belief])
    if layout is None:
        return ""
    true = frozenset(truth.edges) if truth else frozenset()
    panels: list[tuple[str, dict[tuple[str, str], Kind]]] = []
    if truth:
        panels.append((titles[0], dict.fromkeys(sorted(true), "true")))
    if belief:
        drawn = frozenset(belief.edges)
        plain: dict[tuple[str, str], Kind] = dict.fromkeys(sorted(drawn), "true")
        kinds = edge_kinds(drawn, true) if truth else plain
        panels.append((titles[1], kinds))
    return _side_by_side(layout, panels)


def _layout(truth: Graph | None, beliefs: Sequence[Graph]) -> Layout | None:
    graphs = [*([truth] if truth else []), *beliefs]
    nodes = list(dict.fromkeys(node for graph in graphs for node in graph.nodes))
    if not nodes:
        return None
    edges = (truth or beliefs[-1]).edges
    wide = min(MOST_NODE, max(LEAST_NODE, 6.4 * max(map(len, nodes)) + 14))
    return lay_out(nodes, edges, node_width=wide, most=MOST_BESIDE)


def _side_by_side(layout: Layout, panels: Sequence[tuple[str, dict[tuple[str, str], Kind]]]) -> str:
    reaches = [find_reach(layout, kinds) for _, kinds in panels]
    left, top, right, bottom = (max(side) for side in zip(*reaches, strict=True))
    wide, body = layout.width + left + right, []
    stacked, tall = wide > WIDE, HEAD + layout.height + top + bottom + GAP
    for number, (title, kinds) in enumerate(panels):
        x = MARGIN + (0 if stacked else number * (wide + GAP))
        y = MARGIN + (number * tall if stacked else 0)
        body.append(text((x, y + 4), title, size=13, weight="600"))
        place = f"translate({x + left:.1f} {y + top + HEAD - 10:.1f})"
        body.append(tag("g", draw_graph(layout, kinds), transform=place))
    shown = [kind for kind in get_args(Kind) if any(kind in kinds.values() for _, kinds in panels)]
    columns, rows = (1, len(panels)) if stacked else (len(panels), 1)
    height = MARGIN + rows * tall - GAP + LEGEND
    legend, legend_width = _legend(shown, height - 12)
    body.append(legend)
    width = max(2 * MARGIN + columns * wide + (columns - 1) * GAP, legend_width)
    size = (round(width), round(height))
    return make_svg(*size, "".join(body), title="Causal graphs", about=_count_kinds(panels))


def _count_kinds(panels: Sequence[tuple[str, dict[tuple[str, str], Kind]]]) -> str:
    found = Counter(_NAMES[kind] for _, kinds in panels[1:] for kind in kinds.values())
    return ", ".join(f"{count} {name}" for name, count in found.items())


def _legend(kinds: Sequence[Kind], y: float) -> tuple[str, float]:
    """Return the legend and how much room it takes."""
    marks, x = [], MARGIN
    for kind in kinds:
        stroke = STROKES[kind]
        marks.append(
            line((x, y - 4), (x + 26, y - 4), stroke=stroke.colour, width=2.2, dash=stroke.dash)
        )
        marks.append(text((x + 32, y), _NAMES[kind], size=11, fill=SOFT))
        x += 48 + 6.4 * len(_NAMES[kind])
    return "".join(marks), x + MARGIN

"""What reports and replays show as SVG: the headline by facet, an episode as a small picture."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from causarium.charts.axes import Frame, choose_ticks, draw_column_names, draw_mark, draw_y_axis
from causarium.charts.causal_graph import STROKES, Kind, draw_graph, edge_kinds
from causarium.charts.layout import Layout
from causarium.charts.palette import GOOD, INK, PAPER, SERIES, SOFT, WARN
from causarium.charts.svg import Point, line, make_svg, tag, text
from causarium.contract.frozen import digest, replace_unprintable
from causarium.contract.views.scene import Graph, Line, ReplayScene
from causarium.report.data.report_data import Report, Section
from causarium.report.data.summaries import PLAYING, Breakdown

MOST_SERIES = 6


def choose_range(ends: Sequence[float]) -> tuple[float, float]:
    """Return what a metric's axis spans: from 0 to 1 for shares, from 0 or below otherwise."""
    low, high = min(ends), max(ends)
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    ticks = choose_ticks(min(0.0, low), max(0.0, high))
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    return min(0.0, low, ticks[0]), max(ticks[-1] + (step if high > ticks[-1] else 0.0), 0.0)


def figure_files(report: Report) -> dict[str, str]:
    """Return every chart and picture under the file name that suits it, without its ending."""
    charts = {}
    for section in report.sections:
        run = (section.facts.name, section.edition, section.set, section.version)
        for at, svg in enumerate(draw_facets(section), 1):
            charts[f"{_name_file(*run)}-facet-{at}"] = svg
    for at, panel in enumerate(report.panels, 1):
        if panel.markup.lstrip().startswith("<svg"):
            charts[f"{_name_file(panel.family or 'report')}-picture-{at}"] = panel.markup
    return charts


def _name_file(*parts: str) -> str:
    """Return a file name of at most 100 letters; one that had to be changed ends in a digest."""
    name = "-".join(parts)
    kept = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)[:100]
    return kept if kept == name else f"{kept[:91]}-{digest(name).partition(':')[2][:8]}"


def leading_agents(section: Section) -> list[tuple[str, str]]:
    """Return the leading agents with the colour that each has in the panels."""
    playing = [agent.agent for agent in section.agents if agent.role in PLAYING]
    return list(zip(playing[:MOST_SERIES], SERIES, strict=False))


def draw_facets(section: Section) -> list[str]:
    """Draw the headline by facet, one small panel a facet, for the leading agents."""
    agents, first = leading_agents(section), section.headline[:1]
    mine = [one for one in section.breakdowns if (one.metric,) == first]
    return [figure for one in mine if (figure := _draw_panel(one, agents))]


def _draw_panel(breakdown: Breakdown, agents: Sequence[tuple[str, str]]) -> str:
    cells = {line.agent: line.cells for line in breakdown.lines}
    marks = [
        (column, series, cell)
        for series, (agent, _) in enumerate(agents)
        for column, cell in enumerate(cells.get(agent, ()))
        if not math.isnan(cell.value)
    ]
    if not marks:
        return ""
    columns = [replace_unprintable(value) for value in breakdown.values]
    width = min(520, max(220, 10 * (len(agents) + 1) * len(columns)))
    ends = [end for _, _, cell in marks for end in (cell.value, cell.low, cell.high)]
    span = choose_range([end for end in ends if not math.isnan(end)])
    frame = Frame(40, 34, width, 120, y_range=span)
    title = replace_unprintable(breakdown.facet)
    body = [
        text((0, 14), title, weight="600"),
        draw_y_axis(frame, choose_ticks(*frame.y_range, 4)),
        draw_column_names(frame, columns),
    ]
    for column, series, cell in marks:
        place = column + ((series + 0.5) / len(agents) - 0.5) * 0.8
        x, colour = frame.column(place, len(columns)), agents[series][1]
        said = f"{replace_unprintable(agents[series][0])}: {cell.value:.2f}"
        if not math.isnan(cell.low):
            ends_of = (x, frame.y(cell.low)), (x, frame.y(cell.high))
            body.append(line(*ends_of, stroke=colour, width=1.5))
            said += f", {cell.low:.2f} to {cell.high:.2f}"
        body.append(draw_mark((x, frame.y(cell.value)), colour=colour, radius=3.6, about=said))
    about = f"{breakdown.metric} for {', '.join(columns)}"
    return make_svg(frame.right + 12, frame.bottom + 26, "".join(body), title=title, about=about)


MOST_STEPS, MOST_ROWS, MOST_NODES = 10, 8, 6
MOST_LETTERS = 36
_ROW, _COLUMN = 17.0, 24.0
_SMALL_NODE, _WIDE_NODE, _LETTER = 42.0, 64.0, 6.1
_FEW = 4
"""So many nodes have room for longer names."""
_RING = 128.0
_RING_WORDS: dict[Kind, str] = {
    "matched": "right",
    "reversed": "reversed",
    "extra": "not in the truth",
    "missing": "missed",
}
_PICTURE, _GAP = (156.0, 112.0), 8.0


def draw_thumb(scene: ReplayScene) -> str:
    """Return a small picture of an episode; nothing where there is nothing that fits."""
    if scene.steps and scene.steps[0].states and scene.steps[0].states[0].on is not None:
        return draw_history(scene, MOST_STEPS)
    lines = scene.scenes[-1].lines
    if scene.column == "formula" and lines:
        return _draw_lines(lines)
    beliefs = [each.belief for each in scene.scenes if each.belief is not None]
    if not scene.truth or not beliefs:
        return ""
    few = len(scene.truth.nodes) <= MOST_NODES
    return _draw_pair(scene) if few else _draw_ring(scene.truth, beliefs[-1])


def draw_history(
    scene: ReplayScene, most: int, upto: int | None = None, *, colour: str = SERIES[0]
) -> str:
    """Return who was on and off after each step, in dots; acted-on ones are framed.

    Args:
        scene: The episode; its steps have states.
        most: So many steps at most; the last ones are shown.
        upto: The step at which the replay stands; None shows all.
        colour: Of the frames.
    """
    steps = [step for step in scene.steps if step.states][: None if upto is None else upto + 1]
    steps = [
        step
        for at, step in enumerate(steps)
        if at == 0 or step.acted or step.states != steps[at - 1].states
    ][-most:]
    names = [state.name for state in steps[0].states][:MOST_ROWS]
    body = []
    for column, step in enumerate(steps):
        x = 10 + _COLUMN * column
        for row, state in enumerate(step.states[:MOST_ROWS]):
            y = 10 + _ROW * row
            if state.name in step.acted:
                body.append(_frame(x, y, colour))
            fill = INK if state.on else PAPER
            body.append(tag("circle", cx=x, cy=y, r=4.5, fill=fill, stroke=INK, stroke_width=1.4))
    x = 10 + _COLUMN * len(steps)
    asked = [name for name in names if f" {name} " in f"{scene.question} ".replace("?", " ")]
    for row, name in enumerate(names):
        fill, weight = (INK, "600") if name in asked else (SOFT, None)
        body.append(text((x, 14 + _ROW * row), name, fill=fill, weight=weight))
    width = x + 8 * max(map(len, names)) + 4
    height = _ROW * len(names) + 4
    told = "; ".join(step.title for step in steps)
    return make_svg(width, height, "".join(body), title="What was on and off", about=told)


def _draw_lines(lines: Sequence[Line]) -> str:
    """Return what was believed of a few things, line by line, with what is right of it."""
    body = []
    for row, each in enumerate(lines[:MOST_ROWS]):
        words = f"{each.name} = {each.believed}"
        words = words if len(words) <= MOST_LETTERS else f"{words[: MOST_LETTERS - 1]}…"
        y = 12 + _ROW * row
        if each.right is not None:
            mark, fill = ("✓", GOOD) if each.right else ("✗", WARN)
            body.append(text((0, y), mark, fill=fill, weight="600"))
        body.append(text((18, y), words))
    told = f"{sum(bool(each.right) for each in lines)} of {len(lines)} right"
    size = (18 + 7.0 * MOST_LETTERS, _ROW * min(len(lines), MOST_ROWS) + 4)
    return make_svg(*size, "".join(body), title="What was handed in", about=told)


def _draw_pair(scene: ReplayScene) -> str:
    truth = scene.truth
    belief = next(each.belief for each in reversed(scene.scenes) if each.belief is not None)
    if truth is None or belief is None:
        return ""
    layout = _lay_out_circle(truth.nodes)
    most = int((layout.node_width - 8) / _LETTER)
    names = {node: _shorten(node, most) for node in truth.nodes}
    true = frozenset(truth.edges)
    kinds = edge_kinds(frozenset(e for e in belief.edges if set(e) <= set(truth.nodes)), true)
    left = draw_graph(layout, dict.fromkeys(sorted(true), "true"), names=names)
    right = draw_graph(layout, kinds, names=names)
    body = [
        tag("g", left, transform="translate(0 18)"),
        tag("g", right, transform=f"translate({layout.width + _GAP:.0f} 18)"),
        text((layout.width / 2, 10), "truth", fill=SOFT, anchor="middle"),
        text((layout.width * 1.5 + _GAP, 10), "believed", fill=SOFT, anchor="middle"),
    ]
    told = ", ".join(f"{kind} {n}" for kind, n in Counter(kinds.values()).items())
    size = (2 * layout.width + _GAP, layout.height + 20)
    return make_svg(*size, "".join(body), title="Truth and belief", about=told)


def _draw_ring(truth: Graph, belief: Graph) -> str:
    """Return a graph of many things: dots in a ring, its arrows as lines, counted in words."""
    nodes = dict.fromkeys((*truth.nodes, *belief.nodes))
    places = {}
    for number, node in enumerate(nodes):
        angle = 2 * math.pi * number / len(nodes) - math.pi / 2
        reach = _RING / 2 - 4
        places[node] = (
            _RING / 2 + reach * math.cos(angle),
            _RING / 2 + reach * math.sin(angle),
        )
    kinds = edge_kinds(frozenset(belief.edges), frozenset(truth.edges))
    # What is missing lies beneath everything that was drawn.
    edges = sorted(kinds, key=lambda edge: (kinds[edge] != "missing", edge))
    body = [
        _draw_line(places[cause], places[effect], kinds[cause, effect]) for cause, effect in edges
    ]
    body += [tag("circle", cx=x, cy=y, r=2.5, fill=INK) for x, y in places.values()]
    counts = Counter(kinds.values())
    lines = [(kind, f"{counts[kind]} {words}") for kind, words in _RING_WORDS.items()]
    for row, (kind, words) in enumerate(lines):
        y = 32 + 22 * row
        body += [
            _draw_line((_RING + 16, y), (_RING + 40, y), kind),
            text((_RING + 48, y + 4), words),
        ]
    told = ", ".join(words for _, words in lines)
    size = (_RING + 180, _RING)
    return make_svg(*size, "".join(body), title="Arrows beside the truth", about=told)


def _draw_line(start: Point, end: Point, kind: Kind) -> str:
    stroke = STROKES[kind]
    return line(start, end, stroke=stroke.colour, width=1.4, dash=stroke.dash)


def _shorten(name: str, most: int) -> str:
    """Return a name that fits: its first word, or the beginning with a full stop."""
    short = name if len(name) <= most else name.partition(" ")[0]
    return short if len(short) <= most else f"{short[: most - 1]}."


def _lay_out_circle(nodes: Sequence[str]) -> Layout:
    """Place a few nodes on an ellipse, so that two graphs fit side by side."""
    wide, tall = _PICTURE
    node_width = _WIDE_NODE if len(nodes) <= _FEW else _SMALL_NODE
    at = {}
    for number, node in enumerate(nodes):
        angle = 2 * math.pi * number / len(nodes) - math.pi / 2
        x = wide / 2 + (wide - node_width - 2) / 2 * math.cos(angle)
        at[node] = (x, tall / 2 + (tall - 24) / 2 * math.sin(angle))
    return Layout(at, wide, tall, node_width)


def _frame(x: float, y: float, colour: str) -> str:
    """Return the frame around a state that an agent set."""
    return tag(
        "rect",
        fill="none",
        stroke=colour,
        rx=3,
        x=x - 8,
        y=y - 8,
        width=16,
        height=16,
        stroke_width=2,
    )

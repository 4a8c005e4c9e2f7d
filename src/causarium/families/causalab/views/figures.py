"""One episode as a picture: the true graph, the hypotheses held, and their grades over the turns.

Every graph of a picture has its nodes in the same places. In a hypothesis' graph each kind of arrow
(matched, reversed, extra, and the missing true ones) has a colour and a line style of its own, so
that the picture can be read in grey. An episode with a body has its frames below.

Many episodes are a picture of what an agent gets right against what it has to go by: the graph that
it found or, at the bench, the questions that its experiments settle.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from causarium.charts.axes import SHAPES, Frame, draw_legend, draw_mark, draw_x_axis, draw_y_axis
from causarium.charts.causal_graph import STROKES, Kind, draw_graph, edge_kinds
from causarium.charts.layout import Layout, lay_out
from causarium.charts.palette import (
    ACCENT,
    INK,
    LINE,
    PAPER,
    SERIES,
    SOFT,
    WARN,
    WASH,
    series_colour,
)
from causarium.charts.svg import Point, arrow_head, line, make_svg, polyline, tag, text
from causarium.contract.row import Row, mean_per_instance
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.families.causalab.mechanics.resolve_hypothesis import Resolved
from causarium.families.causalab.mechanics.shown_values import brief
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.instance import FREQUENCY, LabInstance
from causarium.families.causalab.model.lab_plan import HEIGHT, WIDTH
from causarium.families.causalab.play.open_world import draw_frames
from causarium.families.causalab.scoring.episode_history import History, points, recall
from causarium.families.causalab.scoring.episode_history import Point as Held
from causarium.families.causalab.scoring.grade_hypothesis import Truth
from causarium.families.causalab.scoring.score import METRICS
from causarium.scoring.graph_scores import Edge
from causarium.scoring.intervals import Interval, summarize

MOST_FRAMES = 60
_FRAME_GAP, _FRAME_HEAD = 14.0, 18.0
_LEAST_FRAME = 190.0


def draw_filmstrip(frames: Sequence[str], turns: Sequence[Turn], width: float) -> tuple[str, float]:
    """Return the strip and its height.

    Turns after which nothing looks otherwise share the frame of the turn before them.

    Args:
        frames: The look before the first turn and after each.
        turns: The turns.
        width: How wide the strip is.
    """
    if not frames:
        return "", 0.0
    changed = [0, *(n for n, (old, new) in enumerate(pairwise(frames), 1) if new != old)]
    columns = max(1, int((width + _FRAME_GAP) // (_LEAST_FRAME + _FRAME_GAP)))
    wide = (width + _FRAME_GAP) / columns - _FRAME_GAP
    high = wide * HEIGHT / WIDTH
    shown = changed[:MOST_FRAMES]
    body = []
    for place, number in enumerate(shown):
        x = place % columns * (wide + _FRAME_GAP)
        y = place // columns * (high + _FRAME_HEAD + _FRAME_GAP)
        body.append(text((x, y + 12), _describe(number, turns), size=11, fill=SOFT))
        body.append(
            tag("image", href=frames[number], x=x, y=y + _FRAME_HEAD, width=wide, height=high)
        )
    rows = -(-len(shown) // columns)
    return "".join(body), rows * (high + _FRAME_HEAD + _FRAME_GAP)


def _describe(number: int, turns: Sequence[Turn]) -> str:
    if number == 0:
        return "before the first turn"
    action = turns[number - 1].action or {}
    said = (str(action[name]) for name in ("kind", "direction", "to", "verb") if action.get(name))
    return f"{number}: {' '.join(said)}"[:40]


MAX_PANELS = 8
"""How many hypotheses are drawn at most, the first and the last always among them."""
MARGIN, PANEL_GAP, PANEL_HEAD = 28.0, 36.0, 44.0
_LEAST_WIDTH, _MOST_WIDTH = 860.0, 1180.0
_LEGEND: tuple[tuple[Kind, str], ...] = (
    ("matched", "matched"),
    ("reversed", "wrong way round"),
    ("extra", "not in the truth"),
    ("missing", "missing"),
)


def draw_episode(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> Figure:
    """Draw one episode, turn by turn."""
    history = recall(instance, rules, turns)
    course = points(instance, rules, history)
    pairs = [(edge.cause, edge.effect) for edge in instance.secret.edges]
    layout, truth = (
        lay_out(instance.public.nodes, pairs, lowest=FREQUENCY),
        Truth.of(instance, rules),
    )
    chosen = choose_points(course)
    width, columns = _grid(layout, len(chosen) + 1)
    body, y = [_heading(instance, history)], 76.0
    panels = [_truth_panel(instance, layout, pairs)]
    panels += [_panel(instance, truth, layout, history, point) for point in chosen]
    tall = layout.height + PANEL_HEAD + PANEL_GAP
    step = (width - 2 * MARGIN + PANEL_GAP) / columns
    for number, panel in enumerate(panels):
        x = MARGIN + number % columns * step + (step - PANEL_GAP - layout.width) / 2
        body.append(
            tag("g", panel, transform=f"translate({x:.1f} {y + number // columns * tall:.1f})")
        )
    y += -(-len(panels) // columns) * tall
    graded = rules.interface != "plain"
    if graded:
        body.append(_legend(y, bool(chosen)))
    curves, height = _draw_curves(instance, history, course, width - 2 * MARGIN, graded=graded)
    body.append(tag("g", curves, transform=f"translate({MARGIN:.0f} {y + 26:.1f})"))
    y += 26 + height + 16
    frames = draw_frames(instance, rules, turns)
    strip, height = draw_filmstrip(frames, turns, width - 2 * MARGIN)
    if strip:
        body.append(tag("g", strip, transform=f"translate({MARGIN:.0f} {y:.1f})"))
    title = f"{instance.id}, turn by turn"
    return Figure(
        title=title,
        svg=make_svg(width, y + height, "".join(body), title=title, about=_describe_course(course)),
        caption=_caption(rules),
    )


def choose_points(course: Sequence[Held]) -> list[Held]:
    """Return the points at which another hypothesis came into force, thinned out evenly.

    Example:
        >>> choose_points([])
        []
    """
    changed = [point for point in course if point.changed]
    if len(changed) <= MAX_PANELS:
        return changed
    last = len(changed) - 1
    return [changed[round(i * last / (MAX_PANELS - 1))] for i in range(MAX_PANELS)]


def _grid(layout: Layout, panels: int) -> tuple[float, int]:
    each = layout.width + PANEL_GAP
    columns = max(1, min(panels, int((_MOST_WIDTH - 2 * MARGIN + PANEL_GAP) // each)))
    rows = -(-panels // columns)
    columns = -(-panels // rows)
    return max(_LEAST_WIDTH, 2 * MARGIN + columns * each - PANEL_GAP), columns


def _heading(instance: LabInstance, history: History) -> str:
    lab, public = history.lab, instance.public
    made = ", ".join(f"{value:,.2f}" for value in lab.submitted)
    outcome = "right" if lab.solved else "wrong"
    said = f"submitted {made} Hz: {outcome}" if made else "nothing was submitted"
    turns = f"{len(history.steps)} turn{'' if len(history.steps) == 1 else 's'}"
    about = (
        f"{turns}, {lab.used} of {public.budget} interventions; {said} "
        f"(the frequency is {instance.secret.target:,.2f} Hz)"
    )
    head = text((MARGIN, 34), instance.id, size=17, weight="600")
    return head + text((MARGIN, 54), about, size=12.5, fill=SOFT)


def _truth_panel(instance: LabInstance, layout: Layout, pairs: Sequence[Edge]) -> str:
    linear = instance.public.form == "linear"
    weights = {(e.cause, e.effect): f"{e.linear:.4g}" for e in instance.secret.edges if linear}
    base = f"base of the frequency {brief(instance.secret.base_frequency)}"
    head = _panel_head(layout, "The truth", base)
    return head + _lower_graph(_graph(instance, layout, dict.fromkeys(pairs, "true"), weights))


def _panel(
    instance: LabInstance, truth: Truth, layout: Layout, history: History, point: Held
) -> str:
    belief = history.steps[point.turn - 1].belief
    graded = point.grade.edges
    said = f"edge F1 {graded.f1:.2f}, SHD {graded.distance}"
    if belief is not None and belief.resolved.base is not None:
        said += f", base {brief(belief.resolved.base)}"
    done = "intervention" if point.interventions == 1 else "interventions"
    head = _panel_head(layout, f"Turn {point.turn}, {point.interventions} {done}", said)
    weights = _believed_weights(belief.resolved) if belief else {}
    kinds = edge_kinds(point.edges, truth.edges)
    return head + _lower_graph(_graph(instance, layout, kinds, weights))


def _panel_head(layout: Layout, title: str, about: str) -> str:
    middle = layout.width / 2
    return text((middle, 10), title, size=13, weight="600", anchor="middle") + text(
        (middle, 27), about, size=11, fill=SOFT, anchor="middle"
    )


def _graph(
    instance: LabInstance, layout: Layout, kinds: Mapping[Edge, Kind], weights: Mapping[Edge, str]
) -> str:
    names = {p.name: p.display.split(" (")[0] for p in instance.public.properties}
    names[FREQUENCY] = "Frequency"
    return draw_graph(layout, kinds, weights, names=names, outcome=FREQUENCY)


def _lower_graph(graph: str) -> str:
    return tag("g", graph, transform=f"translate(0 {PANEL_HEAD:.0f})")


def _believed_weights(resolved: Resolved) -> dict[Edge, str]:
    # The two numbers of a square and a linear term are too long for an arrow.
    return {
        (parent, FREQUENCY): f"{weight:.4g}"
        for parent, weight in resolved.linear.items()
        if weight is not None and parent not in resolved.square
    }


def _legend(y: float, shown: bool) -> str:  # noqa: FBT001
    if not shown:
        return text((MARGIN, y), "No hypothesis came into force.", size=12, fill=SOFT)
    body, x = [], MARGIN
    for kind, said in _LEGEND:
        stroke = STROKES[kind]
        body.append(
            line(
                (x, y - 4),
                (x + 34, y - 4),
                stroke=stroke.colour,
                width=stroke.width,
                dash=stroke.dash,
            )
        )
        fill = PAPER if stroke.hollow else stroke.colour
        body.append(arrow_head((x + 42, y - 4), 0.0, fill=fill, rim=stroke.colour))
        body.append(text((x + 50, y), said, size=12, fill=SOFT))
        x += 50 + 6.4 * len(said) + 28
    return "".join(body)


def _describe_course(course: Sequence[Held]) -> str:
    if not course:
        return "No turn was taken."
    final = course[-1].grade.edges
    return (
        f"The true graph beside the hypotheses held. In the end {final.matched} arrows match, "
        f"{final.reversed} are reversed, {final.missing} missing and {final.extra} extra."
    )


def _caption(rules: LabRules) -> str:
    if rules.interface == "plain":
        return "The true graph, and the interventions over the turns; no hypothesis is asked for."
    return (
        "The true graph, then what was believed at the turns where it changed. Numbers at arrows "
        "are linear coefficients. Below, the grade of each turn's hypothesis, and the "
        "interventions made."
    )


GRADES_HEIGHT, USES_HEIGHT = 150.0, 58.0
_LEFT, _RIGHT, _BETWEEN = 40.0, 190.0, 34.0
_LABEL_GAP = 15.0


@dataclass(frozen=True, slots=True)
class Line:
    """One number over the turns."""

    name: str
    values: tuple[float, ...]
    colour: str
    dash: str = ""


def _make_steps(frame: Frame, values: Sequence[float]) -> list[Point]:
    """Return the corners of a line that keeps each value for the length of its turn."""
    corners = []
    for turn, value in enumerate(values):
        corners += [(frame.x(turn), frame.y(value)), (frame.x(turn + 1), frame.y(value))]
    return corners


def _draw_curves(
    instance: LabInstance,
    history: History,
    course: Sequence[Held],
    width: float,
    *,
    graded: bool = True,
) -> tuple[str, float]:
    """Return the drawing and its height; without grades where no hypothesis is asked for."""
    turns, body, wide = len(course), list[str](), width - _LEFT - _RIGHT
    across = (0.0, max(1.0, turns))
    grades = Frame(_LEFT, 18, wide, GRADES_HEIGHT if graded else -_BETWEEN, across)
    top, most = grades.bottom + _BETWEEN, max(1.0, float(instance.public.budget))
    uses = Frame(_LEFT, top, wide, USES_HEIGHT, across, (0.0, most))
    if graded:
        head = "Grade of the hypothesis in force (a circle: a new one)"
        body += [text((0, 6), head, size=12, weight="600"), draw_y_axis(grades, (0.0, 0.5, 1.0))]
        body += _grades(instance, grades, course)
    body += [
        text((0, top - 10), "Interventions made", size=12, weight="600"),
        draw_y_axis(uses, (0.0, most)),
        *_uses(uses, course),
        *_turn_ticks(uses, turns),
        *_events(history, grades, uses),
    ]
    return "".join(body), top + USES_HEIGHT + 36


def _lines(instance: LabInstance, course: Sequence[Held]) -> list[Line]:
    nodes = len(instance.public.nodes)
    pairs = nodes * (nodes - 1) / 2
    shd = tuple(min(1.0, p.grade.edges.distance / pairs) for p in course)
    return [
        Line("edge F1", tuple(p.grade.edges.f1 for p in course), ACCENT),
        Line("weight F1", tuple(p.grade.weights.f1 for p in course), INK, "7 3"),
        Line("root F1", tuple(p.grade.roots.f1 for p in course), SERIES[4], "2 3"),
        Line("SHD, of all pairs", shd, WARN, "10 3 2 3"),
    ]


def _grades(instance: LabInstance, frame: Frame, course: Sequence[Held]) -> list[str]:
    if not course:
        return []
    lines = _lines(instance, course)
    body = [
        polyline(_make_steps(frame, one.values), stroke=one.colour, dash=one.dash) for one in lines
    ]
    for point in course:
        if point.changed:
            at = frame.x(point.turn - 1), frame.y(point.grade.edges.f1)
            body.append(
                tag(
                    "circle",
                    cx=at[0],
                    cy=at[1],
                    r=3.2,
                    fill=PAPER,
                    stroke=ACCENT,
                    stroke_width=1.8,
                )
            )
    return body + _end_labels(frame, lines)


def _end_labels(frame: Frame, lines: Sequence[Line]) -> list[str]:
    """Name each line at its end, pushed apart where they would overlap."""
    ordered = sorted(lines, key=lambda one: -one.values[-1])
    places = [frame.y(one.values[-1]) for one in ordered]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + _LABEL_GAP)
    over = places[-1] - (frame.bottom + 4)
    if over > 0:
        places[-1] -= over
        for i in range(len(places) - 2, -1, -1):
            places[i] = min(places[i], places[i + 1] - _LABEL_GAP)
    end, body = frame.right, list[str]()
    for one, y in zip(ordered, places, strict=True):
        body.append(line((end + 4, frame.y(one.values[-1])), (end + 12, y), stroke=one.colour))
        body.append(line((end + 14, y), (end + 38, y), stroke=one.colour, width=2, dash=one.dash))
        said = f"{one.name}  {one.values[-1]:.2f}"
        body.append(text((end + 44, y + 4), said, size=11.5, fill=one.colour))
    return body


def _uses(frame: Frame, course: Sequence[Held]) -> list[str]:
    if not course:
        return []
    corners = _make_steps(frame, [float(point.interventions) for point in course])
    floor = [(corners[-1][0], frame.y(0)), (corners[0][0], frame.y(0))]
    area = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*corners, *floor))
    end = corners[-1]
    return [
        tag("polygon", points=area, fill=WASH),
        polyline(corners, stroke=INK, width=1.6),
        text((end[0] + 14, end[1] + 4), f"{course[-1].interventions} made", size=11.5, fill=INK),
    ]


def _turn_ticks(frame: Frame, turns: int) -> list[str]:
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if turns <= 16 * n)
    y = frame.bottom + 14
    shown = [turn for turn in range(1, turns) if turn % every == 0 and turns - turn >= every / 2]
    body = [
        text((frame.x(turn - 0.5), y), str(turn), size=11, fill=SOFT, anchor="middle")
        for turn in sorted({1, *shown, turns} if turns else ())
    ]
    return [*body, text((_LEFT - 8, y), "turn", size=11, fill=SOFT, anchor="end")]


def _events(history: History, grades: Frame, uses: Frame) -> list[str]:
    marks = []
    if history.verified_at is not None:
        marks.append((history.verified_at, "verified"))
    first = next((i for i, step in enumerate(history.steps) if step.submitted), None)
    if first is not None:
        marks.append((first, "submitted"))
    body = []
    for number, said in marks:
        x = grades.x(number + 0.5)
        body.append(line((x, grades.top), (x, uses.bottom), stroke=SOFT, dash="1 3"))
        body.append(text((x, grades.top - 5), said, size=11, fill=SOFT, anchor="middle"))
    return body


_FRAME = Frame(64, 70, 440, 440)
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_KEY_WIDTH = 300.0
_MAX_AGENTS = 16
_SPOT_GAP = 14.0
Group = Callable[[Row], str]


@dataclass(frozen=True, slots=True)
class Frontier:
    """Two numbers of a verdict, and how a picture speaks of them."""

    across: str
    up: str
    title: str
    across_words: str
    up_words: str
    hint: str


_FRONTIERS = (
    Frontier(
        across="edge_f1",
        up="prediction",
        title="Prediction against the graph",
        across_words="F1 of all edges, final hypothesis",
        up_words="Right predictions",
        hint="High and to the left: right predictions without the graph.",
    ),
    Frontier(
        across="settled",
        up="answered",
        title="Answers against experiments",
        across_words="Questions settled by the experiments made",
        up_words="Right answers",
        hint="Above the diagonal: guesses. Below it: evidence that was not used.",
    ),
)


@dataclass(frozen=True, slots=True)
class Spot:
    """One agent on one group of rows."""

    label: str
    across: Interval
    up: Interval


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw each edition's frontier, by number of nodes and, where they say more, by level."""
    return tuple(picture for one in _FRONTIERS for picture in _draw_frontier(rows, one))


def _draw_frontier(rows: Sequence[Row], one: Frontier) -> Iterator[Figure]:
    scored = [row for row in rows if row.unscored is None and one.up in row.numbers]
    asked = [row for row in scored if not math.isnan(row.numbers[one.across])]
    if not asked:
        return
    yield _frontier(asked, one, _nodes, "number of nodes", joined=True)
    if len({_level(row) for row in asked}) > len({_nodes(row) for row in asked}):
        yield _frontier(asked, one, _level, "level", joined=False)


def _nodes(row: Row) -> str:
    return str(row.facets.get("nodes", row.facets.get("properties", "?")))


def _level(row: Row) -> str:
    return row.id.removeprefix(f"{row.family}-").rpartition("-")[0] or row.id


def _agent(row: Row) -> str:
    return f"{row.agent} ({row.interface})" if row.interface != "json" else row.agent


def _is_player(agent: str) -> bool:
    return agent.startswith("player/")


def _spots(rows: Iterable[Row], one: Frontier, group: Group) -> dict[str, list[Spot]]:
    found: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[_agent(row)][group(row)].append(row)
    return {
        agent: [
            Spot(label, _summary(groups[label], one.across), _summary(groups[label], one.up))
            for label in sorted(groups, key=lambda label: (len(label), label))
        ]
        for agent, groups in sorted(found.items(), key=lambda item: (_is_player(item[0]), item[0]))
    }


def _summary(rows: Sequence[Row], name: str) -> Interval:
    return summarize(mean_per_instance(rows, name).values(), share=METRICS[name].share)


def _frontier(rows: Sequence[Row], one: Frontier, group: Group, by: str, *, joined: bool) -> Figure:
    everyone = _spots(rows, one, group)
    shown = dict(list(everyone.items())[:_MAX_AGENTS])
    corners = (_FRAME.left, _FRAME.bottom), (_FRAME.right, _FRAME.top)
    body = [
        draw_x_axis(_FRAME, _TICKS, title=one.across_words),
        draw_y_axis(_FRAME, _TICKS, title=one.up_words),
        line(*corners, stroke=LINE, dash="1 4"),
    ]
    taken: list[Point] = []
    entries = []
    for number, (agent, spots) in enumerate(shown.items()):
        colour, shape = series_colour(number), SHAPES[number % len(SHAPES)]
        if joined and len(spots) > 1:
            body.append(polyline([_locate(s) for s in spots], stroke=colour, width=1.2, dash="3 3"))
        if not _is_player(agent):
            body += [_whiskers(spot, colour) for spot in spots]
        body += [draw_mark(_locate(spot), colour=colour, shape=shape) for spot in spots]
        body += [_label(spot, colour, taken) for spot in spots]
        entries.append((agent, colour, shape))
    at = _FRAME.right + 30, _FRAME.top
    legend, tall = draw_legend(at, entries, width=_KEY_WIDTH)
    if len(shown) < len(everyone):
        more = f"and {len(everyone) - len(shown)} more agents, not drawn"
        legend += text((at[0], at[1] + tall + 14), more, fill=SOFT)
    title = f"{one.title}, by {by}"
    head = text((_FRAME.left - 36, 32), title, size=16, weight="600")
    about = f"{one.up_words} against {one.across_words}, of {len(shown)} agents, by {by}."
    size = at[0] + _KEY_WIDTH, max(_FRAME.bottom + 62, at[1] + tall + 40)
    return Figure(
        title=title,
        svg=make_svg(*size, head + "".join(body) + legend, title=title, about=about),
        caption=f"Each mark is one agent on the instances of one {by}, models with 95 % "
        f"intervals. {one.hint}",
    )


def _locate(spot: Spot) -> Point:
    return _FRAME.x(spot.across.value), _FRAME.y(spot.up.value)


def _whiskers(spot: Spot, colour: str) -> str:
    x, y = _locate(spot)
    across, up = spot.across, spot.up
    ends = [((_FRAME.x(across.low), y), (_FRAME.x(across.high), y))]
    ends += [((x, _FRAME.y(up.low)), (x, _FRAME.y(up.high)))]
    known = (not math.isnan(across.low), not math.isnan(up.low))
    return "".join(
        line(*two, stroke=colour, width=0.6)
        for two, is_known in zip(ends, known, strict=True)
        if is_known
    )


def _label(spot: Spot, colour: str, taken: list[Point]) -> str:
    """Name a spot beside its mark; what finds no room there goes without."""
    x, y = _locate(spot)
    if any(abs(x - a) < _SPOT_GAP and abs(y - b) < _SPOT_GAP for a, b in taken):
        return ""
    taken.append((x, y))
    return text((x + 9, y - 8), spot.label, size=11, fill=colour)

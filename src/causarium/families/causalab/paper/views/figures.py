"""One episode as a picture: the true graph, and what was believed or drawn beside it.

Every graph of a picture has its nodes in the same places. In a believed graph each kind of arrow
(matched, reversed, extra, and the missing true ones) has a colour and a line style of its own, so
that the picture can be read in grey.

Many episodes are a picture of right predictions against the graph that was found.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from causarium.charts.axes import (
    MOST_SERIES,
    Frame,
    draw_series_legend,
    draw_series_mark,
    draw_x_axis,
    draw_y_axis,
)
from causarium.charts.causal_graph import Kind, draw_graph, draw_kinds_legend, edge_kinds
from causarium.charts.layout import Layout, lay_out
from causarium.charts.palette import LINE, SOFT, series_colour
from causarium.charts.svg import line, make_svg, tag, text
from causarium.contract.row import Row, mean_per_instance
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.scoring.graph_scores import Edge
from causarium.scoring.intervals import summarize
from ..levels import LabRules
from ..mechanics.resolve_hypothesis import ResolvedHypothesis
from ..mechanics.shown_values import brief
from ..model.instance import FREQUENCY, LabInstance, LabPublic
from ..scoring.episode_history import History, points, recall
from ..scoring.episode_history import Point as Held
from ..scoring.score import METRICS

MAX_PANELS = 8
"""How many hypotheses are drawn at most, the first and the last always among them."""
MARGIN, PANEL_GAP, PANEL_HEAD = 28.0, 36.0, 44.0
_LEAST_WIDTH, _MOST_WIDTH = 860.0, 1180.0
_LEGEND: Mapping[Kind, str] = {
    "matched": "matched",
    "reversed": "wrong way round",
    "extra": "not in the truth",
    "missing": "missing",
}


class Panel(NamedTuple):
    """One graph of a picture: its title, a line on it, its arrows, and numbers at some of them."""

    title: str
    about: str
    kinds: Mapping[Edge, Kind]
    weights: Mapping[Edge, str]


def draw_episode(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> Figure:
    """Draw the true graph and the hypotheses that were held."""
    history = recall(instance, rules, turns)
    course = points(instance, rules, history)
    true = instance.secret.edge_pairs
    linear = instance.public.form == "linear"
    weights = {(e.cause, e.effect): f"{e.linear:.4g}" for e in instance.secret.edges if linear}
    base = f"base of the frequency {brief(instance.secret.base_frequency)}"
    chosen = choose_points(course)
    body, width, y = _draw_panels(
        instance.public,
        [(edge.cause, edge.effect) for edge in instance.secret.edges],
        [
            Panel("The truth", base, dict.fromkeys(sorted(true), "true"), weights),
            *(_make_panel(true, history.steps[one.turn - 1].belief, one) for one in chosen),
        ],
    )
    if chosen and rules.interface != "plain":
        body.append(draw_kinds_legend((MARGIN, y), _LEGEND))
    elif rules.interface != "plain":
        body.append(text((MARGIN, y), "No hypothesis came into force.", size=12, fill=SOFT))
    title = f"{instance.id}, turn by turn"
    return Figure(
        title=title,
        svg=make_svg(
            width,
            y + 20,
            "".join([_heading(instance, history), *body]),
            title=title,
            about=_describe_course(course),
        ),
        caption="The true graph, then what was believed at the turns where it changed, with its "
        "grade. Numbers at arrows are linear coefficients.",
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


def _draw_panels(
    public: LabPublic, arrows: Sequence[Edge], panels: Sequence[Panel]
) -> tuple[list[str], float, float]:
    """Return panels in rows below a heading, how wide the picture is, and where they end."""
    layout = lay_out(public.nodes, arrows, lowest=FREQUENCY)
    width, columns = _grid(layout, len(panels))
    body, y = list[str](), 76.0
    tall = layout.height + PANEL_HEAD + PANEL_GAP
    step, middle = (width - 2 * MARGIN + PANEL_GAP) / columns, layout.width / 2
    for number, panel in enumerate(panels):
        x = MARGIN + number % columns * step + (step - PANEL_GAP - layout.width) / 2
        graph = draw_graph(
            layout, panel.kinds, panel.weights, names=public.labels, outcome=FREQUENCY
        )
        drawn = (
            text((middle, 10), panel.title, size=13, weight="600", anchor="middle"),
            text((middle, 27), panel.about, size=11, fill=SOFT, anchor="middle"),
            tag("g", graph, transform=f"translate(0 {PANEL_HEAD:.0f})"),
        )
        at = f"translate({x:.1f} {y + number // columns * tall:.1f})"
        body.append(tag("g", "".join(drawn), transform=at))
    return body, width, y - (-len(panels) // columns) * tall


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
    return _write_heading(
        instance.id,
        f"{turns}, {lab.used} of {public.budget} interventions; {said} "
        f"(the frequency is {instance.secret.target:,.2f} Hz)",
    )


def _write_heading(title: str, about: str) -> str:
    head = text((MARGIN, 34), title, size=17, weight="600")
    return head + text((MARGIN, 54), about, size=12.5, fill=SOFT)


def _make_panel(true: frozenset[Edge], belief: ResolvedHypothesis | None, point: Held) -> Panel:
    graded = point.grade.edges
    said = f"edge F1 {graded.f1:.2f}, SHD {graded.distance}"
    if belief is not None and belief.base is not None:
        said += f", base {brief(belief.base)}"
    done = "intervention" if point.interventions == 1 else "interventions"
    return Panel(
        f"Turn {point.turn}, {point.interventions} {done}",
        said,
        edge_kinds(point.edges, true),
        _believed_weights(belief) if belief else {},
    )


def _believed_weights(resolved: ResolvedHypothesis) -> dict[Edge, str]:
    # The two numbers of a square and a linear term are too long for an arrow.
    return {
        (parent, FREQUENCY): f"{weight:.4g}"
        for parent, weight in resolved.linear.items()
        if weight is not None and parent not in resolved.square
    }


def _describe_course(course: Sequence[Held]) -> str:
    if not course:
        return "No turn was taken."
    final = course[-1].grade.edges
    return (
        f"The true graph beside the hypotheses held. In the end {final.matched} arrows match, "
        f"{final.reversed} are reversed, {final.missing} missing and {final.extra} extra."
    )


_FRAME = Frame(64, 70, 440, 440)
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_KEY_WIDTH = 330.0


_ACROSS, _UP = "edge_f1", "prediction"


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw right predictions against the graph that was found, agent by agent."""
    by_agent = defaultdict[str, list[Row]](list)
    for row in rows:
        found = [row.numbers.get(name, math.nan) for name in (_ACROSS, _UP)]
        if row.unscored is None and not math.isnan(sum(found)):
            name = f"{row.agent} ({row.interface})" if row.interface != "json" else row.agent
            by_agent[name].append(row)
    return (_draw_frontier(by_agent),) if by_agent else ()


def _draw_frontier(by_agent: Mapping[str, Sequence[Row]]) -> Figure:
    """Draw a mark for each agent, models first, with 95 % intervals."""
    ordered = sorted(by_agent, key=lambda agent: (agent.startswith("player/"), agent))
    corners = (_FRAME.left, _FRAME.bottom), (_FRAME.right, _FRAME.top)
    shown = ordered[:MOST_SERIES]
    title = "Prediction against the graph"
    body = [
        text((_FRAME.left - 36, 32), title, size=16, weight="600"),
        draw_x_axis(_FRAME, _TICKS, title="F1 of all edges, final hypothesis"),
        draw_y_axis(_FRAME, _TICKS, title="Right predictions"),
        line(*corners, stroke=LINE, dash="1 4"),
    ]
    for number, agent in enumerate(shown):
        across, up = (
            summarize(mean_per_instance(by_agent[agent], name).values(), share=METRICS[name].share)
            for name in (_ACROSS, _UP)
        )
        x, y = _FRAME.x(across.value), _FRAME.y(up.value)
        if not math.isnan(across.low + up.low):
            ends = (_FRAME.x(across.low), y), (_FRAME.x(across.high), y)
            rises = (x, _FRAME.y(up.low)), (x, _FRAME.y(up.high))
            colour = series_colour(number)
            body += [line(*two, stroke=colour, width=0.6) for two in (ends, rises)]
        body.append(draw_series_mark((x, y), number))
    left, top = _FRAME.right + 34, _FRAME.top + 12
    body.append(draw_series_legend((left, top), shown))
    if more := len(ordered) - len(shown):
        below = left, top + 18 * len(shown)
        body.append(text(below, f"and {more} more agents, not drawn", fill=SOFT))
    about = f"Right predictions against F1 of all edges, of {len(shown)} agents."
    size = _FRAME.right + _KEY_WIDTH, _FRAME.bottom + 62
    return Figure(
        title=title,
        svg=make_svg(*size, "".join(body), title=title, about=about),
        caption="Each mark is one agent, with 95 % intervals. High and to the left: right "
        "predictions without the graph.",
    )

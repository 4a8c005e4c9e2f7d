"""The pictures of a report, each made from the same summaries as its tables."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import altair as alt

from causarium.report.data.number_format import printable, show
from causarium.report.data.published_rows import by_table
from causarium.report.data.report_data import Section
from causarium.report.data.summaries import AgentSummary, LabelTable
from causarium.report.figures.vega_svg import (
    BOUND,
    INK,
    MODEL,
    MUTED,
    NOTHING,
    PAPER,
    PLAYER,
    PUBLISHED,
    SERIES,
    draw,
)
from causarium.scoring.intervals import Interval

Vega: TypeAlias = Any
"""A part of a chart; Altair is not typed for us."""
Point: TypeAlias = dict[str, Any]
"""One mark's data."""

WIDTH = 500
STEP = 22
MOST_MARGIN = 230
MOST_PUBLISHED = 24
MOST_NAMED = 14
_COLOURS = {"model": MODEL, "player": PLAYER, "ceiling": BOUND, "floor": BOUND}


def headline_figure(section: Section, name: str) -> str:
    """Draw the first headline metric of every agent, the bounds, and the published values."""
    metric = section.headline[0]
    ours = [_point(agent, metric) for agent in section.agents if metric in agent.metrics]
    ours = [point for point in ours if not math.isnan(point["value"])]
    if not ours:
        return ""
    theirs = _published_points(section, metric)
    scale = scale_of([*ours, *theirs])
    margin = _margin([*ours, *theirs])
    title = "" if theirs else metric
    layers = [_references(section, scale), *_dots(ours, _names(ours, margin), title, scale)]
    top = alt.layer(*layers).properties(width=WIDTH, height=alt.Step(STEP))
    if not theirs:
        return draw(top, name)
    below = _diamonds(theirs, _names(theirs, margin), metric, scale).properties(
        width=WIDTH, height=alt.Step(STEP - 4), title=alt.Title("published", offset=4)
    )
    return draw(alt.vconcat(top, below, spacing=14), name)


def _published_points(section: Section, metric: str) -> list[Point]:
    groups = by_table(section.published, metric, falls=section.facts.falls(metric))
    lines = [(group, line) for group in groups for line in group.lines if metric in line.values]
    if len(lines) > MOST_PUBLISHED:
        return []
    seen = Counter(line.agent for _, line in lines)
    points = []
    for group, line in lines:
        where = (group.table, line.setting) if seen[line.agent] > 1 else ()
        value = line.values[metric]
        name = ", ".join(filter(None, (line.agent, *where)))
        points.append({"agent": printable(name), "value": value, "low": value, "high": value})
    return points


def _point(agent: AgentSummary, metric: str) -> Point:
    return {
        "agent": printable(agent.agent),
        "turns": agent.turns,
        "role": agent.role,
        **whiskers_of(agent.metrics[metric]),
    }


def whiskers_of(interval: Interval) -> dict[str, float]:
    """Return a mark's value and the ends of its interval, which is a point where there is none."""
    return {
        "value": interval.value,
        "low": interval.value if math.isnan(interval.low) else interval.low,
        "high": interval.value if math.isnan(interval.high) else interval.high,
    }


def scale_of(points: Sequence[Point]) -> Vega:
    """Return the scale of a metric: from 0 to 1 for shares, from 0 or below otherwise."""
    low = min(point["low"] for point in points)
    high = max(point["high"] for point in points)
    if low >= 0 and high <= 1:
        return alt.Scale(domain=[0, 1], nice=False)
    return alt.Scale(domain=[min(0, low), max(0, high)], nice=True)


def _margin(points: Iterable[Point]) -> int:
    """Room for the names; charts that stand above each other share it, so that they line up."""
    return min(MOST_MARGIN, 20 + 7 * max(len(point["agent"]) for point in points))


def _names(points: Sequence[Point], margin: int) -> Vega:
    axis = alt.Axis(
        title=None, minExtent=margin, maxExtent=margin, labelColor=INK, labelLimit=margin - 10
    )
    return alt.Y("agent:N", sort=[point["agent"] for point in points], axis=axis)


def _dots(
    points: Sequence[Point],
    names: Vega,
    title: str,
    scale: Vega,
) -> list[Vega]:
    base = alt.Chart(alt.Data(values=list(points))).encode(
        y=names,
        color=alt.Color(
            "role:N",
            scale=alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values())),
            legend=None,
        ),
    )
    axis = alt.Axis(title=title or None, tickCount=5)
    whiskers = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q"
    )
    dots = base.mark_point(size=64, filled=True, opacity=1).encode(
        x=alt.X("value:Q", scale=scale, axis=axis)
    )
    return [whiskers, dots]


def _diamonds(
    points: Sequence[Point],
    names: Vega,
    title: str,
    scale: Vega,
) -> Vega:
    axis = alt.Axis(title=title, tickCount=5)
    return (
        alt.Chart(alt.Data(values=list(points)))
        .mark_point(shape="diamond", size=56, color=PUBLISHED, fill=PAPER, opacity=1)
        .encode(y=names, x=alt.X("value:Q", scale=scale, axis=axis))
    )


def _references(section: Section, scale: Vega) -> Vega:
    lines: list[Point] = []
    for reference in sorted(section.references, key=lambda ref: ref.value):
        if lines and reference.value - lines[-1]["value"] < 0.1:
            lines[-1]["name"] += f", {reference.name}"
        else:
            lines.append({"value": reference.value, "name": reference.name})
    for line in lines:
        line["name"] += f" {show(line['value'], 2)}"
    axis = alt.Axis(title=None)
    base = alt.Chart(alt.Data(values=lines)).encode(x=alt.X("value:Q", scale=scale, axis=axis))
    rules = base.mark_rule(color=BOUND, strokeDash=[2, 3])
    names = base.mark_text(color=MUTED, fontSize=11, baseline="bottom", dy=-4).encode(
        y=alt.value(0), text="name:N"
    )
    return alt.layer(rules, names)


def effort_figure(section: Section, name: str) -> str:
    """Draw the first headline metric against the mean number of turns."""
    metric = section.headline[0]
    points = [_point(agent, metric) for agent in section.agents if metric in agent.metrics]
    points = [p for p in points if not math.isnan(p["value"]) and not math.isnan(p["turns"])]
    if len({point["turns"] for point in points}) < 2:
        return ""
    base = alt.Chart(alt.Data(values=points)).encode(
        x=alt.X(
            "turns:Q",
            scale=alt.Scale(zero=False, nice=True, padding=12),
            axis=alt.Axis(title="mean turns", tickCount=6, grid=False),
        ),
        color=alt.Color(
            "role:N",
            scale=alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values())),
            legend=None,
        ),
    )
    scale = scale_of(points)
    axis = alt.Axis(title=metric, tickCount=5, titleAngle=0, titleAlign="left", titleY=-10)
    layers = [
        base.mark_rule(strokeWidth=2, opacity=0.6).encode(
            y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q"
        ),
        base.mark_point(size=64, filled=True, opacity=1).encode(
            y=alt.Y("value:Q", scale=scale, axis=axis)
        ),
    ]
    if len(points) <= MOST_NAMED:
        names = alt.Chart(alt.Data(values=_joined(points)))
        layers.append(
            names.mark_text(align="left", dx=9, fontSize=11, limit=200, color=INK).encode(
                x="turns:Q", y=alt.Y("value:Q", scale=scale, axis=axis), text="agent:N"
            )
        )
    return draw(alt.layer(*layers).properties(width=WIDTH, height=230), name)


def _joined(points: Sequence[Point]) -> list[Point]:
    """Join the names of agents whose points lie on each other, so that they can be read."""
    places: dict[tuple[float, float], list[Point]] = {}
    for point in points:
        places.setdefault((round(point["turns"], 1), round(point["value"], 1)), []).append(point)
    return [
        {**members[0], "agent": ", ".join(member["agent"] for member in members)}
        for members in places.values()
    ]


def label_figure(table: LabelTable, name: str) -> str:
    """Draw the shares of one label's values, a bar an agent."""
    values = [printable(value) for value in table.values]
    points = [
        {
            "agent": printable(line.agent),
            "label": value,
            "share": count / line.n,
            "at": number,
        }
        for line in table.lines
        if line.n
        for number, (value, count) in enumerate(zip(values, line.counts, strict=True))
    ]
    if not points:
        return ""
    palette = iter(SERIES)
    colours = [NOTHING if value in {"none", "other"} else next(palette) for value in values]
    chart = (
        alt.Chart(alt.Data(values=points))
        .mark_bar(height=STEP - 8)
        .encode(
            y=_names(points, _margin(points)),
            x=alt.X(
                "share:Q",
                scale=alt.Scale(domain=[0, 1], clamp=True),
                axis=alt.Axis(title="share of episodes", format="%", tickCount=5),
            ),
            order="at:Q",
            color=alt.Color(
                "label:N",
                scale=alt.Scale(domain=values, range=colours),
                legend=alt.Legend(title=None, orient="top", columns=4),
            ),
        )
        .properties(width=WIDTH, height=alt.Step(STEP))
    )
    return draw(chart, name)

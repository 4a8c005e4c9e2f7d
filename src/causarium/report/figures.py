"""The pictures of a report, each made from the same summaries as its tables."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import altair as alt

from causarium.report.aggregate import AgentSummary, LabelTable
from causarium.report.beside import by_table
from causarium.report.build import Section
from causarium.report.numbers import printable, show
from causarium.report.svg import (
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

WIDTH = 560
STEP = 22
MARGIN = 230
"""Room for the names, the same in every picture so that they line up."""
MOST_PUBLISHED = 24
MOST_SERIES = 6
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
    scale = _scale([*ours, *theirs])
    layers = [_references(section, scale), *_dots(ours, metric if not theirs else "", scale)]
    top = alt.layer(*layers).properties(width=WIDTH, height=alt.Step(STEP))
    if not theirs:
        return draw(top, name)
    below = _diamonds(theirs, metric, scale).properties(
        width=WIDTH, height=alt.Step(STEP - 4), title=alt.Title("published", offset=4)
    )
    return draw(alt.vconcat(top, below, spacing=14), name)


def _published_points(section: Section, metric: str) -> list[dict[str, Any]]:
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


def _point(agent: AgentSummary, metric: str) -> dict[str, Any]:
    interval = agent.metrics[metric]
    return {
        "agent": printable(agent.agent),
        "value": interval.value,
        "low": interval.value if math.isnan(interval.low) else interval.low,
        "high": interval.value if math.isnan(interval.high) else interval.high,
        "turns": agent.turns,
        "role": agent.role,
    }


def _scale(points: Sequence[dict[str, Any]]) -> Any:  # noqa: ANN401
    low = min(point["low"] for point in points)
    high = max(point["high"] for point in points)
    if low >= 0 and high <= 1:
        return alt.Scale(domain=[0, 1], nice=False)
    return alt.Scale(domain=[min(0, low), max(0, high)], nice=True)


def _names(points: Sequence[dict[str, Any]]) -> Any:  # noqa: ANN401
    axis = alt.Axis(title=None, minExtent=MARGIN, maxExtent=MARGIN, labelColor=INK, labelLimit=220)
    return alt.Y("agent:N", sort=[point["agent"] for point in points], axis=axis)


def _dots(points: Sequence[dict[str, Any]], title: str, scale: Any) -> list[Any]:  # noqa: ANN401
    base = alt.Chart(alt.Data(values=list(points))).encode(
        y=_names(points),
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


def _diamonds(points: Sequence[dict[str, Any]], title: str, scale: Any) -> Any:  # noqa: ANN401
    axis = alt.Axis(title=title, tickCount=5)
    return (
        alt.Chart(alt.Data(values=list(points)))
        .mark_point(shape="diamond", size=56, color=PUBLISHED, fill=PAPER, opacity=1)
        .encode(y=_names(points), x=alt.X("value:Q", scale=scale, axis=axis))
    )


def _references(section: Section, scale: Any) -> Any:  # noqa: ANN401
    lines: list[dict[str, Any]] = []
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


def facet_figure(section: Section, name: str) -> str:
    """Draw the first headline metric by facet, one small panel a facet, for the leading agents."""
    shown = [a.agent for a in section.agents if a.role in {"model", "player"}][:MOST_SERIES]
    panels = []
    for breakdown in section.breakdowns:
        points = [
            {
                "agent": printable(line.agent),
                "at": printable(value),
                "value": cell.value,
                "low": cell.value if math.isnan(cell.low) else cell.low,
                "high": cell.value if math.isnan(cell.high) else cell.high,
            }
            for line in breakdown.lines
            if line.agent in shown
            for value, cell in zip(breakdown.values, line.cells, strict=True)
            if not math.isnan(cell.value)
        ]
        if points:
            order = [printable(value) for value in breakdown.values]
            panels.append(_facet_panel(points, printable(breakdown.facet), order, shown))
    if not panels:
        return ""
    grid = alt.concat(*panels, columns=3, spacing=26).resolve_scale(color="shared")
    return draw(grid, name)


def _facet_panel(
    points: Sequence[dict[str, Any]], facet: str, order: Sequence[str], shown: Sequence[str]
) -> Any:  # noqa: ANN401
    names = [printable(agent) for agent in shown]
    base = alt.Chart(alt.Data(values=list(points))).encode(
        x=alt.X("at:N", sort=list(order), axis=alt.Axis(title=None, labelAngle=0, labelLimit=90)),
        xOffset=alt.XOffset("agent:N", sort=names),
        color=alt.Color(
            "agent:N",
            scale=alt.Scale(domain=names, range=list(SERIES[: len(names)])),
            legend=alt.Legend(title=None, orient="top", columns=3, symbolOpacity=1),
        ),
    )
    scale = _scale(points)
    axis = alt.Axis(title=None, tickCount=4)
    whiskers = base.mark_rule(strokeWidth=1.5, opacity=0.55).encode(
        y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q"
    )
    dots = base.mark_point(size=40, filled=True, opacity=1).encode(
        y=alt.Y("value:Q", scale=scale, axis=axis)
    )
    width = max(150, 24 + 12 * len(names) * len(order)) if len(order) > 3 else 210
    return alt.layer(whiskers, dots).properties(
        width=min(width, 480), height=120, title=alt.Title(facet, color=INK, anchor="start")
    )


def effort_figure(section: Section, name: str) -> str:
    """Draw the first headline metric against the mean number of turns."""
    metric = section.headline[0]
    points = [_point(agent, metric) for agent in section.agents if metric in agent.metrics]
    points = [p for p in points if not math.isnan(p["value"]) and not math.isnan(p["turns"])]
    if len({point["turns"] for point in points}) < 2:
        return ""
    base = alt.Chart(alt.Data(values=points)).encode(
        x=alt.X("turns:Q", axis=alt.Axis(title="mean turns", tickCount=6, grid=False)),
        color=alt.Color(
            "role:N",
            scale=alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values())),
            legend=None,
        ),
    )
    scale = _scale(points)
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
        layers.append(
            base.mark_text(align="left", dx=9, fontSize=11, limit=160).encode(
                y=alt.Y("value:Q", scale=scale, axis=axis), text="agent:N", color=alt.value(INK)
            )
        )
    return draw(alt.layer(*layers).properties(width=WIDTH, height=230), name)


def label_figure(table: LabelTable, name: str) -> str:
    """Draw the shares of one label's values, a bar an agent."""
    agents = [printable(line.agent) for line in table.lines if line.n]
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
            y=_names([{"agent": agent} for agent in agents]),
            x=alt.X("share:Q", axis=alt.Axis(title="share of episodes", format="%", tickCount=5)),
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

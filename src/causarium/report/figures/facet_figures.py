"""Small panels, one a facet: where an agent wins and where it loses."""

import math
from collections.abc import Sequence

import altair as alt

from causarium.report.data.number_format import printable
from causarium.report.data.published_rows import by_facet
from causarium.report.data.report_data import Section
from causarium.report.data.summaries import PLAYING
from causarium.report.figures.headline_figures import Point, Vega, scale_of, whiskers_of
from causarium.report.figures.vega_svg import INK, PAPER, PUBLISHED, SERIES, draw

MOST_SERIES = 6
_THEIRS = "published"


def leading(section: Section) -> list[tuple[str, str]]:
    """Return the leading agents with the colour that each has in the facet panels."""
    playing = [agent.agent for agent in section.agents if agent.role in PLAYING]
    return list(zip(playing[:MOST_SERIES], SERIES, strict=False))


def facet_figures(section: Section, name: str) -> list[str]:
    """Draw the first headline metric by facet, one small panel a facet, for the leading agents."""
    shown = leading(section)
    names = [agent for agent, _ in shown]
    drawn = []
    for at, breakdown in enumerate(section.breakdowns):
        if breakdown.metric != section.headline[0]:
            continue
        points = [
            {"agent": printable(line.agent), "at": printable(value), **whiskers_of(cell)}
            for line in breakdown.lines
            if line.agent in names
            for value, cell in zip(breakdown.values, line.cells, strict=True)
            if not math.isnan(cell.value)
        ]
        if not points:
            continue
        order = [printable(value) for value in breakdown.values]
        panel = _facet_panel(points, order, shown).properties(
            title=alt.Title(printable(breakdown.facet), color=INK, anchor="start")
        )
        theirs = by_facet(section.published, breakdown.facet, breakdown.metric)
        if theirs:
            panel += _facet_diamonds(list(theirs.values()), order)
        drawn.append(draw(panel, f"{name}{at}"))
    return drawn


def _facet_panel(
    points: Sequence[Point], order: Sequence[str], shown: Sequence[tuple[str, str]]
) -> Vega:
    names = [printable(agent) for agent, _ in shown]
    base = alt.Chart(alt.Data(values=list(points))).encode(
        x=alt.X("at:N", sort=list(order), axis=alt.Axis(title=None, labelAngle=0, labelLimit=80)),
        xOffset=alt.XOffset("agent:N", scale=alt.Scale(domain=[*names, _THEIRS])),
        color=alt.Color(
            "agent:N",
            scale=alt.Scale(domain=names, range=[colour for _, colour in shown]),
            legend=None,
        ),
    )
    scale = scale_of(points)
    axis = alt.Axis(title=None, tickCount=4)
    whiskers = base.mark_rule(strokeWidth=1.5, opacity=0.55).encode(
        y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q"
    )
    dots = base.mark_point(size=40, filled=True, opacity=1).encode(
        y=alt.Y("value:Q", scale=scale, axis=axis)
    )
    width = min(520, max(220, 10 * (len(names) + 2) * len(order)))
    return alt.layer(whiskers, dots).properties(width=width, height=120)


def _facet_diamonds(theirs: Sequence[dict[str, float]], order: Sequence[str]) -> Vega:
    points = [
        {"agent": _THEIRS, "at": at, "value": value}
        for values in theirs
        for at, value in values.items()
        if at in order
    ]
    return (
        alt.Chart(alt.Data(values=points))
        .mark_point(shape="diamond", size=48, color=PUBLISHED, fill=PAPER, opacity=1)
        .encode(x=alt.X("at:N", sort=list(order)), xOffset="agent:N", y=alt.Y("value:Q"))
    )

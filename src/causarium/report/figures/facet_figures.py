"""Small panels, one a facet: where an agent wins and where it loses."""

import math
from collections.abc import Mapping, Sequence

from causarium.charts.axes import (
    Frame,
    choose_ticks,
    draw_column_names,
    draw_diamond,
    draw_mark,
    draw_y_axis,
)
from causarium.charts.palette import PUBLISHED, SERIES
from causarium.charts.svg import line, make_svg, text
from causarium.report.data.number_format import replace_unprintable
from causarium.report.data.published_rows import by_facet
from causarium.report.data.report_data import Section
from causarium.report.data.summaries import PLAYING, Breakdown
from causarium.report.figures.headline_figures import Mark, choose_range, make_mark

MOST_SERIES = 6


def leading_agents(section: Section) -> list[tuple[str, str]]:
    """Return the leading agents with the colour that each has in the facet panels."""
    playing = [agent.agent for agent in section.agents if agent.role in PLAYING]
    return list(zip(playing[:MOST_SERIES], SERIES, strict=False))


def facet_figures(section: Section) -> list[str]:
    """Draw the first headline metric by facet, one small panel a facet, for the leading agents."""
    agents = leading_agents(section)
    figures = []
    for breakdown in section.breakdowns:
        if breakdown.metric == section.headline[0]:
            theirs = by_facet(section.published, breakdown.facet, breakdown.metric)
            figures.append(_draw_panel(breakdown, agents, list(theirs.values())))
    return [figure for figure in figures if figure]


def _draw_panel(
    breakdown: Breakdown,
    agents: Sequence[tuple[str, str]],
    theirs: Sequence[Mapping[str, float]],
) -> str:
    cells = {line.agent: line.cells for line in breakdown.lines}
    marks: list[tuple[int, int, Mark]] = [
        (column, series, make_mark(agent, cell))
        for series, (agent, _) in enumerate(agents)
        for column, cell in enumerate(cells.get(agent, ()))
        if not math.isnan(cell.value)
    ]
    if not marks:
        return ""
    columns = [replace_unprintable(value) for value in breakdown.values]
    slots = len(agents) + 1
    width = min(520, max(220, 10 * (slots + 1) * len(columns)))
    frame = Frame(40, 34, width, 120, y_range=choose_range([mark for _, _, mark in marks]))

    def place(column: int, slot: int) -> float:
        return frame.column(column + ((slot + 0.5) / slots - 0.5) * 0.8, len(columns))

    title = replace_unprintable(breakdown.facet)
    body = [
        text((0, 14), title, weight="600"),
        draw_y_axis(frame, choose_ticks(*frame.y_range, 4)),
    ]
    body.append(draw_column_names(frame, columns))
    for column, series, mark in marks:
        x, colour = place(column, series), agents[series][1]
        body.append(line((x, frame.y(mark.low)), (x, frame.y(mark.high)), stroke=colour, width=1.5))
        body.append(draw_mark((x, frame.y(mark.value)), colour=colour, radius=3.6))
    for values in theirs:
        for name, value in values.items():
            if name in columns:
                at = (place(columns.index(name), len(agents)), frame.y(value))
                body.append(draw_diamond(at, colour=PUBLISHED, radius=4.4))
    about = f"{breakdown.metric} for {', '.join(columns)}"
    return make_svg(frame.right + 12, frame.bottom + 26, "".join(body), title=title, about=about)

"""The headline by facet, one small panel each, made from the same summaries as the tables."""

import math
import re
from collections.abc import Sequence

from causarium.charts.axes import Frame, choose_ticks, draw_column_names, draw_mark, draw_y_axis
from causarium.charts.palette import SERIES
from causarium.charts.svg import line, make_svg, text
from causarium.contract.frozen import replace_unprintable
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
    charts = {
        f"{section.facts.name}-{section.edition}-{section.set}-facet-{at}": svg
        for section in report.sections
        for at, svg in enumerate(draw_facets(section), 1)
    }
    for at, panel in enumerate(report.panels, 1):
        if panel.markup.lstrip().startswith("<svg"):
            charts[f"{panel.family or 'report'}-picture-{at}"] = panel.markup
    return {re.sub(r"[^A-Za-z0-9_.-]+", "-", name)[:120]: svg for name, svg in charts.items()}


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
        if not math.isnan(cell.low):
            ends_of = (x, frame.y(cell.low)), (x, frame.y(cell.high))
            body.append(line(*ends_of, stroke=colour, width=1.5))
        body.append(draw_mark((x, frame.y(cell.value)), colour=colour, radius=3.6))
    about = f"{breakdown.metric} for {', '.join(columns)}"
    return make_svg(frame.right + 12, frame.bottom + 26, "".join(body), title=title, about=about)

"""The figures of a report, each made from the same summaries as its tables."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from causarium.charts.axes import (
    LETTER,
    NOTE_SIZE,
    Frame,
    choose_ticks,
    draw_column_names,
    draw_mark,
    draw_row_names,
    draw_x_axis,
    draw_y_axis,
)
from causarium.charts.palette import (
    BOUND,
    MODEL,
    PLAYER,
    SERIES,
    SOFT,
)
from causarium.charts.svg import line, make_svg, text
from causarium.report.data.number_format import replace_unprintable
from causarium.report.data.report_data import Report, Section
from causarium.report.data.summaries import PLAYING, AgentSummary, Breakdown
from causarium.scoring.intervals import Interval

WIDTH = 500
STEP = 22
MOST_MARGIN = 230
MOST_NAMED = 14
_COLOURS = {"model": MODEL, "player": PLAYER, "ceiling": BOUND, "floor": BOUND}


@dataclass(frozen=True, slots=True)
class Mark:
    """A value with the ends of its interval, which is a point where there is none."""

    name: str
    value: float
    low: float
    high: float
    role: str = ""
    turns: float = math.nan


def make_mark(name: str, interval: Interval, role: str = "", turns: float = math.nan) -> Mark:
    """Return the mark of a mean."""
    low = interval.value if math.isnan(interval.low) else interval.low
    high = interval.value if math.isnan(interval.high) else interval.high
    return Mark(replace_unprintable(name), interval.value, low, high, role, turns)


def choose_range(marks: Iterable[Mark]) -> tuple[float, float]:
    """Return what a metric's axis spans: from 0 to 1 for shares, from 0 or below otherwise."""
    ends = [end for mark in marks for end in (mark.low, mark.high)]
    low, high = min(ends), max(ends)
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    ticks = choose_ticks(min(0.0, low), max(0.0, high))
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    return min(0.0, low, ticks[0]), max(ticks[-1] + (step if high > ticks[-1] else 0.0), 0.0)


def headline_figure(section: Section) -> str:
    """Draw the first headline metric of every agent, the bounds included."""
    metric = section.headline[0]
    ours = [
        make_mark(agent.agent, agent.metrics[metric], agent.role)
        for agent in section.agents
        if metric in agent.metrics and not math.isnan(agent.metrics[metric].value)
    ]
    if not ours:
        return ""
    span = choose_range(ours)
    left = min(MOST_MARGIN, 20 + LETTER * max(len(mark.name) for mark in ours))
    frame = Frame(left, 8, WIDTH, STEP * len(ours), x_range=span)
    body = [
        draw_x_axis(frame, choose_ticks(*span), title=metric),
        draw_row_names(frame, [mark.name for mark in ours]),
    ]
    for number, mark in enumerate(ours):
        y, colour = frame.row(number, len(ours)), _COLOURS[mark.role]
        ends = (frame.x(mark.low), y), (frame.x(mark.high), y)
        told = f"{mark.name}: {mark.value:.3f}, {mark.low:.3f} to {mark.high:.3f}"
        body.append(line(*ends, stroke=colour, width=2))
        body.append(draw_mark((frame.x(mark.value), y), colour=colour, about=told))
    about = ", ".join(f"{mark.name} {mark.value:.2f}" for mark in ours)
    return make_svg(
        left + WIDTH + 44, frame.bottom + 46, "".join(body), title=f"{metric} by agent", about=about
    )


def effort_figure(section: Section) -> str:
    """Draw the first headline metric against the mean number of turns."""
    metric = section.headline[0]
    marks = [_effort_mark(agent, metric) for agent in section.agents if metric in agent.metrics]
    marks = [mark for mark in marks if not math.isnan(mark.value) and not math.isnan(mark.turns)]
    turns = [mark.turns for mark in marks]
    if len(set(turns)) < 2:
        return ""
    room = 0.08 * (max(turns) - min(turns))
    frame = Frame(
        *(48, 30, WIDTH, 230),
        x_range=(min(turns) - room, max(turns) + room),
        y_range=choose_range(marks),
    )
    body = [draw_y_axis(frame, choose_ticks(*frame.y_range), title=metric)]
    for tick in choose_ticks(*frame.x_range):
        label = (frame.x(tick), frame.bottom + 16)
        body.append(text(label, f"{tick:g}", fill=SOFT, anchor="middle"))
    middle = (frame.left + frame.width / 2, frame.bottom + 34)
    body.append(text(middle, "mean turns", fill=SOFT, anchor="middle"))
    for mark in marks:
        x, colour = frame.x(mark.turns), _COLOURS[mark.role]
        body.append(line((x, frame.y(mark.low)), (x, frame.y(mark.high)), stroke=colour, width=2))
        body.append(draw_mark((x, frame.y(mark.value)), colour=colour))
    if len(marks) <= MOST_NAMED:
        body += [
            text((frame.x(m.turns) + 9, frame.y(m.value) + 4), m.name, size=NOTE_SIZE)
            for m in _join_names(marks)
        ]
    about = ", ".join(f"{mark.name}: {mark.value:.2f} in {mark.turns:.1f}" for mark in marks)
    title = f"{metric} and mean turns"
    return make_svg(frame.right + 160, frame.bottom + 46, "".join(body), title=title, about=about)


def _effort_mark(agent: AgentSummary, metric: str) -> Mark:
    return make_mark(agent.agent, agent.metrics[metric], agent.role, agent.turns)


def _join_names(marks: Sequence[Mark]) -> list[Mark]:
    """Join the names of agents that share a point, so that they can be read."""
    places: dict[tuple[float, float], list[Mark]] = {}
    for mark in marks:
        places.setdefault((round(mark.turns, 1), round(mark.value, 1)), []).append(mark)
    return [
        replace(near[0], name=", ".join(mark.name for mark in near)) for near in places.values()
    ]


class Drawings(NamedTuple):
    """The charts of one section; an empty text where there is nothing to draw."""

    headline: str
    effort: str
    facets: list[str]


def draw_section(section: Section) -> Drawings:
    """Draw the charts of one section."""
    has_scores = bool(section.headline)
    return Drawings(
        headline=headline_figure(section) if has_scores else "",
        effort=effort_figure(section) if has_scores else "",
        facets=facet_figures(section) if has_scores else [],
    )


def draw_report(report: Report) -> list[Drawings]:
    """Draw the charts of every section."""
    return [draw_section(section) for section in report.sections]


def figure_files(report: Report, sections: list[Drawings]) -> dict[str, str]:
    """Return every chart and picture under the file name that suits it, without its ending."""
    charts: dict[str, str] = {}
    for section, drawn in zip(report.sections, sections, strict=True):
        stem = _make_file_name(f"{section.facts.name}-{section.edition}-{section.set}")
        charts |= {f"{stem}-headline": drawn.headline, f"{stem}-effort": drawn.effort}
        charts |= {f"{stem}-facet-{at}": svg for at, svg in enumerate(drawn.facets, 1)}
    for at, panel in enumerate(report.panels, 1):
        if panel.markup.lstrip().startswith("<svg"):
            charts[_make_file_name(f"{panel.family or 'report'}-picture-{at}")] = panel.markup
    return {name: svg for name, svg in charts.items() if svg}


def _make_file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", text)[:120]


MOST_SERIES = 6


def leading_agents(section: Section) -> list[tuple[str, str]]:
    """Return the leading agents with the colour that each has in the facet panels."""
    playing = [agent.agent for agent in section.agents if agent.role in PLAYING]
    return list(zip(playing[:MOST_SERIES], SERIES, strict=False))


def facet_figures(section: Section) -> list[str]:
    """Draw the first headline metric by facet, one small panel a facet, for the leading agents."""
    agents = leading_agents(section)
    mine = [one for one in section.breakdowns if one.metric == section.headline[0]]
    return [figure for one in mine if (figure := _draw_panel(one, agents))]


def _draw_panel(breakdown: Breakdown, agents: Sequence[tuple[str, str]]) -> str:
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
    slots = len(agents)
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
    about = f"{breakdown.metric} for {', '.join(columns)}"
    return make_svg(frame.right + 12, frame.bottom + 26, "".join(body), title=title, about=about)

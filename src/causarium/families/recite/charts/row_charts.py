"""Many rows as pictures: F1 against explicitness, and by what else a document is like."""

import math
from collections.abc import Sequence

from causarium.charts.svg import FAINT, SOFT, Point, drawing, line, polyline, tag, words
from causarium.contract.row import Row
from causarium.contract.views.figure import Figure
from causarium.families.recite.analysis.row_tables import draw_tables
from causarium.families.recite.analysis.score_breakdown import (
    FACETS,
    ORDERS,
    VARIED,
    agents_of,
    by_facet,
    values_of,
)
from causarium.scoring.intervals import Interval

COLOURS = ("#0b6bb0", "#c2352b", "#2b8a57", "#7a5195", "#c77700", "#0f8b8d", "#5b6470", "#b0447f")
MOST_AGENTS = len(COLOURS)
_AGAINST = ("explicitness", "explicitness_strict", *VARIED)
"""Facets that have a picture of their own."""
_WIDE, _HIGH, _LEFT, _TOP = 420.0, 210.0, 62.0, 104.0


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what rows say together; a facet with one value says nothing and is left out."""
    scored = [row for row in rows if row.unscored is None and "f1" in row.numbers]
    pictures = [_against(scored, facet) for facet in _AGAINST]
    pictures.append(_likeness(scored))
    found = tuple(picture for picture in pictures if picture is not None)
    return (*found, *draw_tables(scored))


def _against(rows: Sequence[Row], facet: str) -> Figure | None:
    columns = values_of(rows, facet)
    if len(columns) < 2:
        return None
    agents = agents_of(rows)[:MOST_AGENTS]
    body = _panel(rows, facet, agents, (_LEFT, _TOP)) + _legend((_LEFT + _WIDE + 36, _TOP), agents)
    title = f"F1 against {FACETS[facet]}"
    height = max(_TOP + _HIGH + 60, _TOP + 18 * len(agents) + 20)
    return Figure(
        title=title,
        svg=_framed(_LEFT + _WIDE + 270, height, body, title),
        caption="Means over documents, with 95 % intervals from resampling them."
        + (
            " The same graphs are told in each way, so a difference is what the way costs."
            if facet in VARIED
            else " Documents differ in more than this, so a slope need not be its effect."
        ),
    )


def _likeness(rows: Sequence[Row]) -> Figure | None:
    facets = [f for f in FACETS if f not in _AGAINST and len(values_of(rows, f)) > 1]
    if not facets:
        return None
    agents = agents_of(rows)[:MOST_AGENTS]
    body = []
    for place, facet in enumerate(facets):
        at = (_LEFT + (place % 2) * (_WIDE + 80), _TOP + (place // 2) * (_HIGH + 90))
        body.append(_panel(rows, facet, agents, at))
    body.append(_legend((_LEFT + 2 * (_WIDE + 80) - 30, _TOP), agents))
    height = _TOP + math.ceil(len(facets) / 2) * (_HIGH + 90)
    title = "F1 by what a document is like"
    return Figure(
        title=title,
        svg=_framed(_LEFT + 2 * (_WIDE + 80) + 220, height, "".join(body), title),
        caption="Means over documents, with 95 % intervals from resampling them.",
    )


def _panel(rows: Sequence[Row], facet: str, agents: Sequence[str], at: Point) -> str:
    columns, means = values_of(rows, facet), by_facet(rows, facet)
    parts = [words((at[0], at[1] - 14), FACETS[facet], size=12.5, weight="600")]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _height(at, tick)
        parts.append(line((at[0], y), (at[0] + _WIDE, y), stroke=FAINT))
        parts.append(words((at[0] - 8, y + 4), f"{tick:.2f}", size=11, fill=SOFT, anchor="end"))
    for place, column in enumerate(columns):
        x = at[0] + _WIDE * (place + 0.5) / len(columns)
        shown = column if len(column) < 18 else f"{column[:16]}…"
        y = at[1] + _HIGH + 18 + (14 if place % 2 and len(columns) > 4 else 0)
        parts.append(words((x, y), shown, size=11, fill=SOFT, anchor="middle"))
    for number, agent in enumerate(agents):
        shift = (number - (len(agents) - 1) / 2) * 7
        points: list[Point] = []
        for place, column in enumerate(columns):
            mean = means.get(agent, {}).get(column)
            if mean is not None and not math.isnan(mean.value):
                x = at[0] + _WIDE * (place + 0.5) / len(columns) + shift
                points.append((x, _height(at, mean.value)))
                parts.append(_whisker(x, at, mean, COLOURS[number]))
        if len(points) > 1 and facet in ORDERS:
            parts.append(polyline(points, stroke=COLOURS[number], width=1.2))
        parts += [tag("circle", cx=x, cy=y, r=4, fill=COLOURS[number]) for x, y in points]
    return "".join(parts)


def _whisker(x: float, at: Point, mean: Interval, colour: str) -> str:
    if math.isnan(mean.low):
        return ""
    return line((x, _height(at, mean.low)), (x, _height(at, mean.high)), stroke=colour, width=1.4)


def _height(at: Point, value: float) -> float:
    return at[1] + _HIGH * (1 - min(max(value, 0.0), 1.0))


def _legend(at: Point, agents: Sequence[str]) -> str:
    parts = []
    for number, agent in enumerate(agents):
        y = at[1] + 18 * number
        parts.append(tag("circle", cx=at[0], cy=y - 4, r=4, fill=COLOURS[number]))
        shown = agent if len(agent) <= 30 else f"{agent[:29]}…"
        parts.append(words((at[0] + 12, y), shown, size=11.5))
    return "".join(parts)


def _framed(width: float, height: float, body: str, title: str) -> str:
    head = words((28, 42), title, size=16, weight="600")
    return drawing(width, height, head + body, title=title, about=title)

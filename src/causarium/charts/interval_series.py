"""Series of means with intervals over columns, their legend, and tables of texts. No benchmark."""

import math
from collections.abc import Iterable, Sequence

from causarium.charts.axes import LETTER, Frame, shorten
from causarium.charts.palette import FAINT, INK, PAPER, SERIES, SOFT, series_colour
from causarium.charts.svg import Point, line, polyline, tag, text
from causarium.scoring.intervals import Interval

MOST_SERIES = 12
"""More series than this are not told apart by anybody."""
LONGEST_NAME = 30


def draw_stacked_names(frame: Frame, names: Sequence[str]) -> str:
    """Draw the names of the columns beneath the frame, on two lines where they have two parts."""
    parts = []
    for place, name in enumerate(names):
        x = frame.column(place, len(names))
        for below, content in enumerate(name.split(", ")):
            y = frame.bottom + 18 + 14 * below
            parts.append(text((x, y), content, size=11, fill=SOFT, anchor="middle"))
    return "".join(parts)


def draw_interval_series(
    frame: Frame, intervals: Sequence[Interval | None], number: int, of: int, *, joined: bool
) -> str:
    """Draw the marks of one series, one a column, with their intervals.

    Series stand a little beside each other, and those of one colour differ in being filled.

    Args:
        frame: Where they stand; its columns are as many as there are intervals.
        intervals: One a column; None where there is none.
        number: Which series it is, counted from 0.
        of: How many series there are.
        joined: Whether a line joins the marks.
    """
    shift = (number - (of - 1) / 2) * min(0.7 / max(of, 1), 0.12)
    points: list[Point] = []
    parts = []
    for place, interval in enumerate(intervals):
        if interval is None or math.isnan(interval.value):
            continue
        x = frame.column(place + shift, len(intervals))
        points.append((x, frame.y(interval.value)))
        if not math.isnan(interval.low):
            ends = (x, frame.y(interval.low)), (x, frame.y(interval.high))
            parts.append(line(*ends, stroke=series_colour(number), width=1.4))
    if joined and len(points) > 1:
        parts.append(polyline(points, stroke=series_colour(number), width=1.2))
    return "".join([*parts, *(draw_series_mark(point, number) for point in points)])


def draw_series_mark(at: Point, number: int, *, radius: float = 4.2) -> str:
    """Draw the mark of a series; after the last colour marks are hollow."""
    colour = series_colour(number)
    fill = colour if number < len(SERIES) else PAPER
    return tag("circle", cx=at[0], cy=at[1], r=radius, fill=fill, stroke=colour, stroke_width=1.6)


def draw_series_legend(at: Point, names: Iterable[str]) -> str:
    """Draw the marks of all series with their names, one a line."""
    parts = []
    for number, name in enumerate(names):
        y = at[1] + 18 * number
        parts.append(draw_series_mark((at[0], y - 4), number))
        parts.append(text((at[0] + 12, y), shorten(name, LONGEST_NAME), size=11.5))
    return "".join(parts)


def draw_text_table(
    at: Point, header: Sequence[str], lines: Sequence[Sequence[str]]
) -> tuple[str, float, float]:
    """Draw a table of texts.

    Returns:
        The table, how wide it is, and how far down it reaches.
    """
    widths = [
        max(len(row[i]) for row in (header, *lines)) * LETTER + 18 for i in range(len(header))
    ]
    parts, y = [], at[1]
    for number, row in enumerate((header, *lines)):
        x = at[0]
        for place, (content, wide) in enumerate(zip(row, widths, strict=True)):
            where = x if place == 0 else x + wide - 18
            anchor = "start" if place == 0 else "end"
            weight, fill = ("600", SOFT) if number == 0 else (None, INK)
            parts.append(
                text((where, y), content, size=11.5, fill=fill, anchor=anchor, weight=weight)
            )
            x += wide
        if number == 0:
            parts.append(line((at[0], y + 7), (at[0] + sum(widths), y + 7), stroke=FAINT))
            y += 6
        y += 18
    return "".join(parts), sum(widths), y

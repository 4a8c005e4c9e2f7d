"""Plain charts: axes, marks with intervals, a legend. Knows numbers and names, not the family."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from causarium.charts.svg import FAINT, PAPER, SOFT, Point, line, polyline, tag, words
from causarium.scoring.intervals import Interval

COLOURS = ("#0b6bb0", "#c2352b", "#2b8a57", "#7a5195", "#c77700", "#0f8b8d", "#5b6470", "#b0447f")
MOST_SERIES = 12
"""More series than this are not told apart by anybody."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a chart stands, and which numbers it spans from bottom to top."""

    left: float
    top: float
    width: float
    height: float
    low: float = 0.0
    high: float = 1.0

    def y(self, value: float) -> float:
        """Return the height at which a value stands."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.top + self.height * (1 - min(max(share, 0.0), 1.0))

    def x(self, place: float, of: int) -> float:
        """Return where the middle of column `place` of `of` stands."""
        return self.left + self.width * (place + 0.5) / max(of, 1)


def colour(number: int) -> str:
    """Return the colour of a series."""
    return COLOURS[number % len(COLOURS)]


def axis(frame: Frame, ticks: Sequence[float], title: str, *, digits: int = 1) -> str:
    """Return lines across the frame with their values, and the title above."""
    parts = [words((frame.left, frame.top - 14), title, size=12.5, weight="600")]
    for tick in ticks:
        y = frame.y(tick)
        parts.append(line((frame.left, y), (frame.left + frame.width, y)))
        label = f"{tick:.{digits}f}"
        parts.append(words((frame.left - 8, y + 4), label, size=11, fill=SOFT, anchor="end"))
    return "".join(parts)


def columns(frame: Frame, names: Sequence[str]) -> str:
    """Return the names of the columns beneath the frame, on two lines where they have two parts."""
    parts = []
    for place, name in enumerate(names):
        at = frame.x(place, len(names))
        for below, text in enumerate(name.split(", ")):
            y = frame.top + frame.height + 18 + 14 * below
            parts.append(words((at, y), text, size=11, fill=SOFT, anchor="middle"))
    return "".join(parts)


def series(
    frame: Frame, intervals: Sequence[Interval | None], number: int, of: int, *, joined: bool
) -> str:
    """Return the marks of one series, one a column, with their intervals.

    Series stand a little beside each other, and those of one colour differ in being filled.
    """
    shift = (number - (of - 1) / 2) * min(0.7 / max(of, 1), 0.12)
    points: list[Point] = []
    parts = []
    for place, interval in enumerate(intervals):
        if interval is None or math.isnan(interval.value):
            continue
        x = frame.x(place + shift, len(intervals))
        points.append((x, frame.y(interval.value)))
        if not math.isnan(interval.low):
            ends = (x, frame.y(interval.low)), (x, frame.y(interval.high))
            parts.append(line(*ends, stroke=colour(number), width=1.4))
    if joined and len(points) > 1:
        parts.append(polyline(points, stroke=colour(number), width=1.2))
    return "".join([*parts, *(mark(point, number) for point in points)])


def mark(at: Point, number: int, *, radius: float = 4.2) -> str:
    """Return the mark of a series."""
    filled = number < len(COLOURS)
    fill = colour(number) if filled else PAPER
    return tag(
        "circle", cx=at[0], cy=at[1], r=radius, fill=fill, stroke=colour(number), stroke_width=1.6
    )


def legend(at: Point, names: Iterable[str]) -> str:
    """Return the marks of all series with their names, one a line."""
    parts = []
    for number, name in enumerate(names):
        y = at[1] + 18 * number
        parts.append(mark((at[0], y - 4), number))
        parts.append(words((at[0] + 12, y), shortened(name), size=11.5))
    return "".join(parts)


def shortened(name: str, most: int = 30) -> str:
    """Return a name that fits a legend."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def table(at: Point, header: Sequence[str], lines: Sequence[Sequence[str]]) -> tuple[str, float]:
    """Return a table of texts, and how far down it reaches."""
    widths = [max(len(row[i]) for row in (header, *lines)) * 6.6 + 18 for i in range(len(header))]
    parts, y = [], at[1]
    for number, row in enumerate((header, *lines)):
        x = at[0]
        for place, (text, wide) in enumerate(zip(row, widths, strict=True)):
            where = x if place == 0 else x + wide - 18
            anchor = "start" if place == 0 else "end"
            weight, fill = ("600", SOFT) if number == 0 else (None, "#1f2933")
            parts.append(
                words((where, y), text, size=11.5, fill=fill, anchor=anchor, weight=weight)
            )
            x += wide
        if number == 0:
            parts.append(line((at[0], y + 7), (at[0] + sum(widths), y + 7), stroke=FAINT))
            y += 6
        y += 18
    return "".join(parts), y

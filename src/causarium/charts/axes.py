"""Plain charts: a frame, axes, marks with intervals, bars and a legend. Knows no benchmark."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from causarium.charts.palette import FAINT, INK, LINE, PAPER, SERIES, SOFT, series_colour
from causarium.charts.svg import Point, line, polyline, tag, text
from causarium.scoring.intervals import Interval

MOST_SERIES = 12
"""More series than this are not told apart by anybody."""
LONGEST_NAME = 30
LETTER = 6.6
"""How wide a letter of the size 12 is, on average."""
NOTE_SIZE = 11
SHAPES = ("circle", "square", "diamond", "up", "cross", "down")
"""Marks differ in shape as well as in colour."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a chart stands on paper, and which numbers it spans."""

    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)

    @property
    def right(self) -> float:
        """Where the frame ends on the right."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Where the frame ends below."""
        return self.top + self.height

    def x(self, value: float) -> float:
        """Return where a number stands from left to right; outside numbers stand at the edge."""
        return self.left + self.width * _share(value, self.x_range)

    def y(self, value: float) -> float:
        """Return where a number stands from bottom to top; outside numbers stand at the edge."""
        return self.bottom - self.height * _share(value, self.y_range)

    def row(self, number: float, rows: int) -> float:
        """Return the middle of a row, counted from the top."""
        return self.top + self.height * (number + 0.5) / max(rows, 1)

    def column(self, number: float, columns: int) -> float:
        """Return the middle of a column, counted from the left."""
        return self.left + self.width * (number + 0.5) / max(columns, 1)


def _share(value: float, span: tuple[float, float]) -> float:
    low, high = span
    return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5


def choose_ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Return round numbers between two numbers, about `count` of them.

    Example:
        >>> choose_ticks(0, 1), choose_ticks(0, 37)
        ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 10.0, 20.0, 30.0])
    """
    if not high > low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * size for size in (1, 2, 5, 10) if power * size >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(step * number, 12) for number in range(first, last + 1)]


def draw_x_axis(frame: Frame, ticks: Sequence[float], *, title: str = "") -> str:
    """Draw lines up and down with their values below, and the title under them."""
    parts = []
    for tick in ticks:
        x = frame.x(tick)
        parts.append(line((x, frame.top), (x, frame.bottom)))
        parts.append(text((x, frame.bottom + 16), f"{tick:g}", fill=SOFT, anchor="middle"))
    if title:
        middle = (frame.left + frame.width / 2, frame.bottom + 34)
        parts.append(text(middle, title, fill=SOFT, anchor="middle"))
    return "".join(parts)


def draw_y_axis(frame: Frame, ticks: Sequence[float], *, title: str = "") -> str:
    """Draw lines across with their values on the left, and the title above."""
    parts = [text((frame.left, frame.top - 10), title, fill=SOFT)] if title else []
    for tick in ticks:
        y = frame.y(tick)
        parts.append(line((frame.left, y), (frame.right, y)))
        parts.append(text((frame.left - 8, y + 4), f"{tick:g}", fill=SOFT, anchor="end"))
    return "".join(parts)


def draw_row_names(frame: Frame, names: Sequence[str]) -> str:
    """Draw the names of the rows left of the frame, cut to the room that is there."""
    room = max(int((frame.left - 12) / LETTER), 4)
    return "".join(
        text(
            (frame.left - 10, frame.row(number, len(names)) + 4),
            shorten(name, room),
            anchor="end",
        )
        for number, name in enumerate(names)
    )


def draw_column_names(frame: Frame, names: Sequence[str]) -> str:
    """Draw the names of the columns below the frame, cut to the room that is there."""
    room = max(int(frame.width / max(len(names), 1) / LETTER), 3)
    return "".join(
        text(
            (frame.column(number, len(names)), frame.bottom + 16),
            shorten(name, room),
            fill=SOFT,
            anchor="middle",
        )
        for number, name in enumerate(names)
    )


def draw_mark(
    at: Point, *, colour: str, shape: str = "circle", radius: float = 4.5, about: str = ""
) -> str:
    """Draw one filled mark; a diamond for a published value is drawn by `draw_diamond`."""
    x, y = at
    if shape == "circle":
        title = tag("title", escape(about)) if about else ""
        return tag("circle", title, cx=x, cy=y, r=radius, fill=colour)
    if shape == "square":
        side = 1.7 * radius
        return tag("rect", x=x - side / 2, y=y - side / 2, width=side, height=side, fill=colour)
    if shape == "cross":
        ends = ((-1, -1, 1, 1), (-1, 1, 1, -1))
        size = 0.8 * radius
        return "".join(
            line((x + a * size, y + b * size), (x + c * size, y + d * size), stroke=colour, width=3)
            for a, b, c, d in ends
        )
    corners = {
        "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        "up": ((0, -1.2), (1.2, 1), (-1.2, 1)),
        "down": ((0, 1.2), (1.2, -1), (-1.2, -1)),
    }[shape]
    points = " ".join(f"{x + a * radius:.1f},{y + b * radius:.1f}" for a, b in corners)
    return tag("polygon", points=points, fill=colour)


def draw_diamond(at: Point, *, colour: str, radius: float = 5) -> str:
    """Draw the hollow diamond of a published value."""
    x, y = at
    corners = ((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y))
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return tag("polygon", points=points, fill=PAPER, stroke=colour, stroke_width=1.6)


def draw_references(frame: Frame, values: Sequence[tuple[float, str]]) -> str:
    """Draw dashed lines up and down, each named above the frame; near ones share a name."""
    named: list[tuple[float, str]] = []
    for value, name in sorted(values):
        if named and frame.x(value) - frame.x(named[-1][0]) < 8 * LETTER:
            named[-1] = (named[-1][0], f"{named[-1][1]}, {name}")
        else:
            named.append((value, name))
    lines = [
        line((frame.x(v), frame.top), (frame.x(v), frame.bottom), stroke=LINE, dash="2 3")
        for v, _ in values
    ]
    names = [
        text((frame.x(v), frame.top - 5), name, size=NOTE_SIZE, fill=SOFT, anchor="middle")
        for v, name in named
    ]
    return "".join([*lines, *names])


def draw_legend(
    at: Point, entries: Sequence[tuple[str, str, str]], *, width: float
) -> tuple[str, float]:
    """Draw marks with names beside each other, on as many lines as they take.

    Args:
        at: The top left corner.
        entries: Name, colour and shape of each series.
        width: How far to the right a line may reach.

    Returns:
        The legend, and how much height it takes.
    """
    parts, x, y = [], at[0], at[1] + 12
    for name, colour, shape in entries:
        label = shorten(name, 40)
        wide = LETTER * len(label) + 30
        if x > at[0] and x + wide > at[0] + width:
            x, y = at[0], y + 18
        parts.append(draw_mark((x + 5, y - 4), colour=colour, shape=shape))
        parts.append(text((x + 15, y), label, fill=INK))
        x += wide
    return "".join(parts), y - at[1] + 10


def draw_bar(at: Point, width: float, height: float, *, colour: str, about: str) -> str:
    """Draw one part of a bar, which says what it is where it is pointed at."""
    return tag(
        "rect",
        tag("title", about),
        x=at[0],
        y=at[1],
        width=max(width, 0.0),
        height=height,
        fill=colour,
        stroke=FAINT,
        stroke_width=0.5,
    )


def shorten(name: str, most: int) -> str:
    """Return a name of at most so many letters.

    Example:
        >>> shorten("scientist", 6)
        'scien…'
    """
    return name if len(name) <= most else f"{name[: most - 1]}…"


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


def draw_series_mark(at: Point, number: int) -> str:
    """Draw the mark of a series; after the last colour marks are hollow."""
    colour = series_colour(number)
    fill = colour if number < len(SERIES) else PAPER
    return tag("circle", cx=at[0], cy=at[1], r=4.2, fill=fill, stroke=colour, stroke_width=1.6)


def draw_series_legend(at: Point, names: Iterable[str]) -> str:
    """Draw the marks of all series with their names, one a line."""
    parts = []
    for number, name in enumerate(names):
        y = at[1] + 18 * number
        parts.append(draw_series_mark((at[0], y - 4), number))
        parts.append(text((at[0] + 12, y), shorten(name, LONGEST_NAME), size=11.5))
    return "".join(parts)

"""A few numbers over the turns of an episode, and where the replay stands."""

import math
from collections.abc import Sequence

from causarium.charts.palette import ACCENT, BAD, INK, SERIES, SOFT
from causarium.charts.svg import Point, line, make_svg, polyline, tag, text
from causarium.contract.frozen import Numbers

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560.0, 170.0, 40.0, 150.0, 16.0, 26.0
LINES = ((ACCENT, ""), (BAD, "7 3"), (SERIES[2], "2 3"), (SERIES[4], "9 3 2 3"))
"""Colour and stroke: a line is told by both."""

Series = tuple[str, list[float]]


def draw_trace(trace: Sequence[Numbers], names: Sequence[str], turn: int) -> str:
    """Draw at most four named numbers over the turns; nothing where there is nothing to draw."""
    series: list[Series] = [
        (name, [float(numbers.get(name, math.nan)) for numbers in trace]) for name in names
    ]
    series = [line for line in series if any(map(math.isfinite, line[1]))]
    # Shares and counts do not fit one scale; where there are shares, they are what is asked for.
    series = ([line for line in series if _is_share(line[1])] or series)[: len(LINES)]
    if len(trace) < 2 or not series:
        return ""
    paper = _Paper(len(trace), [value for _, values in series for value in values])
    body = [paper.frame(turn)]
    body += [paper.curve(line, at) for at, line in enumerate(series)]
    about = ", ".join(name for name, _ in series)
    return make_svg(WIDTH, HEIGHT, "".join(body), title="Numbers over the turns", about=about)


def _is_share(values: Sequence[float]) -> bool:
    return all(0 <= value <= 1 for value in values if math.isfinite(value))


class _Paper:
    """Turns to the right, values upwards."""

    def __init__(self, turns: int, values: Sequence[float]) -> None:
        finite = [value for value in values if math.isfinite(value)]
        self._turns = turns
        self._low, self._high = min(0.0, *finite), max(1.0, *finite)

    def locate(self, turn: int, value: float) -> Point:
        x = LEFT + (WIDTH - LEFT - RIGHT) * (turn - 1) / (self._turns - 1)
        up = (self._high - value) / (self._high - self._low)
        return x, TOP + (HEIGHT - TOP - BOTTOM) * up

    def frame(self, turn: int) -> str:
        marks = []
        for value in (self._low, self._high):
            y = self.locate(1, value)[1]
            marks.append(line((LEFT, y), (WIDTH - RIGHT, y)))
            marks.append(text((LEFT - 6, y + 4), f"{value:g}", size=11, fill=SOFT, anchor="end"))
        if 1 <= turn <= self._turns:
            x = self.locate(turn, 0)[0]
            marks.append(line((x, TOP), (x, HEIGHT - BOTTOM), stroke=INK, dash="3 3"))
        marks.append(text((LEFT, HEIGHT - 6), "turn 1", size=11, fill=SOFT))
        last = f"turn {self._turns}"
        marks.append(text((WIDTH - RIGHT, HEIGHT - 6), last, size=11, fill=SOFT, anchor="end"))
        return "".join(marks)

    def curve(self, series: Series, number: int) -> str:
        (name, values), (colour, dash) = series, LINES[number]
        points = [
            self.locate(turn, value) for turn, value in enumerate(values, 1) if math.isfinite(value)
        ]
        marks = [polyline(points, stroke=colour, dash=dash)]
        marks += [tag("circle", cx=x, cy=y, r=2.2, fill=colour) for x, y in points]
        x, y = WIDTH - RIGHT + 14, TOP + 8 + number * 18
        marks.append(line((x, y), (x + 24, y), stroke=colour, width=2.2, dash=dash))
        marks.append(text((x + 30, y + 4), name[:18], size=11))
        return "".join(marks)

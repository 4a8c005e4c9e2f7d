"""Charts with a row a name and a mark for each series."""

import math
from collections.abc import Callable, Sequence
from statistics import fmean

from causarium.charts.axes import (
    SHAPES,
    Frame,
    draw_legend,
    draw_mark,
    draw_references,
    draw_row_names,
)
from causarium.charts.palette import SERIES
from causarium.charts.svg import make_svg, text
from causarium.contract.row import Row, mean_per_instance
from causarium.contract.views.figure import Figure

LEFT, TOP, ROW, WIDE = 330.0, 84.0, 24.0, 420.0
LOW = -1.5
"""What lies further to the left stands at the edge."""


def select_rows(rows: Sequence[Row], number: str) -> list[Row]:
    """Return the rows that have a number."""
    return [row for row in rows if not math.isnan(row.numbers.get(number, math.nan))]


def average(rows: Sequence[Row], number: str) -> float:
    """Return the mean of a number over instances; nan if no row has it."""
    values = [v for v in mean_per_instance(rows, number).values() if not math.isnan(v)]
    return fmean(values) if values else math.nan


def frame_rows(rows: int, low: float) -> Frame:
    """Return the frame of a chart with so many rows."""
    return Frame(LEFT, TOP, WIDE, ROW * rows, x_range=(low, 1.0))


def draw_marks(
    title: str,
    names: Sequence[str],
    series: Sequence[str],
    find_value: Callable[[str, str], float],
    references: Sequence[tuple[float, str]],
    caption: str,
) -> Figure:
    """Draw a row a name, with a mark for each series; what lies too far left stands at the edge."""
    frame = frame_rows(len(names), LOW if references[0][0] < 0 else 0.0)
    body = [text((28, 34), title, size=17, weight="600"), draw_row_names(frame, names)]
    body.append(draw_references(frame, references))
    looks = [(SERIES[n % len(SERIES)], SHAPES[n % len(SHAPES)]) for n in range(len(series))]
    for place, name in enumerate(names):
        for one, (colour, shape) in zip(series, looks, strict=True):
            value = find_value(name, one)
            if not math.isnan(value):
                at = frame.x(value), frame.row(place, len(names))
                body.append(draw_mark(at, colour=colour, shape=shape))
    entries = [(one, *look) for one, look in zip(series, looks, strict=True)]
    legend, high = draw_legend((28, frame.bottom + 14), entries, width=LEFT + WIDE)
    about = f"{title}: {len(names)} rows, {len(series)} marks each."
    height = frame.bottom + high + 30
    whole = "".join([*body, legend])
    svg = make_svg(LEFT + WIDE + 60, height, whole, title=title, about=about)
    return Figure(title=title, svg=svg, caption=caption)

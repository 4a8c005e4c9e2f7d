"""A published table as data and as a drawing, with numbers of one's own beside it.

Each line of a table is a curve where what stands across is numbers, such as turns or sizes; else it
is a row, and what stands across are its marks. The paper's marks are hollow.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path

from causarium.charts.axes import (
    LETTER,
    Frame,
    choose_ticks,
    draw_diamond,
    draw_legend,
    draw_mark,
    draw_row_names,
    draw_x_axis,
    draw_y_axis,
)
from causarium.charts.palette import series_colour
from causarium.charts.svg import Point, line, make_standalone, make_svg, polyline, text
from causarium.contract.places import write_atomically
from causarium.contract.views.figure import Figure
from causarium.published import Cell, Grid, PublishedRow, Table, grid
from causarium.report.output.print_reproduction import OWN, describe_numbers


def write_table(table: Table, own: Sequence[PublishedRow], out: Path) -> tuple[Path, Path]:
    """Write a table as data and as a drawing; returns the two files.

    Raises:
        BadFile: A file cannot be written there.
    """
    name = f"{table.family}-{table.name.replace(' ', '-').lower()}"
    data, drawing = out / f"{name}.json", out / f"{name}.svg"
    numbers = describe_numbers(table, own)
    write_atomically(data, f"{json.dumps(numbers, indent=1, ensure_ascii=False)}\n")
    write_atomically(drawing, make_standalone(draw_table(table, own).svg))
    return data, drawing


_WIDE, _ROW, _TOP = 560.0, 19.0, 58.0
_MOST_CURVES = 16
_MOST_POINTS = 400


def draw_table(table: Table, own: Sequence[PublishedRow] = ()) -> Figure:
    """Draw a table or a figure of a paper.

    Args:
        table: The table.
        own: Numbers of one's own, as rows of it.
    """
    shape = grid(table, own, most_columns=_MOST_POINTS)
    numeric = all(_is_number(column) for column in shape.columns)
    curved = numeric and len(shape.columns) > 1 and len(shape.lines) <= _MOST_CURVES
    names = [" · ".join(part for part in side if part) for side, _ in shape.lines]
    frame, body = (_draw_curves if curved else _draw_rows)(shape, names)
    entries = [
        (name, series_colour(number), "circle")
        for number, name in enumerate(names if curved else shape.columns)
    ]
    legend, tall = draw_legend((frame.left, frame.bottom + 30), entries, width=_WIDE)
    title = f"{table.family}, {table.name}"
    head = text((20, 26), f"{title}: {table.about}", size=14, weight="600")
    wide = max(frame.left + _WIDE + 30, LETTER * 1.35 * len(f"{title}: {table.about}") + 40)
    about = f"{len(shape.lines)} lines of {len(shape.columns)} columns."
    drawn, height = "".join([head, *body, legend]), frame.bottom + tall + 50
    return Figure(
        title=title,
        svg=make_svg(wide, height, drawn, title=title, about=about),
        caption=f"{table.note} The paper's numbers are hollow, one's own are filled.".strip(),
    )


def _is_number(column: str) -> bool:
    try:
        float(column)
    except ValueError:
        return False
    return True


def _draw_rows(shape: Grid, names: Sequence[str]) -> tuple[Frame, list[str]]:
    left = max(map(len, names), default=0) * LETTER + 30
    frame = Frame(left, _TOP, _WIDE, _ROW * max(len(names), 1), x_range=_span(shape))
    body = [draw_x_axis(frame, choose_ticks(*frame.x_range)), draw_row_names(frame, names)]
    for number, (side, cells) in enumerate(shape.lines):
        y = frame.row(number, len(names))
        for place, column in enumerate(shape.columns):
            if (cell := cells.get(column)) is not None:
                ends = [(frame.x(end), y) for end in (cell.low, cell.high) if end is not None]
                body.append(_draw_cell((frame.x(cell.value), y), ends, place, side[0]))
    return frame, body


def _draw_curves(shape: Grid, _: Sequence[str]) -> tuple[Frame, list[str]]:
    places = [float(column) for column in shape.columns]
    frame = Frame(60, _TOP + 10, _WIDE, 280, (min(places), max(places)), _span(shape))
    body = [
        draw_y_axis(frame, choose_ticks(*frame.y_range), title=shape.common.get("metric", "")),
        draw_x_axis(frame, choose_ticks(*frame.x_range)),
    ]
    for number, (side, cells) in enumerate(shape.lines):
        points: list[Point] = []
        for column, cell in sorted(cells.items(), key=lambda item: float(item[0])):
            x = frame.x(float(column))
            ends = [(x, frame.y(end)) for end in (cell.low, cell.high) if end is not None]
            points.append((x, frame.y(cell.value)))
            body.append(_draw_cell(points[-1], ends, number, side[0]))
        dash = "" if side[0].startswith(OWN) else "4 3"
        body.append(polyline(points, stroke=series_colour(number), width=1.2, dash=dash))
    return frame, body


def _draw_cell(at: Point, ends: Sequence[Point], number: int, agent: str) -> str:
    colour = series_colour(number)
    span = line(ends[0], ends[1], stroke=colour, width=1.4) if len(ends) > 1 else ""
    draw = draw_mark if agent.startswith(OWN) else draw_diamond
    return span + draw(at, colour=colour)


def _span(shape: Grid) -> tuple[float, float]:
    cells: list[Cell] = [cell for _, found in shape.lines for cell in found.values()]
    ends = [end for cell in cells for end in (cell.value, cell.low, cell.high) if end is not None]
    ends = [end for end in ends if math.isfinite(end)]
    return (min([0.0, *ends]), max([0.0, *ends]) or 1.0)

"""The papers' tables in a terminal, and how to play them again: at what cost, with what result.

In a drawing of a table each line is a curve where what stands across is numbers, such as turns or
sizes; else it is a row, and what stands across are its marks. The paper's marks are hollow.
"""

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Printed
from rich.text import Text

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
from causarium.engine.gate import AGENT
from causarium.engine.run.estimate import (
    CHARS_A_TOKEN,
    HELPER_REPLY,
    NOTHING,
    WORDS_AROUND,
    Estimate,
    Range,
    shorten_count,
)
from causarium.published import Cell, Grid, PublishedRow, Table, grid, play_settings, rows

OWN = "yours: "
"""What the name of one's own agent begins with."""
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


_TOKENS = ("input tokens", "cacheable", "output tokens")
"""Columns for a wide table; without them it fits 80 columns."""


def describe_estimates(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Return what runs would take as `run --dry-run --json` prints it, all together last."""
    runs = [{**run.model_dump(mode="json"), "samples": run.samples} for run in estimates]
    total = {"samples": sum(run.samples for run in estimates), **_add_up(estimates).model_dump()}
    costs = dict(zip(("cost", "likely_cost"), _add_costs(estimates), strict=True))
    return {"runs": runs, "total": {**total, **costs}}


def print_estimates(estimates: Sequence[Estimate], *, wide: bool = False) -> None:
    """Print what runs would take, all together last, and how that was found.

    Args:
        estimates: One for each run.
        wide: Whether to print tokens too.
    """
    table = Printed(box=None, pad_edge=False)
    for name in ("run", "samples", "calls", *(_TOKENS if wide else ()), "US $", "likely US $"):
        table.add_column(name, justify="left" if name == "run" else "right", no_wrap=True)
    for run in estimates:
        for role, taken in run.taken.items():
            agent = role == AGENT
            name = f"{run.family}, {run.set}" if agent else f"  {role}"
            costs = _format_costs(run.cost, run.likely_cost) if agent else ("", "")
            table.add_row(
                name, f"{run.samples:,}" if agent else "", *_cells(taken, wide=wide), *costs
            )
        if not run.taken:
            nothing = ("0" for _ in table.columns[2:])
            table.add_row(f"{run.family}, {run.set}", f"{run.samples:,}", *nothing)
    if len(estimates) > 1:
        samples = sum(run.samples for run in estimates)
        costs = _format_costs(*_add_costs(estimates))
        table.add_row("total", f"{samples:,}", *_cells(_add_up(estimates), wide=wide), *costs)
    # A narrow terminal breaks the lines of a wide table itself, and no cell is cut short.
    Console(width=200).print(table)
    sys.stderr.write(f"{_explain(estimates)}\n")


def _add_up(estimates: Sequence[Estimate]) -> Range:
    return sum((taken for run in estimates for taken in run.taken.values()), NOTHING)


def _add_costs(
    estimates: Sequence[Estimate],
) -> tuple[tuple[float, float] | None, float | None]:
    """Return least and most, and the likely cost, of all runs; None where one is unknown."""
    costs = [run.cost for run in estimates if run.cost is not None]
    likely = [run.likely_cost for run in estimates if run.likely_cost is not None]
    low, high = sum(cost[0] for cost in costs), sum(cost[1] for cost in costs)
    return (
        (low, high) if len(costs) == len(estimates) else None,
        sum(likely) if len(likely) == len(estimates) else None,
    )


def _cells(taken: Range, *, wide: bool) -> list[str]:
    names = ("calls", "input", "cached", "output") if wide else ("calls",)
    pairs = [(getattr(taken.low, name), getattr(taken.high, name)) for name in names]
    return [f"{shorten_count(low)} – {shorten_count(high)}" for low, high in pairs]


def _format_costs(cost: tuple[float, float] | None, likely: float | None) -> tuple[str, str]:
    whole = f"{cost[0]:,.2f} – {cost[1]:,.2f}" if cost else "unknown"
    return whole, "unknown" if likely is None else f"{likely:,.2f}"


def _explain(estimates: Sequence[Estimate]) -> str:
    played = sum(run.played for run in estimates)
    lines = [
        "Least: the shortest episode of a reference player, with bare moves for replies.",
        "Most: an episode that goes on until the world ends it, with "
        f"{WORDS_AROUND} tokens of text around each move.",
        f"Likely: the causal reference player's episode, with {WORDS_AROUND} tokens around each "
        "move, and a provider's cache where it has one.",
        f"All use the real prompts and observations of {played} instances. Assumes "
        f"{CHARS_A_TOKEN} characters per token (rough) and {HELPER_REPLY} tokens per reply of a "
        "helper model.",
        "No model was called.",
    ]
    if missing := sorted({role for run in estimates for role in run.unpriced}):
        how = " ".join(f"--price {'' if role == AGENT else f'{role}='}IN,OUT" for role in missing)
        lines.append(f"Price unknown: give {how}, in US dollars per million tokens.")
    return "\n".join(lines)


ANEW = (
    "Drawn anew, by the published recipe and in the published sizes: {}. Compare within intervals."
)
RELEASED = "The instances are those of the release."
ELSEWHERE = (
    "The published instances are not part of this package; the estimate is of as many of our own."
)
UNTOLD = "None of its lines can be told apart in these runs; `causarium report` has their numbers."


def describe_tables(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """Return the tables there are as data, with the runs of each."""
    return [
        {
            **table.model_dump(mode="json", exclude={"plays"}),
            "runs": [setting.model_dump(mode="json") for setting in play_settings(table)],
        }
        for table in tables
    ]


def print_tables(tables: Sequence[Table]) -> None:
    """Print the tables there are, with the number of runs that give each anew."""
    printed = Printed(box=None, pad_edge=False)
    for name in ("family", "table", "runs", "about"):
        printed.add_column(name, justify="right" if name == "runs" else "left")
    for table in tables:
        runs = len({setting.run for setting in play_settings(table)})
        printed.add_row(*map(Text, (table.family, table.name, str(runs or "–"), table.about)))
    Console(width=140).print(printed)


def describe_plan(
    table: Table,
    commands: Sequence[str],
    estimates: Sequence[Estimate],
    own: Sequence[PublishedRow] = (),
    drawn: Sequence[str] = (),
) -> dict[str, Any]:
    """Return how a table is played again, as data.

    Args:
        table: The table.
        commands: What to type.
        estimates: What each run takes.
        own: The numbers of our own instances, where the table is about instances.
        drawn: The sets that are drawn anew.
    """
    return {
        **describe_tables([table])[0],
        "commands": list(commands),
        "drawn_anew": list(drawn),
        "published": [row.model_dump(mode="json") for row in rows(table.family, table.name)],
        "own": [row.model_dump(mode="json") for row in own],
        "estimate": describe_estimates(estimates),
    }


def print_plan(
    table: Table,
    commands: Sequence[str],
    estimates: Sequence[Estimate],
    own: Sequence[PublishedRow] = (),
    drawn: Sequence[str] = (),
) -> None:
    """Print a table, the commands that play it again, and what they take.

    Args:
        table: The table.
        commands: What to type.
        estimates: What each run takes.
        own: The numbers of our own instances, where the table is about instances.
        drawn: The sets that are drawn anew.
    """
    print_grid(grid(table, own))
    console = Console(soft_wrap=True)
    if not commands:
        console.print(Text("It is about no agent's play, so there is nothing to run."))
        return
    console.print(Text("To play it again:", style="bold"))
    for command in commands:
        console.print(Text(f"  {command}"))
    apart = any(setting.file for setting in play_settings(table))
    anew = ANEW.format(", ".join(drawn)) if drawn else RELEASED
    console.print(Text(f"{ELSEWHERE if apart and drawn else anew}\n"))
    print_estimates(estimates)


def describe_numbers(table: Table, own: Sequence[PublishedRow]) -> list[dict[str, Any]]:
    """Return the numbers of a table as data, one's own last.

    Args:
        table: The table.
        own: The numbers of one's own, as rows of it.
    """
    return [row.model_dump(mode="json") for row in (*rows(table.family, table.name), *own)]


def write_table(table: Table, own: Sequence[PublishedRow], out: Path) -> tuple[Path, Path]:
    """Write a table as data and as a drawing; returns the two files.

    Args:
        table: The table.
        own: Numbers of one's own, as rows of it.
        out: The folder.

    Raises:
        BadFile: A file cannot be written there.
    """
    name = f"{table.family}-{table.name.replace(' ', '-').lower()}"
    data, drawing = out / f"{name}.json", out / f"{name}.svg"
    numbers = describe_numbers(table, own)
    write_atomically(data, f"{json.dumps(numbers, indent=1, ensure_ascii=False)}\n")
    write_atomically(drawing, make_standalone(draw_table(table, own).svg))
    return data, drawing


def print_beside(table: Table, own: Sequence[PublishedRow]) -> None:
    """Print a table with numbers of one's own below the published ones.

    Args:
        table: The table.
        own: The numbers of one's own, as rows of it.
    """
    print_grid(grid(table, own))
    counts = dict.fromkeys(f"{row.agent}, n = {row.n}" for row in own)
    Console(soft_wrap=True).print(Text("; ".join(counts) if own else UNTOLD))


def print_grid(grid: Grid) -> None:
    """Print one table of a paper in the paper's own shape, with its caveats."""
    console = Console()
    source = grid.table
    console.print(Text(f"{source.family}, {source.name}: {source.about}", style="bold"))
    if source.note:
        console.print(Text(f"Note: {source.note}"))
    if grid.common:
        console.print(Text(", ".join(f"{key}: {value}" for key, value in grid.common.items())))
    table = Printed(show_edge=False)
    for name in grid.sides:
        table.add_column(Text(name))
    for column in grid.columns:
        table.add_column(Text(column), justify="right")
    for side, cells in grid.lines:
        numbers = []
        for column in grid.columns:
            cell = cells.get(column)
            marks = "".join(f" [{number}]" for number in cell.notes) if cell else ""
            numbers.append(Text(f"{cell}{marks}" if cell else "–"))
        table.add_row(*map(Text, side), *numbers)
    # Without a terminal nothing is cut: a table as wide as it needs to be can be read by a program.
    wide = console.measure(table, options=console.options.update(max_width=10_000)).maximum
    printer = console if console.is_terminal else Console(width=max(wide, 80))
    printer.print(table)
    for number, note in enumerate(grid.notes, 1):
        console.print(Text(f"[{number}] {note}"))
    console.print()

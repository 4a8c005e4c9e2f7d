"""The papers' tables in a terminal, and how to play them again: at what cost, with what result."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Printed
from rich.text import Text

from causarium.charts.svg import make_standalone
from causarium.contract.places import write_atomically
from causarium.engine.run.estimate import Estimate
from causarium.published import Grid, PublishedRow, Table, grid, play_settings, rows
from causarium.report.figures.published_chart import draw_table
from causarium.report.output.print_estimate import describe_estimates, print_estimates

ANEW = (
    "The sets have the published sizes; what is drawn is drawn anew, by the published recipe, so "
    "compare within intervals."
)
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
        runs = len(play_settings(table))
        printed.add_row(*map(Text, (table.family, table.name, str(runs or "–"), table.about)))
    Console(width=140).print(printed)


def describe_plan(
    table: Table,
    commands: Sequence[str],
    estimates: Sequence[Estimate],
    own: Sequence[PublishedRow] = (),
) -> dict[str, Any]:
    """Return how a table is played again, as data.

    Args:
        table: The table.
        commands: What to type.
        estimates: What each run takes.
        own: The numbers of our own instances, where the table is about instances.
    """
    return {
        **describe_tables([table])[0],
        "commands": list(commands),
        "published": [row.model_dump(mode="json") for row in rows(table.family, table.name)],
        "own": [row.model_dump(mode="json") for row in own],
        "estimate": describe_estimates(estimates),
    }


def print_plan(
    table: Table,
    commands: Sequence[str],
    estimates: Sequence[Estimate],
    own: Sequence[PublishedRow] = (),
) -> None:
    """Print a table, the commands that play it again, and what they take.

    Args:
        table: The table.
        commands: What to type.
        estimates: What each run takes.
        own: The numbers of our own instances, where the table is about instances.
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
    console.print(Text(f"{ELSEWHERE if apart else ANEW}\n"))
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
    numbers = json.dumps(describe_numbers(table, own), indent=1, ensure_ascii=False)
    write_atomically(data, f"{numbers}\n")
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

"""The papers' tables in a terminal, and how to play them again: at what cost, with what result."""

import sys
from collections.abc import Sequence
from datetime import timedelta
from math import ceil
from typing import Any

from rich.console import Console
from rich.table import Table as Printed
from rich.text import Text

from causarium.engine.gate import AGENT
from causarium.engine.run.estimate import (
    AT_ONCE,
    CHARS_A_TOKEN,
    HELPER_REPLY,
    NOTHING,
    TOKENS_A_SECOND,
    WORDS_AROUND,
    Estimate,
    Range,
    shorten_count,
)
from causarium.published import Grid, PublishedRow, Table, grid, play_settings, rows

OWN = "yours: "
"""What the name of one's own agent begins with."""
_TOKENS = ("input tokens", "cacheable", "output tokens")
"""Columns for a wide table; without them it fits 80 columns."""


def describe_estimates(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Return what runs would take as `run --dry-run --json` prints it, all together last."""
    runs = [
        {**run.model_dump(mode="json"), "samples": run.samples, "seconds": run.seconds}
        for run in estimates
    ]
    total = {"samples": sum(run.samples for run in estimates), **_add_up(estimates).model_dump()}
    costs = dict(zip(("cost", "likely_cost"), _add_costs(estimates), strict=True))
    return {"runs": runs, "total": {**total, **costs, "seconds": _add_times(estimates)}}


def print_estimates(estimates: Sequence[Estimate], *, wide: bool = False) -> None:
    """Print what runs would take, all together last, and how that was found; `wide`: tokens too."""
    table = Printed(box=None, pad_edge=False)
    for name in ("run", "samples", "calls", *(_TOKENS if wide else ()), "US $", "likely US $"):
        table.add_column(name, justify="left" if name == "run" else "right", no_wrap=True)
    several = len({run.agent for run in estimates}) > 1
    for run in estimates:
        title = f"{run.family}, {run.set}{f', {run.agent}' if several else ''}"
        for role, taken in run.taken.items():
            agent = role == AGENT
            name = title if agent else f"  {role}"
            costs = _format_costs(run.cost, run.likely_cost) if agent else ("", "")
            table.add_row(
                name, f"{run.samples:,}" if agent else "", *_cells(taken, wide=wide), *costs
            )
        if not run.taken:
            nothing = ("0" for _ in table.columns[2:])
            table.add_row(title, f"{run.samples:,}", *nothing)
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


def _add_times(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """Return the least and most seconds of runs one after another."""
    low, high = zip(*(run.seconds for run in estimates), strict=True)
    return sum(low), sum(high)


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
    if (everything := _add_up(estimates)).high.calls:
        read, written = _cells(everything, wide=True)[1::2]
        least, most = (timedelta(seconds=ceil(seconds)) for seconds in _add_times(estimates))
        lines.insert(
            0,
            f"Tokens in all: {read} in, {written} out. Time, roughly: {least} to {most}, one run "
            f"after another, with a second for each call and {TOKENS_A_SECOND} tokens a second, "
            f"{AT_ONCE} calls at once or --max-connections.",
        )
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
    """Return how a table is played again, as data; `own`: the numbers of our own instances."""
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
    """Print a table, the commands that play it again, and what they take."""
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
    """Return the numbers of a table as data, one's own last."""
    return [row.model_dump(mode="json") for row in (*rows(table.family, table.name), *own)]


def print_beside(table: Table, own: Sequence[PublishedRow]) -> None:
    """Print a table with numbers of one's own below the published ones."""
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

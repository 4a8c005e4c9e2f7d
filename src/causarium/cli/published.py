"""`causarium published`: the papers' numbers."""

from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.shared import AsJson, print_json
from causarium.errors import UnknownName

if TYPE_CHECKING:
    from causarium.published import Grid, Table


def published(
    family: Annotated[str | None, typer.Argument(metavar="[FAMILY]", help="Only these.")] = None,
    *,
    table: Annotated[
        str | None, typer.Option(help="Only this table: 7, or 'Table 7', or 'Figure 3'.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Print the result tables of the papers, with what to bear in mind about them."""
    from causarium import published as papers

    names = [family] if family else papers.families()
    tables = [one for name in names for one in papers.tables(name) if _meant(one, table)]
    if not tables:
        known = dict.fromkeys(one.name for name in names for one in papers.tables(name))
        raise UnknownName("table", str(table), known)
    if json:
        rows = [row for one in tables for row in papers.rows(one.family, one.name)]
        print_json([row.model_dump(mode="json") for row in rows])
        return
    for one in tables:
        _print(papers.grid(one))


def _meant(table: "Table", wanted: str | None) -> bool:
    if wanted is None:
        return True
    return wanted.casefold() in {table.name.casefold(), table.name.casefold().partition(" ")[2]}


def _print(grid: "Grid") -> None:
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    console = Console()
    table = grid.table
    console.print(Text(f"{table.family}, {table.name}: {table.about}", style="bold"))
    if table.note:
        console.print(Text(f"Bear in mind: {table.note}"))
    if grid.common:
        console.print(Text(", ".join(f"{key}: {value}" for key, value in grid.common.items())))
    drawn = Drawn(show_edge=False)
    for name in grid.sides:
        drawn.add_column(Text(name))
    for column in grid.columns:
        drawn.add_column(Text(column), justify="right")
    for side, cells in grid.lines:
        numbers = []
        for column in grid.columns:
            cell = cells.get(column)
            marks = "".join(f" [{at}]" for at in cell.notes) if cell else ""
            numbers.append(Text(f"{cell}{marks}" if cell else "–"))
        drawn.add_row(*map(Text, side), *numbers)
    # Without a terminal nothing is cut: a table as wide as it needs to be can be read by a program.
    wide = console.measure(drawn, options=console.options.update(max_width=10_000)).maximum
    printer = console if console.is_terminal else Console(width=max(wide, 80))
    printer.print(drawn)
    for at, note in enumerate(grid.notes, 1):
        console.print(Text(f"[{at}] {note}"))
    console.print()

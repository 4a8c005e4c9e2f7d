"""The papers' tables in a terminal."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from causarium.published import Grid


def print_grid(grid: Grid) -> None:
    """Print one table of a paper in the paper's own shape, with its caveats."""
    console = Console()
    source = grid.table
    console.print(Text(f"{source.family}, {source.name}: {source.about}", style="bold"))
    if source.note:
        console.print(Text(f"Note: {source.note}"))
    if grid.common:
        console.print(Text(", ".join(f"{key}: {value}" for key, value in grid.common.items())))
    table = Table(show_edge=False)
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

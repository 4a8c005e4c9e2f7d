"""The audit as a table on the terminal."""

from rich import box
from rich.console import Console
from rich.table import Table

from causarium.players.audit_family import Audit, AuditRow

_ORDER = ("floor", "shortcut", "causal", "oracle")


def print_audit(audit: Audit) -> None:
    """Print each class of players with its bound, then who earned what, floor to oracle."""
    console = Console()
    if audit.classes:
        console.print(_make_class_table(audit))
        for sentence in audit.not_covered:
            console.print(f"Not covered: {sentence}", markup=False)
        console.print()
    table = Table(
        title=f"{audit.family}, certified set {audit.set}", title_justify="left", box=box.SIMPLE
    )
    for column in ("role", "player", "metric"):
        table.add_column(column, overflow="fold")  # On a narrow terminal names break, not numbers.
    for column in ("value", "low", "high", "n", "bound"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in sorted(audit.rows, key=lambda row: (_ORDER.index(row.role), row.metric, row.value)):
        table.add_row(*_cells(row), style=None if row.kept else "bold red")
    console.print(table)
    for text in audit.skipped:
        console.print(f"skipped {text}", markup=False)
    broken = sum(not row.kept for row in audit.rows) + sum(not c.kept for c in audit.classes)
    console.print("All bounds hold." if not broken else f"{broken} bounds are broken.")


def _make_class_table(audit: Audit) -> Table:
    zero = "" if audit.zero is None else f", zero {audit.zero:.3f}"
    table = Table(
        title=f"{audit.family} {audit.version}, certified set {audit.set}: {audit.headline}{zero}",
        title_justify="left",
        box=box.SIMPLE,
    )
    table.add_column("class of players", overflow="fold")
    table.add_column("kind", no_wrap=True)
    for column in ("bound", "best member", "earned", "n"):
        table.add_column(column, justify="right", no_wrap=column != "best member", overflow="fold")
    for row in audit.classes:
        earned = f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
        mark = "" if row.kept else " BROKEN"
        cells = (row.says, row.kind, f"{row.bound:.3f}{mark}", row.best, earned, str(row.n))
        table.add_row(*cells, style=None if row.kept else "bold red")
    return table


def _cells(row: AuditRow) -> tuple[str, ...]:
    bound = "" if row.bound is None else f"{row.bound[0]:.3g}..{row.bound[1]:.3g}"
    mark = "" if row.kept else " BROKEN"
    return (
        row.role,
        row.player,
        row.metric,
        f"{row.value:.3f}",
        f"{row.low:.3f}",
        f"{row.high:.3f}",
        str(row.n),
        f"{bound}{mark}",
    )

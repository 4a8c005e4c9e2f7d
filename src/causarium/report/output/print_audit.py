"""The audit as a table on the terminal."""

from rich import box
from rich.console import Console
from rich.table import Table

from causarium.players.audit_family import Audit, AuditRow

_ORDER = ("floor", "passive", "shortcut", "causal", "oracle")


def print_audit(audit: Audit) -> None:
    """Print who earned what, from the floor to the oracle, and whether the card's bounds hold."""
    table = Table(
        title=f"{audit.family}, certified set {audit.set}", title_justify="left", box=box.SIMPLE
    )
    for column in ("role", "player", "metric"):
        table.add_column(column, overflow="fold")  # On a narrow terminal names break, not numbers.
    for column in ("value", "low", "high", "n", "bound"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in sorted(audit.rows, key=lambda row: (_ORDER.index(row.role), row.metric, row.value)):
        table.add_row(*_cells(row), style=None if row.kept else "bold red")
    console = Console()
    console.print(table)
    for text in audit.skipped:
        console.print(f"skipped {text}", markup=False)
    broken = sum(not row.kept for row in audit.rows)
    console.print("All bounds hold." if not broken else f"{broken} bounds are broken.")


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

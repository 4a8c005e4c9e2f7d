"""The audit on the terminal: classes with their bounds first, then who earned what."""

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from causarium.players.audit_family import Audit, AuditRow

_ORDER = ("floor", "shortcut", "causal", "oracle")


def print_audit(audit: Audit, *, wide: bool = False) -> None:
    """Print each class of players with its bound, then who earned what, floor to oracle.

    Args:
        audit: The audit.
        wide: Whether to print every metric of every player; else the headline and the probes, in 80
            columns.
    """
    console = Console(highlight=False)
    zero = "" if audit.zero is None else f", zero {audit.zero:.3f}"
    head = f"{audit.family} {audit.version}, certified set {audit.set}: {audit.headline}{zero}"
    console.print(Text(head, style="bold"))
    for line in _tell_classes(audit):
        console.print(line)
    for sentence in audit.not_covered:
        console.print(Text(f"Not covered: {sentence}"))
    table = _make_table(audit, wide=wide)
    console.print(table, no_wrap=True, crop=False, soft_wrap=wide)
    for text in audit.skipped:
        console.print(Text(f"skipped {text}"))
    broken = sum(not row.kept for row in audit.rows) + sum(not c.kept for c in audit.classes)
    console.print("All bounds hold." if not broken else f"{broken} bounds are broken.")


def _tell_classes(audit: Audit) -> Iterator[Text]:
    """Yield the sentence of each class, and below it the bound and the best of its members."""
    for row in audit.classes:
        style = "" if row.kept else "bold red"
        yield Text(f"{row.name}: {row.says}", style=style)
        held = "holds" if row.kept else "BROKEN"
        earned = f"{row.best} {row.value:.3f} [{row.low:.3f}, {row.high:.3f}], n {row.n}"
        yield Text(f"  {row.kind}, at most {row.bound:.3f}, {held}; {earned}", style=style)


def _make_table(audit: Audit, *, wide: bool) -> Table:
    rows = [r for r in audit.rows if wide or r.metric == audit.headline or r.bound is not None]
    table = Table(box=box.SIMPLE)
    for column in ("role", "player", "metric"):
        table.add_column(column, overflow="fold")  # On a narrow terminal names break, not numbers.
    for column in ("earned", "n", "allowed"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in sorted(rows, key=lambda row: (_ORDER.index(row.role), row.metric, row.value)):
        table.add_row(*_cells(row), style=None if row.kept else "bold red")
    return table


def _cells(row: AuditRow) -> tuple[str, ...]:
    bound = "" if row.bound is None else f"{row.bound[0]:.3g}..{row.bound[1]:.3g}"
    earned = f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
    mark = "" if row.kept else " BROKEN"
    return (row.role, row.player, row.metric, earned, str(row.n), f"{bound}{mark}")

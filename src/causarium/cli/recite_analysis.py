"""`causarium recite`, the part about what scores say and how far they can be trusted."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.app import AsJson, print_json
from causarium.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.families.recite.tables import Table


def analysis(
    logs: Annotated[list[Path], typer.Argument(metavar="LOGDIR...", help="Logs, or folders.")],
    *,
    metric: Annotated[str, typer.Option(help="The metric to look at.")] = "f1",
    cutoff: Annotated[
        list[str] | None,
        typer.Option(help="A model's knowledge cutoff, NAME=YYYY-MM; may be given again."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Print scores by explicitness, length, graph, domain and date; then errors and judges.

    With rows by several judges it says how they agree and whether they favour their kin, and
    with rows by none how far the judge without a key can be trusted.
    """
    from causarium.engine.logs import newest_rows
    from causarium.families.recite import FAMILY
    from causarium.families.recite.tables import facet_tables, tables

    if metric not in FAMILY.metrics:
        raise UnknownName("metric", metric, FAMILY.metrics)
    rows = [row for row in newest_rows(logs) if row.family == FAMILY.name]
    scored = [row for row in rows if row.unscored is None]
    if not scored:
        raise UsageError(f"there are {len(rows)} ReCITE rows in the logs, and none has a score")
    found = [*facet_tables(scored, metric), *tables(scored, cutoff or ())]
    if json:
        print_json(
            {
                "rows": len(rows),
                "unscored": len(rows) - len(scored),
                "tables": [_plain(table) for table in found],
            }
        )
        return
    print(f"{len(rows)} rows, {len(rows) - len(scored)} of them unscored and in no number below")
    for table in found:
        _print(table)


def _plain(table: "Table") -> dict[str, object]:
    lines = [dict(zip(table.header, line, strict=True)) for line in table.lines]
    return {"title": table.title, "lines": lines, "caption": table.caption}


def _print(table: "Table") -> None:
    print(f"\n{table.title}")
    rows: Sequence[Sequence[str]] = (table.header, *table.lines)
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [first.ljust(wide[0]), *map(str.rjust, others, wide[1:])]
        print("  " + "  ".join(cells).rstrip())
    print(table.caption)


def trust(
    *,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="With word vectors too; needs wordllama.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Say how far the judge without a key agrees with the written documents."""
    from dataclasses import asdict

    from causarium.families.recite.tables import measured

    found = measured(vectors=vectors)
    if json:
        numbers = {"recall": found.recall, "precision": found.precision}
        print_json({"vectors": vectors, **asdict(found), **numbers})
        return
    print(f"The judge without a key is approximate. On recite-mini: {found}.")


def add_to(app: typer.Typer) -> None:
    """Add these commands to the family's own."""
    for command in (analysis, trust):
        app.command(command.__name__)(command)

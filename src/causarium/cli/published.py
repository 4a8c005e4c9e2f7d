"""`causarium published`: the papers' numbers."""

from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.app import AsJson, print_json

if TYPE_CHECKING:
    from causarium.published import PublishedRow, Table


def published(
    family: Annotated[str | None, typer.Argument(metavar="[FAMILY]", help="Only these.")] = None,
    *,
    table: Annotated[str | None, typer.Option(help="Only this table, as in 'Table 4'.")] = None,
    json: AsJson = False,
) -> None:
    """Print the result tables of the papers, with what to bear in mind about them."""
    from causarium import published as papers

    names = [family] if family else papers.families()
    if json:
        rows = [row for name in names for row in papers.rows(name, table)]
        print_json([row.model_dump(mode="json") for row in rows])
        return
    for name in names:
        for known in papers.tables(name):
            if table is None or known.name == table:
                _print(known, papers.rows(name, known.name))
        if table is not None:
            papers.rows(name, table)


def _print(table: "Table", rows: "list[PublishedRow]") -> None:
    print(f"{table.family}, {table.name}: {table.about}")
    if table.note:
        print(f"  bear in mind: {table.note}")
    for row in rows:
        setting = " ".join(f"{key}={value}" for key, value in row.setting.items())
        note = f"  ({row.note})" if row.note else ""
        print(f"  {row.agent:<28} {setting:<34} {row.metric:<18} {row.value:g}{note}")
    print()

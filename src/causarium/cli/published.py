"""`causarium published`: the papers' numbers."""

from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.app import AsJson, print_json
from causarium.errors import UnknownName

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
    tables = [one for name in names for one in papers.tables(name) if table in {None, one.name}]
    if not tables:
        known = {one.name for name in names for one in papers.tables(name)}
        raise UnknownName("table", str(table), known)
    if json:
        rows = [row for one in tables for row in papers.rows(one.family, one.name)]
        print_json([row.model_dump(mode="json") for row in rows])
        return
    for one in tables:
        _print(one, papers.rows(one.family, one.name))


def _print(table: "Table", rows: "list[PublishedRow]") -> None:
    print(f"{table.family}, {table.name}: {table.about}")
    if table.note:
        print(f"  bear in mind: {table.note}")
    for row in rows:
        setting = " ".join(f"{key}={value}" for key, value in row.setting.items())
        note = f"  ({row.note})" if row.note else ""
        print(f"  {row.agent:<28} {setting:<34} {row.metric:<18} {row.value:g}{note}")
    print()

"""`causarium published`: the papers' numbers."""

from typing import Annotated

import typer

from causarium.cli.app import AsJson, print_json


def published(
    family: Annotated[str | None, typer.Argument(metavar="[FAMILY]", help="Only these.")] = None,
    *,
    table: Annotated[str | None, typer.Option(help="Only this table, as in 'Table 4'.")] = None,
    json: AsJson = False,
) -> None:
    """Print the result tables of the papers."""
    from causarium import published as papers

    names = [family] if family else list(papers.families())
    rows = [row for name in names for row in papers.rows(name, table)]
    if json:
        print_json([row.model_dump(mode="json") for row in rows])
        return
    from causarium.published.console import print_published

    print_published(rows)

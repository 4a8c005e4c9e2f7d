"""`causarium published`: the papers' numbers."""

from typing import Annotated

import typer

from causarium.cli.completion import complete_family
from causarium.cli.options import AsJson
from causarium.cli.shared import print_json
from causarium.errors import UnknownName


def published(
    family: Annotated[
        str | None,
        typer.Argument(
            metavar="[FAMILY]", help="Only this family.", autocompletion=complete_family
        ),
    ] = None,
    *,
    table: Annotated[
        str | None, typer.Option(help="Only this table: 7, or 'Table 7', or 'Figure 3'.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Print the result tables of the papers, with caveats."""
    from causarium import published as papers
    from causarium.report.output.print_published import print_grid

    names = [family] if family else papers.families()
    everything = [listed for name in names for listed in papers.tables(name)]
    tables = [listed for listed in everything if table is None or listed.is_called(table)]
    if not tables:
        known = dict.fromkeys(listed.name for listed in everything)
        raise UnknownName("table", str(table), known)
    if json:
        rows = [row for listed in tables for row in papers.rows(listed.family, listed.name)]
        print_json([row.model_dump(mode="json") for row in rows])
        return
    for listed in tables:
        print_grid(papers.grid(listed))

"""`causarium report`: logs to one page, tables and data."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import INCOMPLETE, print_note


def report(
    logs: Annotated[
        list[str], typer.Argument(metavar="LOGDIR...", help="Logs, or folders; URLs too.")
    ],
    *,
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("reports"),
    against: Annotated[
        list[str] | None,
        typer.Option(help="Logs of an earlier run to compare with. Repeatable."),
    ] = None,
    episode: Annotated[
        str | None,
        typer.Option(help="Instance shown in detail (default: one on which agents differ)."),
    ] = None,
    formats: Annotated[
        list[str] | None, typer.Option("--format", help="html, md or json. Repeatable.")
    ] = None,
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Also count rows that failed verification.")
    ] = False,
    figures: Annotated[
        bool, typer.Option("--figures", help="Also write the charts as SVG and PNG to figures/.")
    ] = False,
) -> None:
    """Write a report of all runs in LOGDIR: one self-contained page, Markdown, JSON and rows."""
    from causarium.api.reporting import FORMATS, write_report

    made = write_report(
        logs,
        out=out,
        against=against or (),
        episode=episode,
        formats=(*(formats or FORMATS), *(["figures"] if figures else [])),
        unverified=unverified,
    )
    for problem in made.problems:
        print_note(problem)
    for section in made.data.sections:
        if section.unverified:
            print_note(f"{section.facts.title}: {section.unverified} rows are not verified")
    print_note(f"{len(made.rows)} rows")
    for path in made.files.values():
        print(path)
    if made.missing_shards:
        print_note("\n".join(made.missing_shards))
        raise typer.Exit(INCOMPLETE)

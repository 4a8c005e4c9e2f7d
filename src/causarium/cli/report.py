"""`causarium report`: logs to one page, tables and data."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import talk


def report(
    logs: Annotated[list[Path], typer.Argument(metavar="LOGDIR...", help="Logs, or folders.")],
    *,
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("reports"),
    against: Annotated[
        list[Path] | None,
        typer.Option(help="An earlier run's logs, to compare with; may be given again."),
    ] = None,
    episode: Annotated[
        str | None,
        typer.Option(help="The instance to draw; by default a telling one."),
    ] = None,
    formats: Annotated[
        list[str] | None, typer.Option("--format", help="html, md or json; may be given again.")
    ] = None,
) -> None:
    """Write a report of all runs in LOGDIR: one self-contained page, Markdown, JSON and rows."""
    from causarium.engine.logbook.log_book import LogBook
    from causarium.report.output.report_logs import report_logs
    from causarium.report.output.write_report import FORMATS, known_formats, write_built

    kinds = tuple(formats or FORMATS)
    known_formats(kinds)
    book = LogBook.read(logs)
    earlier = {place.name: LogBook.read([place]) for place in against or ()}
    built, rows = report_logs(book, against=earlier, episode=episode)
    written = write_built(built, rows, out, formats=kinds)
    for problem in book.problems:
        talk(problem)
    talk(f"{len(rows)} rows")
    for path in written.values():
        print(path)

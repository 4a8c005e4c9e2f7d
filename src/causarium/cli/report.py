"""`causarium report`: logs to one page, tables and data."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import talk
from causarium.errors import BadFile


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
    from causarium import families
    from causarium.engine.logbook.read_logs import find_logs, read_places, unfinished
    from causarium.engine.logbook.reference_rows import rows_beside
    from causarium.report.data.report_data import build_report
    from causarium.report.figures.family_figures import panels
    from causarium.report.output.write_report import FORMATS, known_formats, write_built

    kinds = tuple(formats or FORMATS)
    known_formats(kinds)
    reading = read_places(logs)
    if not reading.rows and reading.problems:
        raise BadFile(f"nothing to report; {reading.problems[0].removeprefix('Skipped: ')}")
    found = find_logs(logs)
    rows = [*reading.rows, *rows_beside(found, reading.rows, families.get)]
    notes = [*reading.problems, *unfinished(found)]
    cards = list(reading.cards)
    drawn = panels(logs, rows, episode)
    for place in against or ():
        earlier = read_places([place])
        rows += (row.model_copy(update={"run": place.name}) for row in earlier.rows)
        cards += (card.model_copy(update={"run": place.name}) for card in earlier.cards)
        notes += earlier.problems
    built = build_report(rows, panels=drawn, notes=notes, cards=cards)
    written = write_built(built, rows, out, formats=kinds)
    for problem in reading.problems:
        talk(problem)
    talk(f"{len(rows)} rows")
    for path in written.values():
        print(path)

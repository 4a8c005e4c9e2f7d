"""`causarium demo`: every family, its reference players, and the report."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.app import INCOMPLETE, family_of, talk
from causarium.cli.run import LogDir, run_spec
from causarium.contract.row import Row


def demo(
    *,
    log_dir: LogDir = Path("logs/demo"),
    out: Annotated[Path, typer.Option(help="Where the report goes.")] = Path("reports/demo"),
) -> None:
    """Play every family with its reference players, print the table and write the report."""
    from rich.console import Console
    from rich.progress import track

    from causarium import families
    from causarium.engine.logs import find_logs, read_header, read_rows
    from causarium.engine.run import run as run_inspect
    from causarium.engine.run import talk_to_stderr
    from causarium.report.build import build_report
    from causarium.report.console import print_report
    from causarium.report.pictures import panels
    from causarium.report.write import write_report

    specs = [
        run_spec(
            family_of(name),
            player=player,
            model=None,
            arguments={"edition": "certified", "set": "standard"},
            rules={},
        )
        for name in families.names()
        for player in family_of(name).card.tour
    ]
    rows: list[Row] = []
    complete = True
    for spec in track(specs, "playing", console=Console(stderr=True)):
        with talk_to_stderr():
            folder = run_inspect(spec, log_dir, display="none")
        newest = find_logs([folder])[-1]
        complete = complete and read_header(newest).status == "success"
        rows += read_rows(newest)
    print_report(build_report(rows), Console())
    written = write_report(rows, out, panels=panels([log_dir], rows))
    talk(f"logs: {log_dir} (open them with `inspect view --log-dir {log_dir}`)")
    print(f"report: {written['html'].resolve()}")
    if not complete or any(row.unscored for row in rows):
        raise typer.Exit(INCOMPLETE)

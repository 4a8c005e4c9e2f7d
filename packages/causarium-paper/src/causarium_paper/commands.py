"""The command `causarium paper`."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.options import LogPlaces, Unverified
from causarium.cli.shared import print_note


def paper(
    logs: LogPlaces,
    *,
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("paper"),
    grey: Annotated[bool, typer.Option("--grey", help="Draw figures without colours.")] = False,
    unverified: Unverified = False,
) -> None:
    """Write figures, a LaTeX table, a caption and every number of LOGDIR, ready for a paper."""
    from causarium.api.reporting import write_report
    from causarium.api.rows import check_folder
    from causarium.report.output.write_report import can_convert
    from causarium_paper.write_paper import write_paper

    folder = check_folder(out)
    if not can_convert():
        print_note("Figures come as SVG alone; for PDF: pip install 'causarium[png]'")
    report = write_report(logs, out=None, unverified=unverified)
    for path in write_paper(report.data, folder, grey=grey):
        print(path)

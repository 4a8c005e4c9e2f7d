"""`causarium demo`: every family, its reference players, a model, and the report."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.run_options import ModelName
from causarium.cli.shared import print_note


def demo(
    *,
    model: ModelName = None,
    full: Annotated[
        bool, typer.Option("--full", help="Run the players on the standard sets, with logs.")
    ] = False,
    log_dir: Annotated[
        Path | None, typer.Option(help="Log folder (default: a folder in logs).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the report (default: a folder in reports).")
    ] = None,
) -> None:
    """Play every family with its reference players next to a recorded model; write the report.

    With --full, the players run on the standard sets and leave logs. With a model, it plays part of
    every family, and the players play the same instances.
    """
    if full or model is not None:
        from causarium.cli.demo_with_logs import demo_with_logs

        demo_with_logs(model, log_dir, out)
    else:
        _demo_quickly(out or Path("reports") / "demo")


def _demo_quickly(out: Path) -> None:
    print("Reference players on the smoke sets of every family, about half a minute.", flush=True)
    from causarium.api.demo import QuickDemo

    tour = QuickDemo()
    tour.open_recording()
    if tour.recorded is not None:
        print(tour.recorded.sentence, flush=True)
    for note in tour.notes:
        print_note(note)
    for line in tour.play():
        print(line, flush=True)
    print_note("Writing the report.")
    report = tour.write_report(out)
    print(f"report: {report.files['html'].resolve()}")

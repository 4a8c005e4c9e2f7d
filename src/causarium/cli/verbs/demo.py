"""`causarium demo`: every family, its reference players, a model, and the report."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.run_options import ModelName
from causarium.cli.shared import INCOMPLETE, print_note

if TYPE_CHECKING:
    from causarium.api.evaluate import Run
    from causarium.engine.run.start_run import RunSpec


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
    """Play every family with its reference players beside a recorded model, and write the report.

    With --full, the players run on the standard sets and leave logs. With a model, it plays part of
    every family, and the players play the same instances.
    """
    if full or model is not None:
        _demo_with_logs(model, log_dir, out)
    else:
        _demo_quickly(out or Path("reports") / "demo")


def _demo_quickly(out: Path) -> None:
    print("Reference players on the smoke sets of every family, about half a minute.", flush=True)
    from causarium.api.quick_demo import QuickDemo

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


def _demo_with_logs(model: str | None, log_dir: Path | None, out: Path | None) -> None:
    print_note("Running reference players on every family; this takes about two minutes.")
    from rich.console import Console

    from causarium.api.demo_runs import LOCAL_TOKENS, list_model_runs, list_player_runs
    from causarium.api.prepare_run import choose_model
    from causarium.api.reporting import write_report
    from causarium.report.output.print_tables import print_report

    name = "demo-full" if model is None else f"demo-{model.partition(':')[0].replace('/', '-')}"
    logs = log_dir or Path("logs") / name
    choice = choose_model(model, {}, {"max_tokens": LOCAL_TOKENS})
    players, models = list_player_runs(sliced=model is not None), list_model_runs(choice)
    runs = list(_start_players(players, logs))
    if models:
        with choice.reachable(print_note):
            runs += _start_models(models, logs)
    report = write_report(
        [run.folder for run in runs],
        out=out or Path("reports") / name,
        commands=[f"causarium demo --model {model}"] if model else ["causarium demo --full"],
    )
    print_report(report.data, Console())
    print(f"report: {report.files['html'].resolve()}")
    print_note(f"logs: {logs} (open them with `inspect view --log-dir {logs}`)")
    if not all(run.complete for run in runs):
        raise typer.Exit(INCOMPLETE)


def _start_players(specs: "Sequence[RunSpec]", logs: Path) -> "Iterator[Run]":
    from rich.console import Console
    from rich.progress import track

    from causarium.api.evaluate import start

    console = Console(stderr=True)
    shown = track(specs, "running", console=console) if console.is_terminal else specs
    for number, spec in enumerate(shown, 1):
        yield start(spec, logs, progress=False)
        if not console.is_terminal:
            family = spec.task.rpartition("/")[2]
            print_note(f"[{number}/{len(specs)}] {family}, {spec.agent}: done")


def _start_models(specs: "Sequence[RunSpec]", logs: Path) -> "Iterator[Run]":
    from causarium.api.evaluate import start

    for number, spec in enumerate(specs, 1):
        yield start(spec, logs, place=f"[{number}/{len(specs)}] ")

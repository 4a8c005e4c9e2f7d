"""The demo with logs: players on the standard sets, or a model on a slice of every family."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from causarium.cli.shared import INCOMPLETE, print_note

if TYPE_CHECKING:
    from causarium.api.evaluate import Run
    from causarium.engine.run.start_run import RunSpec


def demo_with_logs(model: str | None, log_dir: Path | None, out: Path | None) -> None:
    """Run the players, and the model if there is one, and write the report.

    Args:
        model: The model that plays a slice of every family; None: players alone, on standard sets.
        log_dir: Where logs go; None: a folder in `logs`.
        out: Where the report goes; None: a folder in `reports`.
    """
    print_note("Running reference players on every family; this takes about two minutes.")
    from rich.console import Console

    from causarium.api.demo.demo_runs import LOCAL_TOKENS, list_model_runs, list_player_runs
    from causarium.api.prepare_run import choose_model
    from causarium.api.reporting import write_report
    from causarium.report.output.print_tables import print_report

    name = "demo-full" if model is None else f"demo-{model.partition(':')[0].replace('/', '-')}"
    logs = log_dir or Path("logs") / name
    choice = choose_model(model, {}, {"max_tokens": LOCAL_TOKENS})
    players, models = list_player_runs(sliced=model is not None), list_model_runs(choice)
    runs = list(_start_players(players, logs))
    if models:
        with choice.open_connection(print_note):
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

"""The demo with logs: players on the standard sets, or a model on a slice of every family."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from causarium.cli.shared import INCOMPLETE, print_note

if TYPE_CHECKING:
    from causarium.api.read_run import Run
    from causarium.engine.run.run_plan import RunPlan


def demo_with_logs(model: str | None, log_dir: Path | None, out: Path | None) -> None:
    """Run the players, and the model if there is one, and write the report.

    Args:
        model: The model that plays a slice of every family; None: players alone, on standard sets.
        log_dir: Where logs go; None: a folder in `logs`.
        out: Where the report goes; None: a folder in `reports`.
    """
    print_note("Running reference players on every family; this takes about two minutes.")
    from rich.console import Console

    from causarium.api.demo.demo_runs import plan_model_runs, plan_player_runs
    from causarium.api.reporting import write_report
    from causarium.engine.run.run_plan import open_calls
    from causarium.report.output.print_tables import print_report

    name = "demo-full" if model is None else f"demo-{model.partition(':')[0].replace('/', '-')}"
    logs = log_dir or Path("logs") / name
    players = plan_player_runs(str(logs), sliced=model is not None)
    models = plan_model_runs(model, str(logs)) if model else []
    runs = list(_run_players(players))
    if models:
        with open_calls(models, print_note):
            runs += _run_models(models)
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


def _run_players(plans: "Sequence[RunPlan]") -> "Iterator[Run]":
    from rich.console import Console
    from rich.progress import track

    from causarium.api.read_run import read_run
    from causarium.engine.run.run_plan import run_plan

    console = Console(stderr=True)
    shown = track(plans, "running", console=console) if console.is_terminal else plans
    for number, plan in enumerate(shown, 1):
        yield read_run([run_plan(plan, progress=False)])
        if not console.is_terminal:
            print_note(f"[{number}/{len(plans)}] {plan.family}, {plan.who}: done")


def _run_models(plans: "Sequence[RunPlan]") -> "Iterator[Run]":
    from causarium.api.read_run import read_run
    from causarium.engine.run.run_plan import run_plan

    for number, plan in enumerate(plans, 1):
        yield read_run([run_plan(plan, place=f"[{number}/{len(plans)}] ")])

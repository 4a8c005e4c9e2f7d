"""Runs one after another: one that fails holds up no other, and each is accounted for."""

import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import typer

from causarium.cli.shared import INCOMPLETE, print_json, print_note
from causarium.errors import CausariumError, UsageError

if TYPE_CHECKING:
    from causarium.api.scale.workers import Workers
    from causarium.engine.run.run_plan import RunPlan

FAILED, WRONG_USAGE, STOPPED = 1, 2, 130
"""Exit codes: a run failed, could not even begin, or was stopped by Ctrl-C."""


def run_all(runs: Mapping[str, Callable[[], bool]]) -> None:
    """Do runs by name, each of which returns whether it is complete.

    With more than one, an error is printed and the next one begins.

    Raises:
        typer.Exit: Not all are complete, or somebody stopped them.
    """
    ends: dict[str, str] = {}
    codes: set[int] = set()
    for name, run in runs.items():
        try:
            complete = run()
            ends[name] = "complete" if complete else "incomplete"
            codes |= set() if complete else {INCOMPLETE}
        except KeyboardInterrupt:
            print_note("Stopped. Finished instances are saved; run the same command to resume.")
            raise typer.Exit(STOPPED) from None
        except Exception as wrong:
            if len(runs) == 1:
                raise
            if not isinstance(wrong, CausariumError):
                traceback.print_exc()
            print_note(f"{name} failed: {wrong}")
            ends[name] = f"failed: {wrong}"
            codes.add(WRONG_USAGE if isinstance(wrong, UsageError) else FAILED)
    if len(runs) > 1:
        print_note("\n".join(f"{name}: {end}" for name, end in ends.items()))
    if codes:
        # The smaller the code, the worse.
        raise typer.Exit(min(codes))


def number_places(count: int) -> list[str]:
    """Return what the lines of progress of several runs begin with.

    Example:
        >>> number_places(1), number_places(2)
        ([''], ['[1/2] ', '[2/2] '])
    """
    return [f"[{number}/{count}] " if count > 1 else "" for number in range(1, count + 1)]


def run_and_print(plan: "RunPlan", place: str, workers: "Workers", *, json: bool) -> bool:
    """Run what is planned and print how it came out; returns whether every instance has a score.

    Args:
        plan: What to run.
        place: What the line of progress begins with.
        workers: Who plays.
        json: Whether to print one JSON object instead of tables.
    """
    from causarium.api.scale.run_shards import run_with_workers
    from causarium.engine.gate import current_gate

    if (gate := current_gate()) is not None and gate.reason is not None:
        print_note(f"{plan.family}: not started. {gate.reason}")
        return False
    run = run_with_workers(plan, workers, print_note, place=place)
    if json:
        print_json(run.summary())
    else:
        from rich.console import Console

        from causarium.api.reporting import add_reference_rows
        from causarium.report.data.report_data import build_report
        from causarium.report.output.print_tables import print_report

        print_report(build_report(add_reference_rows(run)), Console())
        print_note(f"log: {run.log}\nnext: causarium report {' '.join(run.places)}")
    if gate is not None and gate.reason is not None:
        print_note(gate.reason)
    if not run.complete:
        print_note(run.describe_missing())
    return run.complete

"""Runs one after another: one that fails holds up no other, and each is accounted for."""

import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import typer

from causarium.cli.shared import INCOMPLETE, print_json, print_note
from causarium.errors import CausariumError, UsageError

if TYPE_CHECKING:
    from causarium.api.prepare_run import PreparedRuns
    from causarium.api.scale.workers import Workers

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


def start_and_print(
    prepared: "PreparedRuns", number: int, log_dir: str, workers: "Workers", *, json: bool
) -> bool:
    """Start run `number` and print how it came out. Returns whether every instance has a score."""
    from causarium.api.scale.run_shards import start_prepared
    from causarium.engine.gate import current_gate

    if (gate := current_gate()) is not None and gate.reason is not None:
        print_note(f"{prepared.families[number].name}: not started. {gate.reason}")
        return False
    run = start_prepared(prepared, number, log_dir, workers, print_note)
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

"""Runs one after another: one that fails holds up no other, and each is accounted for."""

import traceback
from collections.abc import Callable, Mapping

import typer

from causarium.cli.shared import INCOMPLETE, talk
from causarium.errors import CausariumError, UsageError

FAILED, ASKED_WRONGLY, STOPPED = 1, 2, 130
"""Exit codes: a run failed, could not even begin, or was stopped by Ctrl-C."""


def run_in_turn(runs: Mapping[str, Callable[[], bool]]) -> None:
    """Carry out runs by name, each of which returns whether it is complete.

    With more than one, an error is told and the next one begins.

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
            talk("stopped; what was finished is kept, and the same command goes on from there")
            raise typer.Exit(STOPPED) from None
        except Exception as wrong:
            if len(runs) == 1:
                raise
            if not isinstance(wrong, CausariumError):
                traceback.print_exc()
            talk(f"{name} failed: {wrong}")
            ends[name] = f"failed: {wrong}"
            codes.add(ASKED_WRONGLY if isinstance(wrong, UsageError) else FAILED)
    if len(runs) > 1:
        talk("\n".join(f"{name}: {end}" for name, end in ends.items()))
    if codes:
        # The smaller the code, the worse.
        raise typer.Exit(min(codes))

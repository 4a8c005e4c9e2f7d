"""`causarium verify`: is what a log or a set says true?"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.options import AsJson
from causarium.cli.shared import print_json, print_line, print_note

if TYPE_CHECKING:
    from causarium.api.verify_sets import SetProof
    from causarium.engine.verify.verify_runs import RunProof


def verify(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Logs, folders of them, or sets.")
    ],
    *,
    draw: Annotated[
        bool, typer.Option("--draw", help="Generate every instance again (slower).")
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(min=0, help="For a set in parts: how many instances to generate again."),
    ] = None,
    signers: Annotated[
        Path | None,
        typer.Option(help="Whose signatures count: lines of NAME ssh-ed25519 KEY."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Check logs and sets: rebuild every instance, replay every turn, recompute every score.

    Prints one line per run and exits with 1 if anything cannot be verified. It cannot prove that
    the model named in a log wrote the replies; see docs/trust.md.
    """
    from causarium.api.verify_logs import verify_logs
    from causarium.api.verify_sets import is_set, verify_set

    sets = [path for path in paths if is_set(path)]
    logs = [path for path in paths if path not in sets]
    verified = True
    for place in sets:
        proof = verify_set(place, sample=sample, full=draw)
        verified &= proof.is_verified
        print_json(_set_as_json(proof)) if json else _print_set(proof)
    for run in verify_logs(logs, draw=draw, signers=signers) if logs else ():
        verified &= run.is_verified
        print_json(_run_as_json(run)) if json else _print_run(run)
    if not verified:
        raise typer.Exit(1)


def _run_as_json(run: "RunProof") -> dict[str, object]:
    return {**run.model_dump(mode="json"), "is_verified": run.is_verified}


def _set_as_json(proof: "SetProof") -> dict[str, object]:
    return {**asdict(proof), "is_verified": proof.is_verified}


def _print_run(run: "RunProof") -> None:
    mark = "verified" if run.is_verified else "NOT VERIFIED"
    counts = f"{run.verified} of {run.expected} samples verified"
    seal = f"; {run.seal}" if run.seal else ""
    part = f" ({run.part})" if run.part else ""
    print_line(f"{mark}: {run.family} {run.set}{part}, {run.agent}: {counts}{seal}")
    for reason, number in run.reasons.items():
        print_note(f"  {number} x {reason}")
    for line in (*run.problems, *run.notes):
        print_note(f"  {line}")


def _print_set(proof: "SetProof") -> None:
    mark = "verified" if proof.is_verified else "NOT VERIFIED"
    print_line(f"{mark}: {proof.place}: {proof.instances} instances of {proof.family}")
    for line in (*proof.problems, *proof.notes):
        print_note(f"  {line}")

"""Verbs for what others should see: `submit` and `leaderboard`."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.options import AsJson, SetName
from causarium.cli.shared import print_json, print_line, print_note
from causarium.errors import UsageError

_KINDS = ("open", "closed", "agent")


def submit(
    logs: Annotated[list[str], typer.Argument(metavar="LOG...", help="Logs, or folders of them.")],
    *,
    name: Annotated[
        str | None, typer.Option(help="Name on the page (default: the agent's).")
    ] = None,
    kind: Annotated[str, typer.Option(help="open, closed or agent.")] = "open",
    about: Annotated[str, typer.Option(help="One sentence for readers.")] = "",
    out: Annotated[Path, typer.Option(help="Folder of all submissions.")] = Path("results"),
    set_name: SetName = "standard",
    check: Annotated[bool, typer.Option("--check", help="Only say what is missing.")] = False,
) -> None:
    """Check logs of whole sets and make the folder for a pull request."""
    from causarium.api.leaderboard import check_submission, list_large
    from causarium.api.leaderboard import submit as make_submission
    from causarium.report.data.leaderboard import Facts

    if kind not in _KINDS:
        raise UsageError(f"--kind is one of {', '.join(_KINDS)}, not {kind!r}")
    found = check_submission(logs, set_name=set_name)
    for family in found.missing:
        print_note(f"{family}: not played; the page will show a gap")
    if check or found.faults:
        for fault in found.faults:
            print_line(fault)
        if found.faults:
            raise typer.Exit(1)
        print_line(f"{found.agent}: {len(found.runs)} sets can be submitted")
        return
    facts = Facts.model_validate({"name": name or found.agent, "kind": kind, "about": about})
    folder, _ = make_submission(logs, facts, out, set_name=set_name)
    for sentence in list_large(folder):
        print_note(sentence)
    print_line(f"{folder}: ready; add it to a pull request")


def leaderboard(
    results: Annotated[Path, typer.Argument(help="Folder of submissions, or of logs.")],
    *,
    out: Annotated[Path, typer.Option(help="Folder of the page.")] = Path("reports/leaderboard"),
    set_name: SetName = "standard",
    json: AsJson = False,
) -> None:
    """Verify submissions and write the page that compares them; needs no server."""
    from causarium.api.leaderboard import write_leaderboard

    board = write_leaderboard(results, out=out, set_name=set_name)
    for sentence in board.left_out:
        print_note(f"left out: {sentence}")
    if json:
        print_json(board.model_dump(mode="json"))
        return
    print_line(f"{len(board.entries)} entries, {len(board.columns)} tasks: {out / 'index.html'}")

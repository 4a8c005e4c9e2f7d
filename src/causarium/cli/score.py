"""`causarium score`: score logs again, with no model."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.app import AsJson, print_json, talk


def score(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG...", help="Logs, or folders of them.")],
    *,
    turns: Annotated[
        bool, typer.Option("--turns", help="Print the numbers after each turn, as JSON lines.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Score logs again from their recorded turns, with no model, and compare."""
    from causarium import families
    from causarium.cli.outcome import outcome
    from causarium.engine.logs import find_logs, read_traces, rescore

    differ = 0
    for path in find_logs(logs):
        if turns:
            for found in read_traces(path, families.get):
                print_json(found)
            continue
        again = list(rescore(path, families.get))
        changed = [pair.after.id for pair in again if not pair.same]
        differ += len(changed)
        result = outcome([pair.after for pair in again], path)
        if json:
            print_json({**result, "changed": changed})
            continue
        print(f"{path}: {result['n']} scored again, {len(changed)} changed")
        known = {k: v["value"] for k, v in result["metrics"].items() if v["value"] is not None}
        for name, value in known.items():
            print(f"  {name}: {value:.4g}")
        for changed_id in changed[:10]:
            talk(f"  changed: {changed_id}")
    if differ:
        talk(f"{differ} verdicts are not what the log says")
        raise typer.Exit(1)

"""`causarium score`: score logs again, with no model."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.app import AsJson, print_json, talk


def score(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG...", help="Logs, or folders of them.")],
    *,
    json: AsJson = False,
) -> None:
    """Score logs again from their recorded turns, with no model, and compare."""
    from causarium import families
    from causarium.cli.outcome import outcome
    from causarium.engine.logs import find_logs, rescore

    for path in find_logs(logs):
        again = list(rescore(path, families.get))
        changed = [pair.after.id for pair in again if not pair.same]
        found = outcome([pair.after for pair in again], path)
        if json:
            print_json({**found, "changed": changed})
            continue
        print(f"{path}: {found['n']} scored again, {len(changed)} changed")
        for name, interval in found["metrics"].items():
            print(f"  {name}: {interval['value']:.4g}" if interval["value"] is not None else "")
        for changed_id in changed[:10]:
            talk(f"  changed: {changed_id}")

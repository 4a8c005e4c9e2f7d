"""`causarium replayscm`: what only that family needs: the published snapshot."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import print_note

app = typer.Typer(help="ReplaySCM: the published snapshot.", no_args_is_help=True)


@app.callback()
def replayscm() -> None:
    """ReplaySCM: the published snapshot."""


@app.command("snapshot")
def snapshot(
    folder: Annotated[Path, typer.Argument(help="Folder to write to.")],
) -> None:
    """Write the ten sets of the published sizes, each checked against its digest."""
    from causarium.family_commands.replayscm.snapshot import POOLS, write_snapshot

    manifest = write_snapshot(folder)
    print_note(f"{manifest['size']} problems in {len(POOLS)} sets in {folder}")

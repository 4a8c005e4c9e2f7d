"""`causarium seal`: vouch for the logs of a run."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import print_line


def seal(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of one run, or its log.")],
    *,
    key: Annotated[
        Path | None,
        typer.Option(help="Sign with this ed25519 key, as in ~/.ssh/id_ed25519."),
    ] = None,
) -> None:
    """Write seal.json next to the logs of a run; `causarium verify` checks the logs against it.

    With --key it is signed, and `causarium verify` names the signer.
    """
    from causarium.api.verify_logs import seal_run

    print_line(str(seal_run(run, key=key)))

"""`causarium web`: replay, play, browse and annotate in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import talk


def web(
    logs: Annotated[
        Path, typer.Argument(metavar="[LOGDIR]", help="The folder with logs to replay.")
    ] = Path("logs"),
    *,
    host: Annotated[
        str, typer.Option(help="Where to serve; elsewhere than here a token is asked for.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free port.")] = 7575,
) -> None:
    """Open pages on this machine: replay a run, play as a human, browse sets, annotate a text."""
    from causarium.web.serve import address, free_port, serve, token_for

    chosen, token = free_port(host, port), token_for(host)
    print(address(host, chosen, token), flush=True)
    talk("Ctrl-C ends it")
    serve(logs, host=host, port=chosen, token=token)

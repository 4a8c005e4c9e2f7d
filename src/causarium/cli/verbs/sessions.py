"""Verbs that let somebody play by hand: `play`, `web`."""

from typing import Annotated

import typer

from causarium.cli.shared import print_note


def web(
    logs: Annotated[
        str | None,
        typer.Argument(
            metavar="[LOGDIR]", help="Folder or URL with logs to replay (default: logs)."
        ),
    ] = None,
    *,
    host: Annotated[
        str, typer.Option(help="Address to listen on. Other machines need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port (0 = any free port).")] = 7575,
    study: Annotated[
        str | None,
        typer.Option(
            help="Record people's games for a study: asks for consent, writes LOGDIR/NAME."
        ),
    ] = None,
) -> None:
    """Start the web viewer: replay runs, play, browse sets, annotate."""
    from causarium.engine.logbook.log_files import fetch_logs
    from causarium.web.serve import (
        address,
        check_study,
        find_folder,
        free_port,
        serve,
        token_for,
    )

    study = study and check_study(study)
    folder = find_folder(None if logs is None else fetch_logs(logs))
    chosen, token = free_port(host, port), token_for(host)
    print(address(host, chosen, token), flush=True)
    print_note("Ctrl-C stops it.")
    if study:
        print_note(
            f"Games are written to {folder / study}; rows: causarium report {folder / study}"
        )
    serve(folder, host=host, port=chosen, token=token, study=study)

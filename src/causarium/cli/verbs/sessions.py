"""Verbs that let somebody play by hand: `play`, `web`."""

from typing import Annotated

import typer

from causarium.cli.options import EditionName, FamilyName, SetFile, SetName
from causarium.cli.shared import print_note


def play(
    family: FamilyName,
    *,
    edition: EditionName = "certified",
    set_name: SetName = "smoke",
    file: SetFile = None,
    number: Annotated[int, typer.Option(min=0, help="Position in the set (0 = first).")] = 0,
) -> None:
    """Play an instance yourself in the terminal."""
    from causarium.api.benchmark import load

    benchmark = load(family, edition=edition)
    session = benchmark.open(benchmark.instance(file or set_name, number))
    print(session.reset())
    while not session.done:
        try:
            reply = input("\n> ")
        except EOFError:
            print_note("No more input; scored as it stands.")
            break
        print(f"\n{session.step(reply).text}")
    verdict = session.score()
    print(f"\n{verdict.explanation}")
    for name in benchmark.family.card.shown(benchmark.edition):
        if name in verdict.numbers:
            print(f"{name}: {verdict.numbers[name]:g}")


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

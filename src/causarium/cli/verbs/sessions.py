"""Verbs that let somebody play by hand: `play`, `web`, `mcp`."""

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


def mcp(
    family: FamilyName,
    *,
    edition: EditionName = "certified",
    level: Annotated[str | None, typer.Option(help="Level to draw from.")] = None,
    set_name: Annotated[
        str | None, typer.Option("--set", help="Use a named set instead of a level.")
    ] = None,
    split: Annotated[str, typer.Option(help="train, validation or private.")] = "train",
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    index: Annotated[int, typer.Option(help="Number of the instance (0 = first).")] = 0,
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, help="Serve over HTTP at 127.0.0.1 instead of stdin and stdout."
        ),
    ] = None,
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="Run the agent's programs in a sandbox.")
    ] = False,
    reveal: Annotated[bool, typer.Option("--reveal", help="Report the score at the end.")] = False,
) -> None:
    """Serve episodes to MCP clients, as tools; every connection has its own."""
    from causarium.api.session import Session, open_session
    from causarium.connect.mcp_server import serve

    def open_episode(level: str | None = level, split: str = split, index: int = index) -> Session:
        return open_session(
            family,
            edition=edition,
            level=level,
            set=set_name if level is None else None,
            split=split,
            seed=seed,
            index=index,
            sandbox=sandbox,
            interface="tools",
        )

    where = "stdin and stdout" if port is None else f"http://127.0.0.1:{port}/mcp"
    print_note(f"serving {open_episode().instance.id} over {where}; Ctrl-C ends it")
    serve(open_episode, reveal=reveal, port=port)

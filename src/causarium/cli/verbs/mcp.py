"""`causarium mcp`: play from any MCP client."""

from typing import Annotated

import typer

from causarium.cli.options import EditionName, FamilyName
from causarium.cli.shared import print_note


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
    """Serve one instance to an MCP client, as tools."""
    from causarium.api.session import open_session
    from causarium.connect.mcp_server import serve

    session = open_session(
        family,
        edition=edition,
        level=level,
        set=set_name,
        split=split,
        seed=seed,
        index=index,
        sandbox=sandbox,
        interface="tools",
    )
    where = "stdin and stdout" if port is None else f"http://127.0.0.1:{port}/mcp"
    print_note(f"serving {session.instance.id} over {where}; Ctrl-C ends it")
    serve(session, reveal=reveal, port=port)

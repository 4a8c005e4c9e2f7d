"""The command `causarium mcp`: serves episodes to clients of the Model Context Protocol."""

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
    """Serve episodes to MCP clients, as tools; every connection has its own."""
    from causarium.api.session import Session, open_session
    from causarium_mcp.server import serve

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

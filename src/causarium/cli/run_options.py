"""The options of verbs that play: who plays, by which rules, at what price, and where logs go."""

from typing import Annotated

import typer

from causarium.cli.completion import complete_player

LogDir = Annotated[str, typer.Option("--log-dir", help="Log folder; URLs too (s3://...).")]
PlayerName = Annotated[
    str | None,
    typer.Option(
        "--player",
        help="Reference player to run instead of a model.",
        autocompletion=complete_player,
    ),
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Model, as in openai/gpt-5; `local` or `local:FILE.gguf` runs on this machine.",
    ),
]
AgentFile = Annotated[
    str | None,
    typer.Option("--agent", help="Your own agent: FILE.py@NAME or PACKAGE.MODULE:NAME."),
]
AgentBoundary = Annotated[
    str | None,
    typer.Option(
        "--agent-boundary",
        help="Where your agent runs: sandbox (default), or none: in reach of the truth.",
    ),
]
GivenRules = Annotated[
    list[str] | None, typer.Option("--rule", help="Change a rule, NAME=VALUE. Repeatable.")
]
Prices = Annotated[
    list[str] | None,
    typer.Option(
        "--price",
        help="Price in US dollars per million tokens: IN,OUT or IN,OUT,CACHED; of a helper model "
        "as in judge=IN,OUT. Repeatable.",
    ),
]
Budget = Annotated[
    float | None,
    typer.Option(
        "--budget",
        metavar="USD",
        help="Stop when this much is spent, over all families and helper models, earlier sessions "
        "of the same run included. Run again with more to resume.",
    ),
]
Breaker = Annotated[
    int | None,
    typer.Option(
        "--breaker",
        metavar="N",
        help="Stop after N provider failures in a row (default: 10; 0 = never).",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Estimate calls, tokens and cost without calling a model."),
]

"""The options that only a run has: the agent, and what it may cost."""

from typing import Annotated

import typer

AgentFile = Annotated[
    str | None,
    typer.Option("--agent", help="Your own agent: FILE.py@NAME or PACKAGE.MODULE:NAME."),
]
AgentBoundary = Annotated[
    str | None,
    typer.Option(
        "--agent-boundary",
        help="Where your agent runs: sandbox, process or none (default: sandbox where possible).",
    ),
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
        help="Stop when the provider fails this often in a row (10 unless given; 0: never).",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Estimate calls, tokens and cost without calling a model."),
]

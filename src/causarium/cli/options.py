"""The arguments and options that verbs share."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.completion import complete_family, complete_player, complete_set

FamilyName = Annotated[
    str,
    typer.Argument(
        metavar="FAMILY", help="Family; see `causarium list`.", autocompletion=complete_family
    ),
]
EditionName = Annotated[str, typer.Option("--edition", help="Edition: certified or paper.")]
SetName = Annotated[
    str, typer.Option("--set", help="Name of the set.", autocompletion=complete_set)
]
SetFile = Annotated[Path | None, typer.Option("--file", help="Use a set file (.jsonl).")]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="Run only the first N instances.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else.")]

LogDir = Annotated[Path, typer.Option("--log-dir", help="Log folder.")]
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
        help="Where your agent runs: sandbox, process or none (default: sandbox where possible).",
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
        help="Stop when the provider fails this often in a row (10 unless given; 0: never).",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Estimate calls, tokens and cost without calling a model."),
]

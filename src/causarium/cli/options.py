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
GivenRules = Annotated[
    list[str] | None, typer.Option("--rule", help="Change a rule, NAME=VALUE. Repeatable.")
]

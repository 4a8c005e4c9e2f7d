"""The arguments and options that verbs share."""

from typing import Annotated

import typer

from causarium.cli.completion import complete_family, complete_set

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
SetFile = Annotated[
    str | None,
    typer.Option(
        "--file", help="Use a set of your own: a file (.jsonl), or a folder of parts; URLs too."
    ),
]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="Run only the first N instances.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else.")]
ShardOf = Annotated[
    str | None,
    typer.Option(
        "--shard", metavar="K/N", help="Do only share K of N, on any machine, in any order."
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", min=0, help="Number of processes (0 = all cores).")]
EngineName = Annotated[
    str | None,
    typer.Option("--engine", help="What runs the processes: pool (this machine) or ray."),
]

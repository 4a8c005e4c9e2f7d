"""The arguments and options that verbs share."""

import os
from pathlib import Path
from typing import Annotated

import typer


def complete_family(incomplete: str) -> list[str]:
    """Return the families that begin so."""
    from causarium import families

    return [name for name in families.names() if name.startswith(incomplete)]


def complete_set(incomplete: str) -> list[str]:
    """Return the sets that begin so, of the family on the command line."""
    from causarium import families

    words = _typed_words()
    wanted = "paper" if "paper" in words else "certified"
    editions = [
        item for name in _typed_families(words) for item in families.card(name).sets.items()
    ]
    labels = [label for edition, sets in editions if edition == wanted for label in sets]
    return [label for label in labels if label.startswith(incomplete)]


def complete_player(incomplete: str) -> list[str]:
    """Return the players that begin so, of the family on the command line."""
    from causarium import families

    names = _typed_families(_typed_words())
    labels = [label for name in names for label in families.card(name).players]
    return [label for label in labels if label.startswith(incomplete)]


def _typed_words() -> list[str]:
    # Where the option to complete stands last, the parser gives up before it reads the family.
    typed = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    return typed.split()


def _typed_families(words: list[str]) -> list[str]:
    from causarium import families

    return [name for name in families.names() if name in words][:1]


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
Wide = Annotated[
    bool, typer.Option("--wide", help="Print every column, however wide the table becomes.")
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
Endpoint = Annotated[
    str | None,
    typer.Option("--endpoint", help="Address of a server that speaks chat completions (.../v1)."),
]
KeyEnv = Annotated[
    str | None, typer.Option("--key-env", help="Variable that holds the endpoint's key.")
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
ReleaseAt = Annotated[
    Path | None,
    typer.Option(
        "--release",
        metavar="FOLDER",
        help="Play from a clone of the published release: its words and sets, the paper edition.",
    ),
]
PlayedRelease = Annotated[
    Path | None,
    typer.Option(
        "--release",
        metavar="FOLDER",
        help="The release that the logs were played from: its words are checked too.",
    ),
]
ReleaseAnyway = Annotated[
    bool, typer.Option("--release-anyway", help="Use the release although its state is unknown.")
]
ProtocolName = Annotated[
    str | None,
    typer.Option(
        "--protocol",
        help="published: rules and settings as the published runs had them (paper edition).",
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
        help="Stop after N provider failures in a row (default: 10; 0 = never).",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Estimate calls, tokens and cost without calling a model."),
]

"""The arguments and options that verbs share.

Words that are not causarium's own become values once, here. Options that go to Inspect keep their
texts: `engine.run.options` knows their types.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from causarium.cli.short_help import print_whole_help
from causarium.errors import UsageError

_TEXT_RULES = ("prompts", "release")
"""Rules that are paths, whatever characters are in them."""
_BARE = {"retry_on_error": 1}
"""What an option stands for that may be typed without a value, and is then not `true`."""


class Words(NamedTuple):
    """What was typed beside causarium's own options."""

    options: dict[str, Any]
    """Options for Inspect, by the names of its parameters."""
    others: list[str]
    """What is no option, in order."""


def split_words(words: Sequence[str], own: Sequence[str] = ()) -> Words:
    """Tell options for Inspect from what stands between them.

    Args:
        words: What was typed.
        own: Options of the verb's own, to suggest where one is misspelt.

    Raises:
        UsageError: There is no such option, or it lacks its value.

    Example:
        >>> split_words(["--epochs", "3", "-M", "a=1", "--no-log-images", "mine"])
        Words(options={'epochs': '3', 'log_images': False, 'model_args': {'a': 1}}, others=['mine'])
    """
    from causarium.engine.run.options import OPTION_KINDS, PAIRS, check_name, read_pairs

    names = {word: name for name, word in PAIRS.items()}
    options: dict[str, Any] = {}
    pairs: dict[str, list[str]] = {}
    others: list[str] = []
    left = list(words)
    while left:
        word, sign, text = left.pop(0).partition("=")
        if not word.startswith("-") or word == "-":
            others.append(word + sign + text)
        elif word in names:
            pairs.setdefault(names[word], []).append(text if sign else _take(word, left))
        else:
            name = word.lstrip("-").replace("-", "_")
            off = name.removeprefix("no_")
            check_name(name if name in OPTION_KINDS else off, own)
            if name in OPTION_KINDS:
                options[name] = text if sign else _read_value(name, left)
            else:
                options[off] = _turn_off(off)
    for name, given in pairs.items():
        options[name] = read_pairs(given, PAIRS[name])
    return Words(options, others)


def _read_value(name: str, left: list[str]) -> Any:  # noqa: ANN401
    """Return the value of an option; takes the word that follows where that is it."""
    from causarium.engine.run.options import may_stand_alone, option_word

    alone = may_stand_alone(name)
    if alone or ((alone is None or name in _BARE) and (not left or left[0].startswith("-"))):
        return _BARE.get(name, True)
    return _take(option_word(name), left)


def _turn_off(name: str) -> Any:  # noqa: ANN401
    """Return what `--no-NAME` says."""
    from causarium.engine.run.options import may_stand_alone, option_word

    if name == "epochs_reducer":
        return []
    if may_stand_alone(name) is False and name not in _BARE:
        raise UsageError(f"{option_word(name)} takes a value and cannot be turned off")
    return False


def _take(word: str, left: list[str]) -> str:
    if not left:
        raise UsageError(f"{word} requires an argument")
    return left.pop(0)


def read_words(
    family: str, words: Sequence[str], own: Sequence[str] = ()
) -> tuple[str, dict[str, Any]]:
    """Return the family and the options for Inspect, in whatever order they came.

    Args:
        family: What stands where the family is expected: a family, `all`, or an option.
        words: The other words.
        own: Options of the verb's own, to suggest where one is misspelt.

    Raises:
        UsageError: There is no family, or more than one, or an option cannot be read.
    """
    if family.startswith("-"):
        options, others = split_words([family, *words], own)
        if len(others) != 1:
            raise UsageError("name one family, or all: causarium run FAMILY --model PROVIDER/MODEL")
        return others[0], options
    options, others = split_words(words, own)
    if others:
        raise UsageError(f"Unexpected argument {others[0]!r}; give one family or `all`.")
    return family, options


def read_rules(texts: Sequence[str]) -> dict[str, Any]:
    """Read rules that were typed as NAME=VALUE, each value as YAML.

    Raises:
        UsageError: One has no `=`, or its value is not YAML.
    """
    from causarium.engine.run.options import read_pairs

    rules: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"a rule must be NAME=VALUE; {text!r} has no '='")
        # A rule's name is a rule's name: a dash in it is no underscore.
        read = read_pairs([f"value={value}"], f"--rule {name}")["value"]
        rules[name] = value if name in _TEXT_RULES else read
    return rules


FamilyName = Annotated[str, typer.Argument(metavar="FAMILY", help="Family; see `causarium list`.")]
EditionName = Annotated[str, typer.Option("--edition", help="Edition: certified or paper.")]
PlayedEdition = Annotated[
    str | None, typer.Option("--edition", help="Edition: certified, or paper (the published one).")
]
SetName = Annotated[str, typer.Option("--set", help="Name of the set.")]
SetFile = Annotated[
    str | None,
    typer.Option(
        "--file", help="Use a set of your own: a file (.jsonl), or a folder of parts; URLs too."
    ),
]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="N instances, spread evenly over the rungs.")
]
RungsOf = Annotated[
    str | None, typer.Option("--rungs", metavar="A-B", help="Only these rungs of the ladder.")
]
WholeHelp = Annotated[
    bool,
    typer.Option(
        "--help-all",
        callback=lambda ctx, value: print_whole_help(ctx, wanted=value),
        is_eager=True,
        help="Show everything and exit.",
    ),
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


LogPlaces = Annotated[
    list[str], typer.Argument(metavar="LOGDIR...", help="Logs, or folders of them; URLs too.")
]
Unverified = Annotated[
    bool, typer.Option("--unverified", help="Also count rows that failed verification.")
]
LogDir = Annotated[str, typer.Option("--log-dir", help="Log folder; URLs too (s3://...).")]
PlayerName = Annotated[
    str | None,
    typer.Option("--player", "--baseline", help="Baseline to run instead of a model."),
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Model, as in openai/gpt-5; on this machine: `local`, `local:FILE.gguf`, "
        "`local-hf:FOLDER`, `recorded:FILE`.",
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
    str | None, typer.Option("--agent", help="Your own agent: FILE.py@NAME or PACKAGE.MODULE:NAME.")
]
AgentBoundary = Annotated[
    str | None,
    typer.Option(
        "--agent-boundary",
        help="Where your agent runs: sandbox (default), or none (it could then read the truth).",
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
    typer.Option("--dry-run", help="Estimate calls, tokens, cost, time; no model is called."),
]

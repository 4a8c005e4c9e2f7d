"""What the verbs share: where talk goes, how JSON is printed, what a family argument means."""

import json
import sys
from typing import Annotated, Any

import typer

from causarium.contract.family import AnyFamily

INCOMPLETE = 3
"""The exit code of a run that finished without a score for every instance."""

COMMANDS: dict[str, dict[str, Any]] = {
    "run": {"context_settings": {"allow_extra_args": True, "ignore_unknown_options": True}}
}
"""What a verb needs beyond the defaults."""

FamilyName = Annotated[str, typer.Argument(metavar="FAMILY", help="A family; see `list`.")]
EditionName = Annotated[str, typer.Option("--edition", help="certified, or paper.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else.")]


def talk(text: str) -> None:
    """Say something to the person, on stderr."""
    print(text, file=sys.stderr)


def print_json(value: object) -> None:
    """Print one JSON value on one line of stdout; what is not a number is null."""
    print(json.dumps(_finite(value), ensure_ascii=False))


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and value != value:  # noqa: PLR0124 - nan alone differs from itself
        return None
    return value


def family_of(name: str) -> AnyFamily:
    """Return the family called `name`, or say which there are."""
    from causarium import families

    return families.get(name)

"""What the verbs share: where notes go, how JSON is printed, exit codes."""

import json
import sys

INCOMPLETE = 3
"""The exit code of a run that finished without a score for every instance."""


def print_note(text: str) -> None:
    """Print something for the person, on stderr."""
    print(text, file=sys.stderr)


def print_json(value: object) -> None:
    """Print one JSON value on one line of stdout; what is not a number is null."""
    print(json.dumps(_without_nan(value), ensure_ascii=False))


def _without_nan(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    if isinstance(value, float) and value != value:  # noqa: PLR0124 - nan alone differs from itself
        return None
    return value

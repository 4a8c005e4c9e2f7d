"""What the verbs share: where notes go, how JSON is printed, exit codes."""

import json
import re
import sys

from causarium.contract.frozen import nan_to_null, replace_unprintable

_CONTROLS = re.compile(r"[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What JSON lets stand in a text and a terminal would obey."""
INCOMPLETE = 3
"""The exit code of a run that finished without a score for every instance."""


def print_note(text: str) -> None:
    """Print something for the person, on stderr, without what a terminal would obey."""
    print(make_printable(text), file=sys.stderr)


def print_line(text: str) -> None:
    """Print something that a log may have a part in, on stdout, as `print_note` does."""
    print(make_printable(text))


def make_printable(text: str) -> str:
    """Return a text without anything that a terminal would obey."""
    return "\n".join(replace_unprintable(line) for line in text.split("\n"))


def print_json(value: object) -> None:
    """Print one JSON value on one line of stdout; what is not a number is null."""
    text = json.dumps(nan_to_null(value), ensure_ascii=False)
    print(_CONTROLS.sub(lambda found: f"\\u{ord(found.group()):04x}", text))

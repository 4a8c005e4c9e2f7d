"""The command line: one file a verb, each of which parses, calls the API and prints.

Data goes to stdout, notes to stderr. Exit 0: done; 1: a check failed; 2: wrong usage;
3: finished but incomplete. Heavy imports are inside the verbs, so that `--help` and `list`
answer at once.
"""

import sys

from causarium.cli.commands import app
from causarium.cli.shared import print_note
from causarium.errors import RunError, UsageError

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        app(prog_name="causarium")
    except (UsageError, RunError) as wrong:
        print_note(str(wrong))
        sys.exit(2 if isinstance(wrong, UsageError) else 1)

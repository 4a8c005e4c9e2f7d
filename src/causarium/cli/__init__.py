"""The command line: one file a verb, each of which parses, calls and prints.

Data goes to stdout, talk to stderr. Exit 0: done; 1: a check failed; 2: asked wrongly;
3: finished but incomplete. Heavy imports are inside the verbs, so that `--help` and `list`
answer at once.
"""

import sys

from causarium.cli.commands import app
from causarium.cli.shared import talk
from causarium.errors import RunError, UsageError

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        app()
    except (UsageError, RunError) as wrong:
        talk(str(wrong))
        sys.exit(2 if isinstance(wrong, UsageError) else 1)

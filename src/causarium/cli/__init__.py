"""The command line: each verb parses, calls the API and prints.

Data goes to stdout, notes to stderr. Exit 0: done; 1: a check failed; 2: wrong usage;
3: finished but incomplete. Heavy imports are inside the verbs, so that `--help` and `list`
answer at once.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from causarium.cli.commands import app

__all__ = ["app", "main"]


def __getattr__(name: str) -> object:
    if name != "app":
        raise AttributeError(f"module 'causarium.cli' has no attribute {name!r}")
    from causarium.cli.commands import app

    return app


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        # Before the verbs are loaded: scripts ask this often.
        import causarium

        print(f"causarium {causarium.__version__}")
        return
    from causarium.cli.commands import app
    from causarium.cli.shared import print_note
    from causarium.errors import RunError, UsageError

    try:
        app(prog_name="causarium")
    except (UsageError, RunError) as wrong:
        print_note(str(wrong))
        sys.exit(2 if isinstance(wrong, UsageError) else 1)

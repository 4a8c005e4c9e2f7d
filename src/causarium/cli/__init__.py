"""The command line: one file a verb, each of which parses, calls and prints.

Data goes to stdout, talk to stderr. Exit 0: done; 1: a check failed; 2: asked wrongly;
3: finished but incomplete. Heavy imports are inside the verbs, so that `--help` and `list`
answer at once.
"""

import sys

import typer

from causarium.cli import (
    certify,
    check,
    demo,
    generate,
    list_,
    new_family,
    play,
    published,
    report,
    run,
    score,
    show,
    web,
)
from causarium.cli.app import COMMANDS, talk
from causarium.errors import RunError, UsageError

app = typer.Typer(
    name="causarium",
    help="Generate, run, score and explain benchmarks of causal reasoning.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

for verb in (
    demo.demo,
    list_.list_,
    show.show,
    generate.generate,
    run.run,
    score.score,
    certify.certify,
    report.report,
    published.published,
    play.play,
    web.web,
    check.check,
    new_family.new_family,
):
    app.command(verb.__name__.strip("_").replace("_", "-"), **COMMANDS.get(verb.__name__, {}))(verb)


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        app()
    except (UsageError, RunError) as wrong:
        talk(str(wrong))
        sys.exit(2 if isinstance(wrong, UsageError) else 1)

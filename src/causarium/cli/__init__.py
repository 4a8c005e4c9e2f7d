"""The command line: one file a verb, each of which parses, calls and prints.

Data goes to stdout, talk to stderr. Exit 0: done; 1: a check failed; 2: asked wrongly;
3: finished but incomplete. Heavy imports are inside the verbs, so that `--help` and `list`
answer at once.
"""

import sys

import click
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
)
from causarium.cli.app import COMMANDS, talk
from causarium.errors import UnknownName, UsageError

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
    check.check,
    new_family.new_family,
):
    app.command(verb.__name__.strip("_").replace("_", "-"), **COMMANDS.get(verb.__name__, {}))(verb)


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        code = app(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as wrong:
        click.echo(wrong.ctx.get_help() if wrong.ctx else "")
        code = 2
    except click.ClickException as wrong:
        talk(_sentence(wrong))
        code = wrong.exit_code
    except UsageError as wrong:
        talk(str(wrong))
        code = 2
    except (KeyboardInterrupt, click.Abort):
        talk("stopped; the same command goes on from here")
        code = 130
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    sys.exit(code or 0)


def _sentence(wrong: click.ClickException) -> str:
    if isinstance(wrong, click.UsageError) and "No such command" in wrong.message:
        given = wrong.message.split("'")[1]
        names = [command.name or "" for command in app.registered_commands]
        return str(UnknownName("command", given, names))
    where = wrong.ctx.command_path if isinstance(wrong, click.UsageError) and wrong.ctx else ""
    hint = f"; `{where} --help` lists what there is" if where else ""
    return f"{wrong.format_message().rstrip('.')}{hint}"

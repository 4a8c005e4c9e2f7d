"""The verbs of the command line, in the order in which help shows them."""

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Annotated, Any, TypeAlias

import typer
from typer.core import TyperCommand

from causarium import families
from causarium.cli.options import WholeHelp
from causarium.cli.shared import print_note
from causarium.cli.short_help import ShortGroup, ShortRun
from causarium.errors import UsageError

VERBS = {
    "demo": "runs",
    "list_families": "families",
    "show": "families",
    "generate": "sets",
    "run": "runs",
    "sweep": "runs",
    "score": "logs",
    "score_answers": "logs",
    "verify": "logs",
    "seal": "logs",
    "certify": "sets",
    "audit": "runs",
    "attack": "runs",
    "merge": "sets",
    "report": "logs",
    "submit": "logs",
    "leaderboard": "logs",
    "published": "families",
    "release": "families",
    "reproduce": "runs",
    "web": "logs",
    "check": "families",
    "new_family": "families",
}
"""Each verb is a function, in the module of `verbs` that is named beside it."""
_NAMES = {"list_families": "list"}
_PASSES_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
_SETTINGS: dict[str, Any] = {"run": _PASSES_ON, "reproduce": _PASSES_ON}
"""What typer needs for verbs that pass options on to Inspect."""
_CLASSES: dict[str, type[TyperCommand]] = {"run": ShortRun}
"""The verbs with a help of their own."""
COMMANDS_GROUP = "causarium.commands"
"""The entry-point group under which another package brings commands."""

Command: TypeAlias = typer.Typer | Callable[..., None]
"""Several commands below one name, or one that is a function."""


def find_brought_commands() -> dict[str, Command]:
    """Return the commands that other packages bring, by name."""
    commands: dict[str, Command] = {}
    for point in entry_points(group=COMMANDS_GROUP):
        try:
            commands.setdefault(point.name, point.load())
        except Exception as wrong:  # noqa: BLE001 - another package's code may fail in any way
            reason = f"{type(wrong).__name__}: {wrong}"
            print_note(f"the commands of {point.name} cannot be loaded ({reason})")
    return commands


def _stand_in(command: str, package: str) -> Callable[[typer.Context], None]:
    """Return a command that says which package brings the real one, whatever else is typed."""

    def ask_for_package(_: typer.Context) -> None:
        raise UsageError(f"{command} is in a separate package: pip install {package}")

    return ask_for_package


def _print_version(*, wanted: bool) -> None:
    if wanted:
        import causarium

        print(f"causarium {causarium.__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
]

app = typer.Typer(
    name="causarium",
    cls=ShortGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def causarium(*, version: Version = False, help_all: WholeHelp = False) -> None:
    """Generate, run, score and explain benchmarks of causal reasoning."""


for verb, module in VERBS.items():
    named = _NAMES.get(verb, verb.replace("_", "-"))
    function = getattr(import_module(f"causarium.cli.verbs.{module}"), verb)
    app.command(name=named, cls=_CLASSES.get(verb), context_settings=_SETTINGS.get(verb))(function)
brought = find_brought_commands()
for name, command in brought.items():
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name)
    else:
        app.command(name=name)(command)
for name, package in families.COMMAND_PACKAGES.items():
    if name not in brought:
        app.command(
            name=name, help=f"Needs a package: pip install {package}.", context_settings=_PASSES_ON
        )(_stand_in(name, package))

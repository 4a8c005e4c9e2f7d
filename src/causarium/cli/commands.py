"""The verbs of the command line, in the order in which help shows them."""

from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Annotated, Any

import typer

from causarium.cli.shared import print_note

VERBS: dict[str, dict[str, Any]] = {
    "demo": {},
    "list_families": {"name": "list"},
    "show": {},
    "sets.generate": {},
    "run": {"context_settings": {"allow_extra_args": True, "ignore_unknown_options": True}},
    "local_model": {},
    "score": {},
    "score_answers": {},
    "verify": {},
    "seal": {},
    "sets.certify": {},
    "audit": {},
    "attack": {},
    "sets.merge": {},
    "report": {},
    "published": {},
    "reproduce": {"context_settings": {"allow_extra_args": True, "ignore_unknown_options": True}},
    "play": {},
    "web": {},
    "sets.export": {},
    "sets.data_card": {},
    "mcp": {},
    "check": {},
    "new_family": {},
}
"""Each verb is a function in a module of its name in `verbs`, with what typer needs beyond it."""
FAMILY_COMMANDS = "causarium.family_commands"
"""The package whose modules bring the commands of our own families."""
COMMANDS_GROUP = "causarium.commands"
"""The entry-point group under which a family outside this package brings its own."""


def find_family_commands() -> dict[str, typer.Typer]:
    """Return the commands that families bring, by family: each has an `app` of its own."""
    package = import_module(FAMILY_COMMANDS)
    commands = {
        module.name: import_module(f"{FAMILY_COMMANDS}.{module.name}").app
        for module in iter_modules(package.__path__)
    }
    for point in entry_points(group=COMMANDS_GROUP):
        try:
            commands.setdefault(point.name, point.load())
        except Exception as wrong:  # noqa: BLE001 - another package's code may fail in any way
            reason = f"{type(wrong).__name__}: {wrong}"
            print_note(f"the commands of {point.name} cannot be loaded ({reason})")
    return commands


def _print_version(*, wanted: bool) -> None:
    if wanted:
        import causarium

        print(f"causarium {causarium.__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
]

app = typer.Typer(name="causarium", no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def causarium(*, version: Version = False) -> None:
    """Generate, run, score and explain benchmarks of causal reasoning."""


for module_name, needs in VERBS.items():
    name = module_name.rpartition(".")[2]
    verb = getattr(import_module(f"causarium.cli.verbs.{module_name}"), name)
    app.command(**{"name": name.replace("_", "-"), **needs})(verb)
for family, commands in find_family_commands().items():
    app.add_typer(commands, name=family)

"""The verbs of the command line, in the order in which help shows them."""

from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules

import typer

from causarium.cli import (
    certify,
    check,
    demo,
    generate,
    list_families,
    local_model,
    new_family,
    play,
    published,
    report,
    run,
    score,
    score_answers,
    show,
    web,
)
from causarium.cli.shared import COMMANDS

FAMILY_COMMANDS = "causarium.family_commands"
"""The package whose modules bring the commands of our own families."""
COMMANDS_GROUP = "causarium.commands"
"""The entry-point group under which a family outside this package brings its own."""


def find_family_commands() -> dict[str, typer.Typer]:
    """Return the commands that families bring, by family: each has an `app` of its own."""
    package = import_module(FAMILY_COMMANDS)
    found = {
        module.name: import_module(f"{FAMILY_COMMANDS}.{module.name}").app
        for module in iter_modules(package.__path__)
    }
    for point in entry_points(group=COMMANDS_GROUP):
        found.setdefault(point.name, point.load())
    return found


app = typer.Typer(
    name="causarium",
    help="Generate, run, score and explain benchmarks of causal reasoning.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

for verb in (
    demo.demo,
    list_families.list_,
    show.show,
    generate.generate,
    run.run,
    local_model.local_model,
    score.score,
    score_answers.score_answers,
    certify.certify,
    report.report,
    published.published,
    play.play,
    web.web,
    check.check,
    new_family.new_family,
):
    app.command(verb.__name__.strip("_").replace("_", "-"), **COMMANDS.get(verb.__name__, {}))(verb)
for family, commands in find_family_commands().items():
    app.add_typer(commands, name=family)

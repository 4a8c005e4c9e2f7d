"""The verbs of the command line, in the order in which help shows them."""

import typer

from causarium.cli import (
    certify,
    check,
    demo,
    generate,
    list_,
    local_model,
    new_family,
    play,
    published,
    recite,
    report,
    run,
    score,
    show,
    web,
)
from causarium.cli.app import COMMANDS

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
    local_model.local_model,
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
app.add_typer(recite.app, name="recite")

"""`causarium recite`: what only that family needs: datasets, published and of one's own."""

import typer

from causarium_recite_lab.commands import analysis, build, collect, datasets, slots

app = typer.Typer(help="ReCITE datasets: the published one, and your own.", no_args_is_help=True)


@app.callback()
def recite() -> None:
    """ReCITE datasets: the published one, and your own."""


app.command("build")(build.build)
collect.add_to(app)
slots.add_to(app)
datasets.add_to(app)
analysis.add_to(app)

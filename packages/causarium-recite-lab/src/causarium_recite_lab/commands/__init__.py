"""`causarium recite`: what only that family needs: datasets, published and of one's own."""

import typer

from causarium_recite_lab.commands import analysis, build, datasets

app = typer.Typer(help="ReCITE datasets: the published one, and your own.", no_args_is_help=True)
for _command in (
    *(build.build, build.collect),
    *(datasets.fetch, datasets.stats, datasets.tasks, datasets.responses),
    *(analysis.analysis, analysis.trust, analysis.label),
):
    app.command()(_command)

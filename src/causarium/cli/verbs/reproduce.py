"""`causarium reproduce`: play a published table again."""

from typing import Annotated

import typer

from causarium.cli import options as given
from causarium.cli import run_options as play
from causarium.cli.completion import complete_family
from causarium.cli.shared import print_json, print_note


def reproduce(
    ctx: typer.Context,
    family: Annotated[
        str | None,
        typer.Argument(metavar="[FAMILY]", help="Family.", autocompletion=complete_family),
    ] = None,
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="7, or 'Table 7', or 'Figure 3'.")
    ] = None,
    *,
    model: play.ModelName = None,
    player: play.PlayerName = None,
    price: play.Prices = None,
    budget: play.Budget = None,
    limit: given.Limit = None,
    dry_run: play.DryRun = False,
    log_dir: play.LogDir = "logs",
    json: given.AsJson = False,
) -> None:
    """Reproduce a published table: rows, commands and cost; with --model, run it.

    Without a table, lists the available ones. Other options go to Inspect, as with `run`.
    """
    from causarium import published as papers
    from causarium.api.plan_run import RunRequest
    from causarium.api.reproduce import MODEL
    from causarium.api.reproduce import reproduce as find_reproduction
    from causarium.cli.option_words import read_words
    from causarium.report.output import print_reproduction as output

    if family is None or table is None:
        names = (family,) if family else papers.families()
        listed = [listed for name in names for listed in papers.tables(name)]
        print_json(output.describe_tables(listed)) if json else output.print_tables(listed)
        return
    ours = [word for param in ctx.command.params for word in param.opts]
    again = find_reproduction(family, table)
    request = RunRequest(
        family,
        model=model,
        player=player,
        limit=limit,
        prices=price or (),
        budget=budget,
        options=read_words(family, ctx.args, ours)[1],
        log_dir=log_dir,
    )
    if (model is None and player is None) or dry_run:
        estimates = again.estimate(request)
        if json:
            print_json(output.describe_plan(again.table, again.commands(), estimates))
        else:
            output.print_plan(again.table, again.commands(model or MODEL), estimates)
        return
    runs = again.play(request)
    own = again.beside(runs)
    if json:
        everything = [*papers.rows(family, again.table.name), *own]
        print_json([row.model_dump(mode="json") for row in everything])
        return
    output.print_beside(again.table, own)
    print_note(f"next: causarium report {' '.join(place for run in runs for place in run.places)}")

"""`causarium run`: run a model or a reference player on a set."""

from functools import partial
from typing import Annotated

import typer

from causarium.cli import options as given
from causarium.cli import run_options as play
from causarium.cli.completion import complete_family
from causarium.cli.run_sequence import run_all, start_and_print
from causarium.cli.shared import print_json, print_note


def run(
    ctx: typer.Context,
    family: Annotated[
        str,
        typer.Argument(
            metavar="FAMILY|all", help="Family, or all.", autocompletion=complete_family
        ),
    ],
    *,
    player: play.PlayerName = None,
    model: play.ModelName = None,
    agent: play.AgentFile = None,
    agent_boundary: play.AgentBoundary = None,
    edition: given.EditionName = "certified",
    set_name: given.SetName = "standard",
    file: given.SetFile = None,
    rule: play.GivenRules = None,
    limit: given.Limit = None,
    price: play.Prices = None,
    budget: play.Budget = None,
    breaker: play.Breaker = None,
    dry_run: play.DryRun = False,
    log_dir: play.LogDir = "logs",
    shard: given.ShardOf = None,
    jobs: given.Jobs = 1,
    engine: given.EngineName = None,
    json: given.AsJson = False,
) -> None:
    """Run a model or a reference player on a set. Run again to resume.

    All other options go to Inspect: --temperature 0.6, --epochs 3, --max-connections 20,
    --model-role judge=PROVIDER/MODEL and whatever else `inspect eval-set --help` lists.
    """
    from causarium.api.evaluate import estimate_runs
    from causarium.api.prepare_run import RunRequest, parse_families, parse_rules, prepare_runs
    from causarium.api.scale.workers import Workers
    from causarium.report.output.print_estimate import describe_estimates, print_estimates

    own = [name for param in ctx.command.params for name in param.opts]
    names, words = parse_families(family, ctx.args, own)
    request = RunRequest(
        names,
        *(model, player, agent, edition, set_name, file),
        rules=parse_rules(rule or ()),
        limit=limit,
        prices=price or (),
        budget=budget,
        breaker=breaker,
        options=words,
        own_options=own,
        agent_boundary=agent_boundary,
        shard=shard,
    )
    workers = Workers.parse(jobs, engine)
    prepared = prepare_runs(request, register=not dry_run)
    if dry_run:
        estimates = estimate_runs(prepared)
        print_json(describe_estimates(estimates)) if json else print_estimates(estimates)
        return
    with prepared.gate(log_dir), prepared.model.open_connection(print_note):
        run_all(
            {
                name: partial(start_and_print, prepared, number, log_dir, workers, json=json)
                for number, name in enumerate(names)
            }
        )

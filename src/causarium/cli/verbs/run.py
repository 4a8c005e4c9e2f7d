"""`causarium run`: run a model or a reference player on a set."""

from functools import partial
from typing import Annotated

import typer

from causarium.cli import options as given
from causarium.cli import run_options as play
from causarium.cli.completion import complete_family
from causarium.cli.run_sequence import number_places, run_all, run_and_print
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
    from causarium import families
    from causarium.api.evaluate import estimate_plan
    from causarium.api.plan_run import RunRequest, plan_run
    from causarium.api.scale.workers import Workers
    from causarium.cli.option_words import read_rules, read_words
    from causarium.engine.run.run_plan import open_calls
    from causarium.report.output.print_estimate import describe_estimates, print_estimates

    own = [word for param in ctx.command.params for word in param.opts]
    named, options = read_words(family, ctx.args, own)
    names = families.names() if named == "all" else (named,)
    workers, rules = Workers.parse(jobs, engine), read_rules(rule or ())
    plans = [
        plan_run(
            RunRequest(
                name,
                *(model, player, agent, edition, set_name, file),
                rules=rules,
                limit=limit,
                prices=price or (),
                budget=budget,
                breaker=breaker,
                options=options,
                agent_boundary=agent_boundary,
                shard=shard,
                log_dir=log_dir,
                beside=names,
            )
        )
        for name in names
    ]
    if dry_run:
        estimates = [estimate_plan(plan) for plan in plans]
        print_json(describe_estimates(estimates)) if json else print_estimates(estimates)
        return
    with open_calls(plans, print_note):
        run_all(
            {
                plan.family: partial(run_and_print, plan, place, workers, json=json)
                for plan, place in zip(plans, number_places(len(plans)), strict=True)
            }
        )

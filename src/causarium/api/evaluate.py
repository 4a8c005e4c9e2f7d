"""Running through Inspect, and estimating what a run would take.

A run goes one way: a request is planned (`api.plan_run`), the plan is run (`engine.run.run_plan`),
and what the run left is read (`api.read_run`). It may be shared out among processes: each plays a
shard into a log of its own.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeAlias

from causarium import families
from causarium.api.plan_run import RunRequest, plan_run, share_plan
from causarium.api.read_run import Run, read_run
from causarium.api.scale.workers import HERE, Workers, run_tasks
from causarium.contract.family import AnyInstance
from causarium.contract.rules import check_edition
from causarium.contract.rungs import parse_rungs
from causarium.contract.sets.instance_sets import (
    choose_numbers,
    find_set,
    generate_one,
    read_set,
)
from causarium.engine.gate import AGENT
from causarium.engine.run.estimate import (
    AT_ONCE,
    Estimate,
    estimate_run,
    in_dollars,
    spread_evenly,
)
from causarium.engine.run.run_plan import RunPlan, open_calls, run_plan
from causarium.errors import UsageError

Roles: TypeAlias = Mapping[str, str | Sequence[str]]
"""The helper models of a run, by role; several judge by majority."""


def evaluate(  # noqa: PLR0913
    family: str,
    *,
    model: str | None = None,
    player: str | None = None,
    agent: str | None = None,
    agent_boundary: str | None = None,
    edition: str | None = None,
    set: str = "standard",
    file: str | Path | None = None,
    rules: Mapping[str, Any] | None = None,
    roles: Roles | None = None,
    limit: int | None = None,
    rungs: str | None = None,
    price: str | Sequence[str] = (),
    budget: float | None = None,
    breaker: int | None = None,
    log_dir: str | Path = "logs",
    release: str | Path | None = None,
    release_anyway: bool = False,
    protocol: str | None = None,
    progress: bool = True,
    **inspect_options: Any,  # noqa: ANN401
) -> Run:
    """Run a model or a reference player through Inspect.

    The same call resumes an interrupted run, and returns a finished one without running it again.

    Args:
        family: One of `list_families()`.
        model: PROVIDER/MODEL, `local`, `local:FILE.gguf`, `local-hf:FOLDER` or `recorded:FILE`.
            Give this or `player`.
        player: The name of a reference player.
        agent: Your own agent: FILE.py@NAME or PACKAGE.MODULE:NAME.
        agent_boundary: Where it runs: `sandbox`, unless `none` is said: in reach of the truth.
        edition: `certified` or `paper`; None: `paper` for what was published.
        set: The name of a set.
        file: A set file (.jsonl) in place of a named set.
        rules: Changes to the rules of the edition.
        roles: Models for roles, as in `{"judge": "openai/gpt-5"}`.
        limit: Run so many instances, spread evenly over rungs or levels.
        rungs: Run only these rungs of a ladder, as in `3` or `5-9`.
        price: US dollars per million tokens: IN,OUT or ROLE=IN,OUT; several as a list.
        budget: US dollars that the run may spend, helpers included; the calls that are under way
            when it is reached are paid beside it.
        breaker: So many failures of the provider in a row end the run; 10 if not given, 0: never.
        log_dir: The folder of logs.
        release: A clone of the published release, to be played from, in the paper edition.
        release_anyway: Whether an unknown state of it will do; the run's card says what is unknown.
        protocol: `published`: rules and settings as the published runs had them.
        progress: Whether to show on stderr how the run goes.
        inspect_options: Any option of Inspect's `eval_set`: `epochs=3`, `temperature=0.6`, …

    Raises:
        UsageError: Something that was asked for cannot work, such as both model and player.
        RunError: The run failed beyond single instances.
    """
    plan = _plan(
        family,
        model=model,
        player=player,
        agent=agent,
        agent_boundary=agent_boundary,
        edition=edition,
        set=set,
        file=file,
        rules=rules,
        roles=roles,
        limit=limit,
        rungs=rungs,
        price=price,
        budget=budget,
        breaker=breaker,
        log_dir=log_dir,
        release=release,
        release_anyway=release_anyway,
        protocol=protocol,
        **inspect_options,
    )
    with open_calls([plan], _say if progress else lambda _: None):
        folder = run_plan(plan, progress=progress)
    return read_run([folder])


def estimate(family: str, **given: Any) -> Estimate:  # noqa: ANN401
    """Estimate calls, tokens and cost of a run; no model is called.

    Args:
        family: One of `list_families()`.
        given: What `evaluate` takes: model, player, set, rules, price and so on.

    Raises:
        UsageError: Something that was asked for cannot work.
    """
    return estimate_plan(_plan(family, **given))


def _plan(
    family: str,
    *,
    rules: Mapping[str, Any] | None = None,
    roles: Roles | None = None,
    price: str | Sequence[str] = (),
    **given: Any,  # noqa: ANN401
) -> RunPlan:
    """Plan a run; what is no field of a request is an option of Inspect's."""
    asked = {
        field.name: given.pop(field.name) for field in fields(RunRequest) if field.name in given
    }
    return plan_run(
        RunRequest(
            family,
            rules=rules or {},
            prices=(price,) if isinstance(price, str) else tuple(price),
            options={"model_roles": roles or None, **given},
            **asked,
        )
    )


def estimate_plan(plan: RunPlan) -> Estimate:
    """Estimate what a planned run would take; nobody is asked."""
    edition, options = check_edition(plan.edition), plan.options
    family = families.get(plan.family, edition)
    rules = family.rules_for(edition, **plan.rules)
    family = family.with_release(rules, edition)
    instances, size = _pick_instances(plan)
    taken = estimate_run(family, instances, rules, options, count=size)
    if plan.player:
        taken.pop(AGENT)
    cost = in_dollars(taken, plan.prices)
    return Estimate(
        family=family.name,
        edition=plan.edition,
        set=plan.played,
        agent=plan.who,
        interface=rules.interface,
        at_once=options.given.get("max_connections") or AT_ONCE,
        instances=size,
        epochs=options.epochs,
        played=len(instances),
        taken=taken,
        cost=cost[:2] if cost else None,
        likely_cost=cost[2] if cost else None,
        unpriced=tuple(role for role in taken if role not in plan.prices),
    )


def _pick_instances(plan: RunPlan) -> tuple[list[AnyInstance], int]:
    """Return some of the instances that would be played, and how many there are."""
    edition = check_edition(plan.edition)
    family = families.get(plan.family, edition)
    if plan.file is not None:
        everything = read_set(plan.file, family)[1]
        size = min(len(everything), plan.limit or len(everything))
        some = [everything[index] for index in spread_evenly(size)]
    else:
        parts = find_set(family, edition, plan.set).parts
        chosen = choose_numbers(parts, limit=plan.limit, rungs=parse_rungs(plan.rungs))
        size, mine = len(chosen), [chosen[place] for place in spread_evenly(len(chosen))]
        some = [generate_one(family, edition, plan.set, number) for number in mine]
    if ids := plan.options.given.get("sample_id"):
        size = min(size, len(ids) if isinstance(ids, list) else 1)
    return some, size


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def run_with_workers(
    plan: RunPlan, workers: Workers, watch: Callable[[str], None], *, place: str = ""
) -> Run:
    """Run what is planned, or resume it: here, or as one shard a process.

    Args:
        plan: What to run.
        workers: Who plays.
        watch: Gets the folder of each shard that is done.
        place: What the line of progress begins with.

    Raises:
        UsageError: A budget is given, which only one process can keep.
        RunError: A shard failed beyond single instances.
    """
    if workers == HERE:
        return read_run([run_plan(plan, place=place)])
    if plan.budget is not None:
        raise UsageError(
            "--budget needs a single process; leave out --jobs, or divide the run by --shard"
        )
    # A server of this process is reached by all; what is read from a place each loads itself.
    tasks, folders = list(split_plan(replace(plan, local=None), workers)), []
    for folder in run_tasks(run_shard, tasks, workers):
        folders.append(folder)
        watch(folder)
    return read_run(folders)


def split_plan(plan: RunPlan, workers: Workers) -> Iterator[RunPlan]:
    """Yield what each process plays of a run; those for which no instance is left have none."""
    for shard in plan.shard.split(workers.count_processes()):
        with suppress(UsageError):
            yield share_plan(plan, shard)


def run_shard(plan: RunPlan) -> str:
    """Play one shard; returns the folder of its logs."""
    with open_calls([plan], lambda _: None):
        return run_plan(plan, progress=False)

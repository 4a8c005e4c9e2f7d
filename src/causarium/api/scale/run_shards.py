"""A run shared out among processes: each plays a shard into a log of its own."""

from collections.abc import Callable
from typing import NamedTuple

from causarium.api.evaluate import Run, gather_run, run_spec, start
from causarium.api.prepare_run import PreparedRuns, share_spec
from causarium.api.scale.workers import HERE, Workers, run_tasks
from causarium.contract.shard import Shard
from causarium.engine.gate import BREAKER, open_gate
from causarium.engine.run.prices import AGENT, Price, register_prices
from causarium.engine.run.start_run import RunSpec
from causarium.errors import UsageError


class RunTask(NamedTuple):
    """One shard of a run, as plain data."""

    spec: RunSpec
    log_dir: str
    prices: dict[str, Price]
    models: dict[str, tuple[str, ...]]
    breaker: int


def start_prepared(
    prepared: PreparedRuns,
    number: int,
    log_dir: str,
    workers: Workers,
    watch: Callable[[str], None],
) -> Run:
    """Start a prepared run, or resume it: here, or as one shard a process.

    Args:
        prepared: What was asked for.
        number: Which of its runs.
        log_dir: The folder of logs, on this machine or at a URL.
        workers: Who plays.
        watch: Is told the folder of each shard that is done.

    Raises:
        UsageError: A budget is given, which only one process can keep.
        RunError: A shard failed beyond single instances.
    """
    if workers == HERE:
        count = len(prepared.specs)
        place = f"[{number + 1}/{count}] " if count > 1 else ""
        return start(prepared.specs[number], log_dir, place=place)
    if prepared.budget is not None:
        raise UsageError("one process keeps a budget; leave out --jobs, or share it by --shard")
    spec = prepared.specs[number]
    given = Shard.parse(spec.arguments.get("shard"))
    breaker = BREAKER if prepared.breaker is None else prepared.breaker
    models = {AGENT: (spec.model,), **{r: tuple(m) for r, m in prepared.options.roles.items()}}
    tasks = []
    for shard in given.split(workers.count_processes()):
        try:
            share = share_spec(spec, shard, prepared.limit)
            tasks.append(RunTask(share, log_dir, dict(prepared.prices), models, breaker))
        except UsageError:
            continue
    folders = []
    for folder in run_tasks(run_task, tasks, workers):
        folders.append(folder)
        watch(folder)
    return gather_run(folders)


def run_task(task: RunTask) -> str:
    """Play one shard; returns the folder of its logs."""
    register_prices(task.prices, task.models)
    with open_gate(None, task.breaker):
        return run_spec(task.spec, task.log_dir, progress=False)

"""A run shared out among processes: each plays a shard into a log of its own."""

from collections.abc import Callable
from dataclasses import replace

from causarium.api.plan_run import share_plan
from causarium.api.read_run import Run, read_run
from causarium.api.scale.workers import HERE, Workers, run_tasks
from causarium.engine.run.run_plan import RunPlan, open_calls, run_plan
from causarium.errors import UsageError


def run_with_workers(
    plan: RunPlan, workers: Workers, watch: Callable[[str], None], *, place: str = ""
) -> Run:
    """Run what is planned, or resume it: here, or as one shard a process.

    Args:
        plan: What to run.
        workers: Who plays.
        watch: Is told the folder of each shard that is done.
        place: What the line of progress begins with.

    Raises:
        UsageError: A budget is given, which only one process can keep.
        RunError: A shard failed beyond single instances.
    """
    if workers == HERE:
        return read_run([run_plan(plan, place=place)])
    if plan.budget is not None:
        raise UsageError("one process keeps a budget; leave out --jobs, or share it by --shard")
    # A local model is served by this process, and reached by all.
    shared, tasks = replace(plan, local=None), []
    for shard in plan.shard.split(workers.count_processes()):
        try:
            tasks.append(share_plan(shared, shard))
        except UsageError:
            continue
    folders = []
    for folder in run_tasks(run_shard, tasks, workers):
        folders.append(folder)
        watch(folder)
    return read_run(folders)


def run_shard(plan: RunPlan) -> str:
    """Play one shard; returns the folder of its logs."""
    with open_calls([plan], lambda _: None):
        return run_plan(plan, progress=False)

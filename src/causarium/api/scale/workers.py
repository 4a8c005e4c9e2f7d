"""Who does the work: this process, a pool of processes, or a Ray cluster.

Tasks are plain data and a function that is found again by name, so that any process anywhere can do
them. Results come in the order of the tasks, with only a few tasks handed out ahead; or each as
soon as it is there, with no task handed out before a process is free.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import connection, get_context, parent_process
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from causarium.errors import MissingExtra, RunError, UnknownName, UsageError

Task = TypeVar("Task")
Result = TypeVar("Result")
Handle = TypeVar("Handle")
Engine = Literal["pool", "ray"]

_AHEAD = 2
"""How many tasks a process of the pool has been handed."""
_AHEAD_RAY = 4
_RETRIES = 3


class Workers(NamedTuple):
    """How many processes work, and who starts them."""

    jobs: int = 1
    engine: Engine = "pool"

    @classmethod
    def parse(cls, jobs: int = 1, engine: str | None = None) -> "Workers":
        """Read what was asked for; nought is every core.

        Raises:
            UsageError: The number is negative, there is no such engine, or it is not installed.
        """
        if jobs < 0:
            raise UsageError(f"jobs is a number of processes (0: one for each core), not {jobs}")
        name = engine or "pool"
        if name not in get_args(Engine):
            raise UnknownName("engine", name, get_args(Engine))
        if name == "ray":
            _import_ray()
            return cls(jobs, "ray")
        return cls(jobs or os.cpu_count() or 1, "pool")

    def count_processes(self) -> int:
        """Return how many processes work: as many as Ray has cores, where it may use them all."""
        return self.jobs or _count_cores(_open_ray(self.jobs))


HERE = Workers()
"""This process alone."""


def run_tasks(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    workers: Workers = HERE,
    *,
    in_order: bool = True,
) -> Iterator[Result]:
    """Do tasks, and yield what each returns.

    Args:
        function: A function at the top of a module.
        tasks: What to call it with, each plain data.
        workers: Who does them.
        in_order: Whether results come in the order of the tasks; otherwise in that in which they
            end, so that a long task keeps no process waiting for work.

    Raises:
        RunError: A process was killed.
        Exception: Whatever a task raises; those not handed out yet are not begun.
    """
    if workers.engine == "ray":
        return _run_on_ray(function, tasks, workers.jobs, in_order=in_order)
    if workers.jobs == 1:
        return map(function, tasks)
    return _run_in_pool(function, tasks, workers.jobs, in_order=in_order)


def _run_in_pool(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, *, in_order: bool
) -> Iterator[Result]:
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_die_with_parent)
    try:
        waiting: deque[Future[Result]] = deque()
        handed_out = (pool.submit(function, task) for task in tasks)
        most, take = (_AHEAD * jobs, deque.popleft) if in_order else (jobs, _take_done)
        yield from (done.result() for done in _stay_ahead(handed_out, waiting, most, take))
    except BrokenProcessPool as wrong:
        raise RunError(
            "a process was killed, perhaps for lack of memory; finished work is saved, and the "
            "same command resumes"
        ) from wrong
    finally:
        pool.shutdown(cancel_futures=True)


def _stay_ahead(
    handed_out: Iterable[Handle],
    waiting: deque[Handle],
    most: int,
    take: Callable[[deque[Handle]], Handle],
) -> Iterator[Handle]:
    """Yield tasks as `take` takes them from the waiting ones, never more than so many at once."""
    for handle in handed_out:
        waiting.append(handle)
        if len(waiting) >= most:
            yield take(waiting)
    while waiting:
        yield take(waiting)


def _take_done(waiting: deque[Future[Result]]) -> Future[Result]:
    done = next(iter(wait(waiting, return_when=FIRST_COMPLETED).done))
    waiting.remove(done)
    return done


def _die_with_parent() -> None:
    """End this process when the one that started it is gone, however it went."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _import_ray() -> Any:  # noqa: ANN401 - an extra without types
    try:
        return import_module("ray")
    except ImportError as wrong:
        raise MissingExtra("--engine ray", "ray") from wrong


def _run_on_ray(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, *, in_order: bool
) -> Iterator[Result]:
    ray = _open_ray(jobs)
    remote = ray.remote(function).options(max_retries=_RETRIES)
    cores = jobs or _count_cores(ray)
    waiting: deque[Any] = deque()

    def take_done(waiting: deque[Any]) -> Any:  # noqa: ANN401
        (done,), _ = ray.wait(list(waiting))
        waiting.remove(done)
        return done

    try:
        handed_out = (remote.remote(task) for task in tasks)
        most, take = (_AHEAD_RAY * cores, deque.popleft) if in_order else (cores, take_done)
        ahead = _stay_ahead(handed_out, waiting, most, take)
        yield from (_get(ray, reference) for reference in ahead)
    finally:
        for left in waiting:
            ray.cancel(left)


def _open_ray(jobs: int) -> Any:  # noqa: ANN401
    """Join the cluster that `RAY_ADDRESS` names, or start one on this machine."""
    ray = _import_ray()
    if ray.is_initialized():
        return ray
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if os.environ.get("RAY_ADDRESS"):
        ray.init(log_to_driver=False)
    else:
        ray.init(num_cpus=jobs or None, include_dashboard=False, log_to_driver=False)
    return ray


def _count_cores(ray: Any) -> int:  # noqa: ANN401
    return int(ray.cluster_resources().get("CPU", 1))


def _get(ray: Any, reference: Any) -> Any:  # noqa: ANN401
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as wrong:
        # What the task itself raised stands in it.
        raise wrong.cause from wrong
    except ray.exceptions.RayError as wrong:
        raise RunError(f"Ray lost a task: {wrong}; the same command resumes") from wrong

"""A family's task, and a run of it through Inspect."""

from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from causarium.contract.family import AnyFamily
from causarium.engine.task.family_task import family_scorer, make_task


def task_of(family: AnyFamily, **given: Any) -> Task:
    """Return a family's task with some arguments, on the smoke set unless they name another."""
    return make_task(family, family_scorer(family)(), {"set": "smoke", **given})


def run_task(
    task: Task, folder: Path, model: Model | str | None = "none/none", **options: Any
) -> EvalLog:
    """Run a task to its end and return its log, which lies in the folder."""
    (log,) = eval(task, model=model, log_dir=str(folder), display="none", **options)
    assert log.status == "success", log.error
    return log

"""CausaLab as an Inspect task: `inspect eval causarium/causalab --model ...`."""

from typing import Any

from causarium.engine.task.family_task import Task, family_scorer, make_task, takes_rules, task
from causarium.families import get

FAMILY = get("causalab")
causalab_verdict = family_scorer(FAMILY)


@task(group="causal reasoning", arxiv="https://arxiv.org/abs/2605.26029")
@takes_rules(FAMILY)
def causalab(**given: Any) -> Task:  # noqa: ANN401
    """Experiment on a crystal, predict another one."""
    return make_task(FAMILY, causalab_verdict(), given)

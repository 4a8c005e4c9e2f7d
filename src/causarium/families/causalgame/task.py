"""CausalGame as an Inspect task: `inspect eval causarium/causalgame --model ...`."""

from typing import Any

from causarium.engine.task.family_task import Task, family_scorer, make_task, takes_rules, task
from causarium.families import get

FAMILY = get("causalgame")
causalgame_verdict = family_scorer(FAMILY)


@task(group="causal reasoning")
@takes_rules(FAMILY)
def causalgame(**given: Any) -> Task:  # noqa: ANN401
    """Fit drones for a fleet after test flights that may mislead."""
    return make_task(FAMILY, causalgame_verdict(), given)

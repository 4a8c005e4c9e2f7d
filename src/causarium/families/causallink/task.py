"""CausalLink as an Inspect task: `inspect eval causarium/causallink --model ...`."""

from typing import Any

from causarium.engine.task.family_task import Task, family_scorer, make_task, takes_rules, task
from causarium.families import get

FAMILY = get("causallink")
causallink_verdict = family_scorer(FAMILY)


@task(group="causal reasoning")
@takes_rules(FAMILY)
def causallink(**given: Any) -> Task:  # noqa: ANN401
    """Start and hold objects, or try a graph out, and say whether A causes B."""
    return make_task(FAMILY, causallink_verdict(), given)

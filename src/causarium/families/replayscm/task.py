"""ReplaySCM as an Inspect task: `inspect eval causarium/replayscm --model ...`."""

from typing import Any

from causarium import families
from causarium.engine.task.family_task import Task, family_scorer, make_task, takes_rules, task

FAMILY = families.get("replayscm")
replayscm_verdict = family_scorer(FAMILY)


@task(group="causal reasoning", arxiv="https://arxiv.org/abs/2605.08197")
@takes_rules(FAMILY)
def replayscm(**given: Any) -> Task:  # noqa: ANN401
    """Write the formulas behind tables of 0 and 1."""
    return make_task(FAMILY, replayscm_verdict(), given)

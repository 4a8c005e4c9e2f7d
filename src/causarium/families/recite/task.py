"""ReCITE as an Inspect task: `inspect eval causarium/recite --model ...`."""

from typing import Any

from causarium.engine.task.family_task import Task, family_scorer, make_task, takes_rules, task
from causarium.families import get

FAMILY = get("recite")
recite_verdict = family_scorer(FAMILY)


@task(group="causal reasoning", arxiv="https://arxiv.org/abs/2505.18931")
@takes_rules(FAMILY)
def recite(**given: Any) -> Task:  # noqa: ANN401
    """Draw the causal graph that a text describes."""
    return make_task(FAMILY, recite_verdict(), given)

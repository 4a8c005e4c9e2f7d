"""CausalLink as an Inspect task: `inspect eval causarium/causallink --model ...`."""

from causarium.engine.task.family_task import family_task
from causarium.engine.task.scorer import family_scorer
from causarium.families.causallink import FAMILY

causallink_verdict = family_scorer(FAMILY, __name__)
causallink = family_task(FAMILY, causallink_verdict, __name__)

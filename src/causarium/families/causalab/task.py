"""CausaLab as an Inspect task: `inspect eval causarium/causalab --model ...`."""

from causarium.engine.task.family_task import family_task
from causarium.engine.task.scorer import family_scorer
from causarium.families.causalab import FAMILY

causalab_verdict = family_scorer(FAMILY, __name__)
causalab = family_task(FAMILY, causalab_verdict, __name__)

"""ReplaySCM as an Inspect task: `inspect eval causarium/replayscm --model ...`."""

from causarium.engine.task.family_task import family_task
from causarium.engine.task.scorer import family_scorer
from causarium.families.replayscm import FAMILY

replayscm_verdict = family_scorer(FAMILY, __name__)
replayscm = family_task(FAMILY, replayscm_verdict, __name__)

"""ReplaySCM as an Inspect task: `inspect eval causarium/replayscm --model ...`."""

from causarium.engine.scorer import family_scorer
from causarium.engine.task import family_task
from causarium.families.replayscm import FAMILY

replayscm_verdict = family_scorer(FAMILY, __name__)
replayscm = family_task(FAMILY, replayscm_verdict, __name__)

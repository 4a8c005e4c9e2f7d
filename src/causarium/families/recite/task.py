"""ReCITE as an Inspect task: `inspect eval causarium/recite --model ...`."""

from causarium.engine.task.family_task import family_task
from causarium.engine.task.scorer import family_scorer
from causarium.families.recite import FAMILY

recite_verdict = family_scorer(FAMILY, __name__)
recite = family_task(FAMILY, recite_verdict, __name__)

"""CausalGame as an Inspect task: `inspect eval causarium/causalgame --model ...`."""

from causarium.engine.task.family_task import family_task
from causarium.engine.task.scorer import family_scorer
from causarium.families.causalgame import FAMILY

causalgame_verdict = family_scorer(FAMILY, __name__)
causalgame = family_task(FAMILY, causalgame_verdict, __name__)

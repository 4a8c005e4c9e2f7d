"""CausaLab: discover a hidden mechanism by experiment, and predict with it.

A table of contents: each name below comes from the file of this folder that holds it.

The family has two editions with worlds of their own. The certified one is the bench: what belongs
to it alone is called `Bench...` or stands in a module of that name. All else is the paper edition's
or shared. They part in one place, `by_edition` of `model.stored_instance`.
"""

from causarium.contract.family import Family, Replies
from .generation import generate
from .generation.published import FAMILY_NAME
from .model.actions import ACTIONS
from .model.config import LEVELS, BenchConfig, LabConfig, LabRules
from .model.stored_instance import EitherPublic, EitherSecret, StoredInstance
from .play import open_world
from .play.prompts import prompt
from .play.replies import parse, reply_schema, write_action
from .scoring.score import METRICS, score

FAMILY: Family[LabConfig | BenchConfig, EitherPublic, EitherSecret, LabRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=StoredInstance,
    rules=LabRules,
    actions=ACTIONS,
    generate=generate,
    open_world=open_world,
    prompt=prompt,
    replies=Replies(parse=parse, write=write_action, schema=reply_schema),
    score=score,
    metrics=METRICS,
)

"""The paper edition of CausaLab: intervene on a crystal, and predict the frequency of another one.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from .generation import draw_paper_instance
from .levels import LEVELS, LabConfig, LabRules
from .model.actions import ACTIONS
from .model.instance import FAMILY_NAME, LabPublic, LabSecret, StoredInstance
from .play import open_world
from .play.prompts import prompt
from .play.replies import parse, reply_schema, write_action
from .scoring.score import METRICS, score

FAMILY: Family[LabConfig, LabPublic, LabSecret, LabRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=StoredInstance,
    rules=LabRules,
    actions=ACTIONS,
    generate=draw_paper_instance,
    open_world=open_world,
    prompt=prompt,
    replies=Replies(parse=parse, write=write_action, schema=reply_schema),
    score=score,
    metrics=METRICS,
    edition="paper",
)

"""The paper edition of ReplaySCM: an executable Boolean model of the worlds of interventions.

A table of contents: each name below comes from the room of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from .generation import generate
from .levels import LEVELS, ReplayConfig, ReplayRules
from .model.actions import ACTIONS
from .model.instance import FAMILY_NAME, ReplayPublic, ReplaySecret
from .play.prompts import prompt
from .play.replies import parse, reply_schema, write_action
from .play.world import ReplayWorld
from .scoring.score import METRICS, score

FAMILY: Family[ReplayConfig, ReplayPublic, ReplaySecret, ReplayRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    edition="paper",
    levels=LEVELS,
    instance=Instance[ReplayPublic, ReplaySecret],
    rules=ReplayRules,
    actions=ACTIONS,
    generate=generate,
    open_world=ReplayWorld,
    prompt=prompt,
    replies=Replies(parse=parse, write=write_action, schema=reply_schema),
    score=score,
    metrics=METRICS,
)

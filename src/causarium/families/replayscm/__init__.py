"""ReplaySCM: find an executable Boolean model of the worlds that interventions left behind.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from .generation import generate
from .model.actions import ACTIONS
from .model.config import FAMILY_NAME, LEVELS, ReplayConfig, ReplayRules
from .model.instance import ReplayPublic, ReplaySecret
from .play.prompts import prompt
from .play.replies import parse, reply_schema, write_action
from .play.world import open_world
from .scoring.score import METRICS, score

FAMILY: Family[ReplayConfig, ReplayPublic, ReplaySecret, ReplayRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=Instance[ReplayPublic, ReplaySecret],
    rules=ReplayRules,
    actions=ACTIONS,
    generate=generate,
    open_world=open_world,
    prompt=prompt,
    replies=Replies(parse=parse, write=write_action, schema=reply_schema),
    score=score,
    metrics=METRICS,
)

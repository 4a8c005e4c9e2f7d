"""ReplaySCM: find an executable Boolean model of the worlds that interventions left behind.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from causarium.families.replayscm.actions import ACTIONS
from causarium.families.replayscm.config import FAMILY_NAME, LEVELS, ReplayConfig, ReplayRules
from causarium.families.replayscm.generate import generate
from causarium.families.replayscm.instance import ReplayPublic, ReplaySecret
from causarium.families.replayscm.parse import parse
from causarium.families.replayscm.prompts import prompt
from causarium.families.replayscm.reply_schema import reply_schema
from causarium.families.replayscm.says import says
from causarium.families.replayscm.score import METRICS, score
from causarium.families.replayscm.world import ReplayWorld

FAMILY: Family[ReplayConfig, ReplayPublic, ReplaySecret, ReplayRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=Instance[ReplayPublic, ReplaySecret],
    rules=ReplayRules,
    actions=ACTIONS,
    generate=generate,
    open_world=ReplayWorld,
    prompt=prompt,
    replies=Replies(parse=parse, write=says, schema=reply_schema),
    score=score,
    metrics=METRICS,
)

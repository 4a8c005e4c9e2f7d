"""ReplaySCM, certified: from one switch and its lamp to systems that are found out by experiment.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from .generation import generate
from .levels import RUNGS, ReplayConfig, ReplayRules
from .model import ACTIONS, FAMILY_NAME, ReplayPublic, ReplaySecret
from .play.replies import make_schema, parse, write_action
from .play.wording import prompt
from .play.world import open_world
from .scoring import METRICS, score

FAMILY: Family[ReplayConfig, ReplayPublic, ReplaySecret, ReplayRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    edition="certified",
    levels=RUNGS.levels,
    rungs=RUNGS,
    instance=Instance[ReplayPublic, ReplaySecret],
    rules=ReplayRules,
    actions=ACTIONS,
    generate=generate,
    open_world=open_world,
    prompt=prompt,
    replies=Replies(parse=parse, write=write_action, schema=make_schema),
    score=score,
    metrics=METRICS,
)

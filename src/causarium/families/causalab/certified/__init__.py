"""CausaLab, certified: find out what acts on what in a crystal, and say what it does next.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from .generation import generate
from .levels import RUNGS, LadderConfig, LadderRules
from .model.actions import ACTIONS
from .model.instance import FAMILY_NAME, LadderPublic, LadderSecret
from .play.replies import make_schema, parse
from .play.wording import prompt
from .play.world import open_world
from .scoring import METRICS, score

FAMILY: Family[LadderConfig, LadderPublic, LadderSecret, LadderRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=RUNGS.levels,
    instance=Instance[LadderPublic, LadderSecret],
    rules=LadderRules,
    actions=ACTIONS,
    generate=generate,
    open_world=open_world,
    prompt=prompt,
    replies=Replies(parse=parse, schema=make_schema),
    score=score,
    metrics=METRICS,
    edition="certified",
    rungs=RUNGS,
)

"""ReCITE, certified: a ladder of texts from which a causal graph is read.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from .generation import generate
from .levels import RUNGS, ReciteConfig, ReciteRules
from .model import ACTIONS, FAMILY_NAME, RecitePublic, ReciteSecret
from .play.replies import make_schema, parse, write_action
from .play.wording import prompt
from .play.world import open_world
from .scoring import METRICS, score

FAMILY: Family[ReciteConfig, RecitePublic, ReciteSecret, ReciteRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=RUNGS.levels,
    instance=Instance[RecitePublic, ReciteSecret],
    rules=ReciteRules,
    actions=ACTIONS,
    generate=generate,
    open_world=open_world,
    prompt=prompt,
    replies=Replies(parse=parse, write=write_action, schema=make_schema),
    score=score,
    metrics=METRICS,
    edition="certified",
    rungs=RUNGS,
)

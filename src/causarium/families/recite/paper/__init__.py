"""The paper edition of ReCITE: read a long text and write down its causal graph.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from .generation.generate import generate
from .levels import FAMILY_NAME, LEVELS, ReciteConfig, ReciteRules
from .model.graphs import ACTIONS
from .model.instance import RecitePublic, ReciteSecret
from .play.prompts import prompt
from .play.replies import parse, reply_schema
from .play.world import ReciteWorld
from .scoring.score import METRICS, score

FAMILY: Family[ReciteConfig, RecitePublic, ReciteSecret, ReciteRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=Instance[RecitePublic, ReciteSecret],
    rules=ReciteRules,
    actions=ACTIONS,
    generate=generate,
    open_world=ReciteWorld,
    prompt=prompt,
    replies=Replies(parse=parse, schema=reply_schema),
    score=score,
    metrics=METRICS,
    edition="paper",
)

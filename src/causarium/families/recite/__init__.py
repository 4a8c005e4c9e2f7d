"""ReCITE: read a long text and write down its causal graph.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from causarium.families.recite.actions import ACTIONS
from causarium.families.recite.config import FAMILY_NAME, LEVELS, ReciteConfig, ReciteRules
from causarium.families.recite.generate import generate
from causarium.families.recite.instance import RecitePublic, ReciteSecret
from causarium.families.recite.parse import parse
from causarium.families.recite.prompts import prompt
from causarium.families.recite.reply_schema import reply_schema
from causarium.families.recite.score import METRICS, score
from causarium.families.recite.world import ReciteWorld

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
)

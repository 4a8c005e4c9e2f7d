"""CausalLink: move and hold shapes, then say whether one makes another move.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from causarium.families.causallink.actions import ACTIONS
from causarium.families.causallink.config import LEVELS, LinkConfig, LinkRules
from causarium.families.causallink.generate import FAMILY_NAME, generate
from causarium.families.causallink.instance import LinkPublic, LinkSecret
from causarium.families.causallink.parse import parse
from causarium.families.causallink.prompts import prompt
from causarium.families.causallink.reply_schema import reply_schema
from causarium.families.causallink.says import says
from causarium.families.causallink.score import METRICS, score
from causarium.families.causallink.world import LinkWorld

FAMILY: Family[LinkConfig, LinkPublic, LinkSecret, LinkRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=Instance[LinkPublic, LinkSecret],
    rules=LinkRules,
    actions=ACTIONS,
    generate=generate,
    open_world=LinkWorld,
    prompt=prompt,
    replies=Replies(parse=parse, write=says, schema=reply_schema),
    score=score,
    metrics=METRICS,
)

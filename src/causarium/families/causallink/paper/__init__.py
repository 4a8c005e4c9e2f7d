"""The paper edition of CausalLink: try out a graph, then say whether one thing causes another.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from .generation import generate
from .levels import LEVELS, LinkConfig
from .model.instance import ACTIONS, FAMILY_NAME, LinkPublic, LinkSecret
from .model.rules import LinkRules
from .play.replies import make_schema, parse, write_action
from .play.wording import prompt
from .play.world import open_world
from .scoring import METRICS, score

FAMILY: Family[LinkConfig, LinkPublic, LinkSecret, LinkRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=Instance[LinkPublic, LinkSecret],
    rules=LinkRules,
    actions=ACTIONS,
    generate=generate,
    open_world=open_world,
    prompt=prompt,
    replies=Replies(parse=parse, write=write_action, schema=make_schema),
    score=score,
    metrics=METRICS,
    edition="paper",
)

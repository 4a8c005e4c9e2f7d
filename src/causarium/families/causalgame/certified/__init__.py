"""CausalGame, certified: read how a book came about, and decide what a fleet should carry."""

from causarium.contract.family import Family, Replies
from causarium.contract.instance import Instance
from .generation.generate import generate
from .levels import RUNGS, GameConfig
from .model import ACTIONS, FAMILY_NAME, GamePublic, GameRules, GameSecret
from .play.replies import make_schema, parse, write_action
from .play.wording import write_prompt
from .play.world import open_world
from .scoring import METRICS, score

FAMILY: Family[GameConfig, GamePublic, GameSecret, GameRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=RUNGS.levels,
    instance=Instance[GamePublic, GameSecret],
    rules=GameRules,
    actions=ACTIONS,
    generate=generate,
    open_world=open_world,
    prompt=write_prompt,
    replies=Replies(parse=parse, write=write_action, schema=make_schema),
    score=score,
    metrics=METRICS,
    edition="certified",
    rungs=RUNGS,
)

"""CausalGame: design drones under selection bias, noise and hidden causes.

A table of contents: each name below comes from the room of this folder that holds it.

The family has two editions with worlds of their own: the paper edition has published games, each
played in sessions, and the certified one has expeditions. Large parts that belong to one alone
stand under `published` or `expeditions` in each room; `by_edition` of `model.instance` parts them.
"""

from causarium.contract.family import Family, Replies
from .generation import FAMILY_NAME, generate
from .model.actions import ACTIONS
from .model.config import LEVELS, GameConfig, GameRules
from .model.instance import AnyGame, AnyPublic, AnySecret
from .play import open_world, parse, prompt, reply_schema, write_reply
from .scoring import METRICS, score

FAMILY: Family[GameConfig, AnyPublic, AnySecret, GameRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=AnyGame,
    rules=GameRules,
    actions=ACTIONS,
    generate=generate,
    open_world=open_world,
    prompt=prompt,
    replies=Replies(parse=parse, write=write_reply, schema=reply_schema),
    score=score,
    metrics=METRICS,
)

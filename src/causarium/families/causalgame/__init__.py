"""CausalGame: design drones under selection bias, noise and hidden causes.

A table of contents: each name below comes from the room of this folder that holds it.

The family has two editions with worlds of their own: the paper edition has published games, each
played in sessions, and the certified one has expeditions. Large parts that belong to one alone
stand under `published` or `expeditions` in each room; `by_edition` of `model.instance` parts them.
"""

from causarium.contract.family import Family, Replies
from causarium.families.causalgame.generation import FAMILY_NAME, generate
from causarium.families.causalgame.model.actions import ACTIONS
from causarium.families.causalgame.model.config import LEVELS, GameConfig, GameRules
from causarium.families.causalgame.model.instance import AnyGame, AnyPublic, AnySecret
from causarium.families.causalgame.play import open_world, parse, prompt, reply_schema, write_reply
from causarium.families.causalgame.scoring import METRICS, score

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

"""CausalGame: design drones under selection bias, noise and hidden causes.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from causarium.families.causalgame.actions import ACTIONS
from causarium.families.causalgame.config import LEVELS, GameConfig, GameRules
from causarium.families.causalgame.generate import FAMILY_NAME, generate
from causarium.families.causalgame.instance import AnyGame, AnyPublic, AnySecret
from causarium.families.causalgame.parse import parse
from causarium.families.causalgame.prompts import prompt
from causarium.families.causalgame.reply_schema import reply_schema
from causarium.families.causalgame.says import says
from causarium.families.causalgame.score import METRICS, score
from causarium.families.causalgame.world import open_world

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
    replies=Replies(parse=parse, write=says, schema=reply_schema),
    score=score,
    metrics=METRICS,
)

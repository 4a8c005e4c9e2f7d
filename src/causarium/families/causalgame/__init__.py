"""CausalGame: choose parts under selection bias, noise and hidden causes.

The certified edition, an expedition of four legs; each name below comes from the room of this
folder that holds it. The published games are in `paper`.
"""

from causarium.contract.family import Family, Replies
from .generation import FAMILY_NAME, generate
from .model.actions import ACTIONS
from .model.config import LEVELS, GameConfig
from .model.expeditions import (
    Expedition,
    ExpeditionPublic,
    ExpeditionSecret,
)
from .play import prompt, write_reply
from .play.expeditions.replies import (
    read_expedition_reply,
    write_expedition_schema,
)
from .play.expeditions.world import ExpeditionWorld
from .scoring import METRICS, score_expedition
from .shared.rules import GameRules

FAMILY: Family[GameConfig, ExpeditionPublic, ExpeditionSecret, GameRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=Expedition,
    rules=GameRules,
    actions=ACTIONS,
    generate=generate,
    open_world=ExpeditionWorld,
    prompt=prompt,
    replies=Replies(parse=read_expedition_reply, write=write_reply, schema=write_expedition_schema),
    score=score_expedition,
    metrics=METRICS,
    edition="certified",
)

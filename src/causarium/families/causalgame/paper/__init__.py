"""The paper edition of CausalGame: design drones under selection bias, noise and hidden causes.

A table of contents: each name below comes from the room of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from .generation import FAMILY_NAME, generate
from .levels import LEVELS, GameConfig
from .model.actions import ACTIONS
from .model.instance import (
    GameInstance,
    GamePublic,
    GameSecret,
)
from .model.rules import GameRules
from .play import write_reply
from .play.wording import open_session
from .play.world import (
    GameWorld,
    read_session_reply,
    write_session_schema,
)
from .scoring.score import METRICS, score_session

FAMILY: Family[GameConfig, GamePublic, GameSecret, GameRules] = Family(
    name=FAMILY_NAME,
    package=__name__,
    levels=LEVELS,
    instance=GameInstance,
    rules=GameRules,
    actions=ACTIONS,
    generate=generate,
    open_world=GameWorld,
    prompt=open_session,
    replies=Replies(parse=read_session_reply, write=write_reply, schema=write_session_schema),
    score=score_session,
    metrics=METRICS,
    edition="paper",
)

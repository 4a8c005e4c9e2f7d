"""How instances are played, by edition: worlds, words, and the reading of replies."""

from collections.abc import Callable

from causarium.contract.family import Prompt
from causarium.contract.texts.say_action import Unsayable, write_named, write_program
from causarium.contract.world import Action, Unparsed, World
from ..model.actions import EXPEDITION_ACTIONS, PlayExpedition, PlayProgram, Report
from ..model.config import GameRules
from ..model.expeditions import AnswerQuestions, Commit, Fly
from ..model.instance import by_edition
from .expeditions.replies import read_expedition_reply, write_expedition_schema
from .expeditions.wording import ExpeditionWording
from .expeditions.world import ExpeditionWorld
from .published.wording import open_session
from .published.world import GameWorld, read_session_reply, write_session_schema

open_world: Callable[..., World] = by_edition(GameWorld, ExpeditionWorld)
prompt: Callable[..., Prompt] = by_edition(
    open_session, lambda public, rules: ExpeditionWording(public, rules).open()
)
reply_schema = by_edition(write_session_schema, write_expedition_schema)


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: GameRules
) -> Action | Unparsed:
    """Read a reply as one of the expected actions; those of expeditions tell the edition."""
    flies = any(action in EXPEDITION_ACTIONS for action in allowed_actions)
    read = read_expedition_reply if flies else read_session_reply
    return read(reply, allowed_actions, rules)


def write_reply(action: Action, rules: GameRules) -> str:
    """Write an action as the reply in which it is read again.

    Raises:
        Unsayable: The interface is `code`, which does not read this action as JSON in every game.
    """
    if isinstance(action, PlayProgram | PlayExpedition):
        return write_program(action)
    if rules.interface == "code" and not isinstance(
        action, Report | Fly | Commit | AnswerQuestions
    ):
        raise Unsayable(
            f"{action.kind} cannot be said in the interface code: programs act there, by their "
            "client; play with --rule interface=json or interface=tools"
        )
    return write_named(action)

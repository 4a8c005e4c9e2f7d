"""How sessions are played: worlds, words, and the reading of replies."""

from causarium.contract.texts.say_action import Unsayable, write_named, write_program
from causarium.contract.world import Action
from ..model.actions import PlayProgram, Report
from ..model.rules import GameRules


def write_reply(action: Action, rules: GameRules) -> str:
    """Write an action as the reply in which it is read again.

    Raises:
        Unsayable: The interface is `code`, which does not read this action as JSON in every game.
    """
    if isinstance(action, PlayProgram):
        return write_program(action)
    if rules.interface == "code" and not isinstance(action, Report):
        raise Unsayable(
            f"{action.kind} cannot be said in the interface code: programs act there, by their "
            "client; play with --rule interface=json or interface=tools"
        )
    return write_named(action)

"""Saying an action of CausalGame: one object that names it, or the program in a fenced block."""

from causarium.contract.texts.say_action import Unsayable, write_named, write_program
from causarium.contract.world import Action
from causarium.families.causalgame.actions import Explain, PlayMission, PlayProgram, Report
from causarium.families.causalgame.config import GameRules


def says(action: Action, rules: GameRules) -> str:
    """Write an action as the reply in which it is read again.

    Raises:
        Unsayable: It is no program, and the interface reads programs and the final report alone.
    """
    if isinstance(action, PlayProgram | PlayMission):
        return write_program(action)
    if rules.interface == "code" and not isinstance(action, Report | Explain):
        raise Unsayable(
            f"{action.kind} cannot be said in the interface code: programs act there, by their "
            "client; play with --rule interface=json or interface=tools"
        )
    return write_named(action)

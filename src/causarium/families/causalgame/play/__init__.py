"""How expeditions are played: worlds, words, and the reading of replies."""

from causarium.contract.family import Prompt
from causarium.contract.texts.say_action import Unsayable, write_named, write_program
from causarium.contract.world import Action
from ..model.actions import PlayExpedition
from ..model.expeditions import (
    AnswerQuestions,
    Commit,
    ExpeditionPublic,
    Fly,
)
from ..shared.rules import GameRules
from .expeditions.wording import ExpeditionWording


def prompt(public: ExpeditionPublic, rules: GameRules) -> Prompt:
    """Return the words that open an expedition."""
    return ExpeditionWording(public, rules).open()


def write_reply(action: Action, rules: GameRules) -> str:
    """Write an action as the reply in which it is read again.

    Raises:
        Unsayable: The interface is `code`, which does not read this action as JSON in every game.
    """
    if isinstance(action, PlayExpedition):
        return write_program(action)
    if rules.interface == "code" and not isinstance(action, Fly | Commit | AnswerQuestions):
        raise Unsayable(
            f"{action.kind} cannot be said in the interface code: programs act there, by their "
            "client; play with --rule interface=json or interface=tools"
        )
    return write_named(action)

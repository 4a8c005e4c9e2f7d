"""Saying an action of CausaLab: one object that names it."""

from causarium.contract.texts.say_action import visible_fields, write_reply
from causarium.contract.world import Action
from causarium.families.causalab.actions import Verify
from causarium.families.causalab.config import LabRules


def says(action: Action, rules: LabRules) -> str:
    """Write an action as the reply in which it is read again."""
    fields = visible_fields(action)
    if rules.interface == "plain" and not isinstance(action, Verify):
        # That interface reads no hypothesis elsewhere.
        fields.pop("hypothesis", None)
    return write_reply({"action": action.kind, **fields})

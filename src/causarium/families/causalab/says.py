"""Saying an action of CausaLab: one object that names it."""

from causarium.contract.texts.say_action import visible_fields, write_named, write_reply
from causarium.contract.world import Action
from causarium.families.causalab.actions import Verify
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.model.bench_actions import BENCH_ACTIONS


def says(action: Action, rules: LabRules) -> str:
    """Write an action as the reply in which it is read again."""
    if isinstance(action, BENCH_ACTIONS):
        return write_named(action)
    fields = visible_fields(action)
    if rules.interface == "plain" and not isinstance(action, Verify):
        # That interface reads no hypothesis elsewhere.
        fields.pop("hypothesis", None)
    return write_reply({"action": action.kind, **fields})

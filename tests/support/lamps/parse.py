"""Reading replies."""

from causarium.contract.texts.replies import (
    explain_too_large,
    find_json_object,
    find_json_objects,
    fit_action,
)
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from tests.support.lamps.config import LampsRules

UNREADABLE = "unreadable"
"""The one error mode of this family."""


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: LampsRules
) -> Action | Unparsed:
    """Read `{"switch": NAME}` or `{"wired": NAME}`."""
    if rules.first_object and not explain_too_large(reply) and (found := find_json_objects(reply)):
        return fit_action(found[0], allowed_actions, mode=UNREADABLE)
    value = find_json_object(reply, mode=UNREADABLE)
    return (
        value
        if isinstance(value, Unparsed)
        else fit_action(value, allowed_actions, mode=UNREADABLE)
    )

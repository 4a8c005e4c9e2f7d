"""Saying an action of CausalLink: the fields that the turn asks for."""

from causarium.contract.texts.say_action import visible_fields, write_reply
from causarium.contract.world import Action
from causarium.families.causallink.config import LinkRules


def says(action: Action, rules: LinkRules) -> str:
    """Write an action as the reply in which it is read again."""
    # The published reader ends at the first closing brace, wherever it stands.
    return write_reply(visible_fields(action), escaped="<{}" if rules.first_object_parsing else "<")

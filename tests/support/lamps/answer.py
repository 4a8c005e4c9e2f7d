"""Reading replies."""

from causarium.contract.replies import fit, json_object, json_objects, too_large
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from tests.support.lamps.config import LampsRules

UNREADABLE = "unreadable"
"""The one error mode of this family."""


def parse(reply: str, expects: tuple[type[Action], ...], rules: LampsRules) -> Action | Unparsed:
    """Read `{"switch": NAME}` or `{"wired": NAME}`."""
    if rules.first_object and not too_large(reply) and (found := json_objects(reply)):
        return fit(found[0], expects, mode=UNREADABLE)
    value = json_object(reply, mode=UNREADABLE)
    return value if isinstance(value, Unparsed) else fit(value, expects, mode=UNREADABLE)

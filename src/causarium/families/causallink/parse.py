"""Reading replies of the text protocol into actions, and the names of what can go wrong."""

import json
from typing import Any

from causarium.contract.replies import MAX_REPLY_CHARS, excerpt, find_json_object
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.instance import Answer, Choose, Intervene

INVALID_ACTION = "invalid action"
INVALID_FORMAT = "invalid format"
INVALID_ANSWER = "invalid answer"
TOO_MANY = "too many attempts"
ERROR_MODES = (INVALID_ACTION, INVALID_FORMAT, INVALID_ANSWER, TOO_MANY)
"""The published error modes; a case without any is filed under `none`."""


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: LinkRules
) -> Action | Unparsed:
    """Read `reply` as one of the expected actions.

    Keys that no action has are ignored. Values are not judged here: whether a name, an action or
    an answer exists is for the world to say, because that decides between two error modes.
    """
    if rules.first_object_parsing:
        found = first_object(reply)
    else:
        found = find_json_object(reply, mode=INVALID_FORMAT)
    if isinstance(found, Unparsed):
        return found
    if Choose in allowed_actions and "next" in found:
        return Choose(next=_text(found["next"]))
    if Intervene in allowed_actions and {"shape", "action"} <= found.keys():
        return Intervene(shape=_text(found["shape"]), action=_text(found["action"]))
    if Answer in allowed_actions and "answer" in found:
        return Answer(answer=_text(found["answer"]))
    if allowed_actions in {(Answer,), (Intervene, Answer)}:
        return Unparsed(mode=INVALID_ANSWER, detail='the JSON object has no "answer"')
    keys = excerpt(", ".join(map(str, found)) or "none")
    return Unparsed(mode=INVALID_FORMAT, detail=f"the JSON object has other keys: {keys}")


def first_object(reply: str) -> dict[str, Any] | Unparsed:
    """Read what stands between the first { and the next }, and nothing else."""
    if len(reply) > MAX_REPLY_CHARS:
        return Unparsed(mode=INVALID_FORMAT, detail="the reply is too long to be read")
    begin = reply.find("{")
    end = reply.find("}", begin)
    if begin < 0 or end < 0:
        return Unparsed(mode=INVALID_FORMAT, detail="no JSON object in the reply")
    try:
        found: dict[str, Any] = json.loads(reply[begin : end + 1])
    except (ValueError, RecursionError):
        return Unparsed(mode=INVALID_FORMAT, detail="what stands in the first braces is not JSON")
    return found or Unparsed(mode=INVALID_FORMAT, detail="the first JSON object is empty")


def _text(value: object) -> str:
    """Keep strings; write anything else as text that is no name, action or answer."""
    return excerpt(value if isinstance(value, str) else repr(value))

"""Which replies the published validation takes, and nothing else.

A bare, boxed or json-fenced object with a list `relationships`, whose members each have `source`
and `sink`. Prose around it, a fence without its language, `target` for `sink` and leftover
reasoning tags make a reply invalid. Whether ids lie in range is the world's to say.
"""

import json
import re

from causarium.families.recite.play.relationship_pairs import Pairs, read_pairs

_BOXED = re.compile(r"^\\boxed\{(.*)\}$", re.DOTALL)
_FENCED = re.compile(r"^```json(.*)```$", re.DOTALL)


def read_as_published(reply: str) -> Pairs | str:
    """Return the relationships of a valid reply, or why it is not valid."""
    try:
        found = json.loads(clean(cut_last_thinking(reply)))
    except (ValueError, RecursionError):
        return "the reply is not one JSON object, bare, boxed or in a json fence"
    items = found.get("relationships") if isinstance(found, dict) else None
    if not isinstance(items, list):
        return 'the object has no list "relationships"'
    if not all(isinstance(item, dict) and {"source", "sink"} <= item.keys() for item in items):
        return "a relationship lacks its source or its sink"
    return read_pairs(items)


def clean(answer: str) -> str:
    r"""Take away the wrapping that is allowed.

    Example:
        >>> clean('```json{}```'), clean('\\boxed{{}}')
        ('{}', '{}')
    """
    text = answer.strip()
    for wrapping in (_BOXED, _FENCED):
        if found := wrapping.match(text):
            text = found.group(1)
    return text


def cut_last_thinking(reply: str) -> str:
    """Cut out the last span of reasoning between tags, if there is a whole one."""
    closed = reply.rfind("</think>")
    opened = reply.rfind("<think>", 0, closed) if closed >= 0 else -1
    return reply if opened < 0 else reply[:opened] + reply[closed + len("</think>") :]

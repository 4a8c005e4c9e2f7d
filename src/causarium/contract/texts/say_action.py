"""Saying an action: the inverse of reading a reply.

`Replies.write` writes an action as the reply in which `Replies.parse` reads it again. Most families
write one JSON object, by `write_fields`. Demonstrations, few-shot turns and players that talk are
made with it.
"""

import json
import re
from functools import lru_cache
from typing import Any

from causarium.contract.rules import Rules
from causarium.contract.world import Action, Program
from causarium.errors import UsageError

_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)


class Unsayable(UsageError):
    """An action that no reply of the interface can hold."""


def visible_fields(action: Action) -> dict[str, Any]:
    """Return the fields that an agent fills in, as JSON data, without those that are None.

    What the engine or the reader alone fills in is hidden from the action's JSON schema.
    """
    given = action.model_dump(mode="json", by_alias=True)
    return {
        name: given[name] for name in list_shown_fields(type(action)) if given.get(name) is not None
    }


@lru_cache(maxsize=64)  # a schema takes a millisecond; families have some fifty actions
def list_shown_fields(action: type[Action]) -> tuple[str, ...]:
    """Return the names of the fields that an agent is shown."""
    return tuple(action.model_json_schema().get("properties", {}))


def write_reply(fields: dict[str, Any], *, escaped: str = "<") -> str:
    r"""Write fields as one JSON object in which no reader finds a tag.

    Args:
        fields: What the object holds.
        escaped: The characters that are written as escapes within texts: a reader may cut out what
            stands between `<think>` tags, and a published one ends at the first brace.

    Example:
        >>> write_reply({"answer": "<think>"})
        '{"answer": "\\u003cthink>"}'
    """
    text = json.dumps(fields, ensure_ascii=False, allow_nan=False)
    if not any(mark in text for mark in escaped):
        return text
    return _escape_within_strings(text, escaped)


def _escape_within_strings(text: str, escaped: str) -> str:
    def escape(match: re.Match[str]) -> str:
        string = match.group()
        for mark in escaped:
            string = string.replace(mark, f"\\u{ord(mark):04x}")
        return string

    return re.sub(r'"(?>(?:[^"\\]|\\.)*)"', escape, text)


def write_fields(action: Action, rules: Rules) -> str:  # noqa: ARG001 - the form of `Replies.write`
    """Write an action's fields as one JSON object: how a family says its actions by default."""
    return write_reply(visible_fields(action))


def write_named(action: Action) -> str:
    """Write an action as one JSON object that names it under `action`."""
    return write_reply({"action": action.kind, **visible_fields(action)})


def write_program(program: Program) -> str:
    """Write a program as a fenced Python block.

    Raises:
        Unsayable: Its code would end the block, begin with a tag of reasoning, or lacks the line
            feed at its end.
    """
    if _FENCE.search(program.code) or "<think>" in program.code or program.code[-1:] != "\n":
        raise Unsayable(
            f"{program.kind} cannot be written as a reply: code in a fenced block must end with a "
            "line feed and contain neither a fence nor <think>"
        )
    return f"```python\n{program.code}```"

"""Reading replies. Whatever a model writes, what comes back is a value.

`json_object` finds the JSON object in a reply within limits of size and depth; `fit` makes it one
of the actions that are expected. Families compose the two in their `answer.py`, or read replies in
a way of their own.
"""

import json
import re
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from causarium.contract.frozen import Received

if TYPE_CHECKING:
    from causarium.contract.world import Action

MAX_REPLY_CHARS = 200_000
"""Longer replies are not read at all."""
MAX_DEPTH = 32
"""Deeper nesting is not read at all."""
_EXCERPT = 120


class Unparsed(Received):
    """A reply in which no action could be read."""

    mode: str
    """The named error mode, from the family's list."""
    detail: str
    """What was wrong, in a form that may be shown to the agent."""


def excerpt(text: str) -> str:
    """Return the head of `text`, short enough for a message."""
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def too_large(reply: str) -> str | None:
    """Say why `reply` is too large to be read, or return None."""
    if len(reply) > MAX_REPLY_CHARS:
        return f"the reply has {len(reply):,} characters; at most {MAX_REPLY_CHARS:,} are read"
    depth = deepest = 0
    for mark in re.finditer(r"[\[\]{}]", reply):
        # Closing what was never opened must not make room for deeper nesting.
        depth = max(0, depth + (1 if mark.group() in "[{" else -1))
        deepest = max(deepest, depth)
        if deepest > MAX_DEPTH:
            return f"the reply nests deeper than {MAX_DEPTH} levels"
    return None


def json_objects(reply: str) -> list[dict[str, Any]]:
    """Return the outermost JSON objects in `reply`, in order; prose around them is skipped.

    Example:
        >>> json_objects('I think {so}. Hence: {"answer": "yes"}')
        [{'answer': 'yes'}]
    """
    found: list[dict[str, Any]] = []
    decoder = json.JSONDecoder(parse_constant=_refuse_constant)
    at = reply.find("{")
    while at != -1:
        try:
            value, end = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict):
                found.append(value)
        at = reply.find("{", end)
    return found


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def without_thinking(reply: str) -> str:
    """Return `reply` without the thinking that some models write out between tags."""
    return re.sub(r"<think>.*?(</think>|$)", "", reply, flags=re.DOTALL)


def json_object(reply: str, *, mode: str) -> dict[str, Any] | Unparsed:
    """Return the one JSON object in `reply`; none, several or too much is `Unparsed`."""
    if reason := too_large(reply):
        return Unparsed(mode=mode, detail=reason)
    found = json_objects(without_thinking(reply))
    if not found:
        return Unparsed(mode=mode, detail=f"no JSON object in the reply: {excerpt(reply)!r}")
    if len(found) > 1:
        return Unparsed(mode=mode, detail=f"{len(found)} JSON objects in the reply; send one")
    return found[0]


def fit(
    value: dict[str, Any], expects: "tuple[type[Action], ...]", *, mode: str
) -> "Action | Unparsed":
    """Make `value` the first of the expected actions whose fields it has."""
    reasons = []
    for action in expects:
        try:
            return action.model_validate(value)
        except ValidationError as wrong:
            reasons.append(describe(wrong))
    return Unparsed(mode=mode, detail="; or ".join(reasons) or "nothing more is expected")


def describe(wrong: ValidationError) -> str:
    """Say in one line what pydantic found wrong, without quoting the whole input."""
    parts = []
    for error in wrong.errors(include_url=False, include_input=False)[:4]:
        where = ".".join(str(step) for step in error["loc"]) or "reply"
        parts.append(f"{where}: {error['msg']}")
    return ", ".join(parts)

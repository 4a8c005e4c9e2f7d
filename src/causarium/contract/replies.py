"""Reading replies. Whatever a model writes, what comes back is a value.

`find_json_object` finds the JSON object in a reply within limits of size and depth; `fit_action`
makes it one of the allowed actions. Families compose the two in their `parse.py`, or read replies
in a way of their own.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import ValidationError

from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action

MAX_REPLY_CHARS = 200_000
"""Longer replies are not read at all."""
MAX_DEPTH = 32
"""Deeper nesting is not read at all."""
_EXCERPT = 120
_MOST_GROUPS = 200
"""So many groups of braces are looked at; what comes after is not read."""
_MOST_DIGITS = 300
_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
"""A whole string, or a bracket outside of strings."""


def excerpt(text: str) -> str:
    """Return the head of `text`, short enough for a message."""
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def why_too_large(reply: str) -> str | None:
    """Say why `reply` is too large to be read, or return None."""
    if len(reply) > MAX_REPLY_CHARS:
        return f"the reply has {len(reply):,} characters; at most {MAX_REPLY_CHARS:,} are read"
    if any(group.depth > MAX_DEPTH for group in _groups(remove_thinking(reply))):
        return f"the reply nests deeper than {MAX_DEPTH} levels"
    return None


class _Group(NamedTuple):
    """What stands between a brace and the one that closes it."""

    text: str
    depth: int
    closed: bool

    @property
    def meant_as_json(self) -> bool:
        return re.match(r'\{\s*"', self.text) is not None


def _groups(reply: str) -> Iterator[_Group]:
    """Yield the outermost groups of braces; brackets and braces in strings do not count.

    A group that never closes is passed over if it is prose, and ends the search if it was meant
    as JSON: what stands in a broken object is not for itself.
    """
    at = reply.find("{")
    for _ in range(_MOST_GROUPS):
        if at == -1:
            return
        group = _group(reply, at)
        yield group
        if group.depth > MAX_DEPTH or not (group.closed or not group.meant_as_json):
            return
        at = reply.find("{", at + (len(group.text) if group.closed else 1))


def _group(reply: str, at: int) -> _Group:
    depth = deepest = 0
    for mark in _MARK.finditer(reply, at):
        if mark.group() in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark.group() in "]}":
            depth -= 1
        if depth == 0 or deepest > MAX_DEPTH:
            return _Group(reply[at : mark.end()], deepest, closed=depth == 0)
    return _Group(reply[at:], deepest, closed=False)


def remove_thinking(reply: str) -> str:
    """Return `reply` without the thinking that some models write out between tags."""
    return re.sub(r"<think>.*?(</think>|$)", "", reply, flags=re.DOTALL)


def find_json_objects(reply: str) -> list[dict[str, Any]]:
    """Return the outermost JSON objects in `reply`, in order; prose around them is skipped.

    An object that is not valid, or says one thing twice, is left out whole: nothing within it
    is taken for the reply.

    Example:
        >>> find_json_objects('I think {so}. Hence: {"answer": "yes"}')
        [{'answer': 'yes'}]
        >>> find_json_objects('{"plan": {"answer": "yes"}, }')
        []
    """
    found = (_decoded(group) for group in _groups(reply))
    return [value for value in found if isinstance(value, dict)]


def _decoded(group: _Group) -> object:
    if not group.closed or group.depth > MAX_DEPTH:
        return None
    try:
        return json.loads(group.text, object_pairs_hook=_once_each, parse_int=_whole)
    except ValueError:
        return None


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _whole(digits: str) -> int | float:
    # Python refuses to read longer ones; what is not finite is refused by whoever wants a number.
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


def find_json_object(reply: str, *, mode: str) -> dict[str, Any] | Unparsed:
    """Return the one JSON object in `reply`; none, several or too much is `Unparsed`."""
    if reason := why_too_large(reply):
        return Unparsed(mode=mode, detail=reason)
    said = remove_thinking(reply)
    found = find_json_objects(said)
    if len(found) > 1:
        return Unparsed(mode=mode, detail=f"{len(found)} JSON objects in the reply; send one")
    if found:
        return found[0]
    broken = any(group.meant_as_json for group in _groups(said))
    what = "the JSON object in the reply is not valid" if broken else "no JSON object in the reply"
    return Unparsed(mode=mode, detail=f"{what}: {excerpt(said)!r}")


def fit_action(
    value: dict[str, Any], allowed_actions: tuple[type[Action], ...], *, mode: str
) -> Action | Unparsed:
    """Make `value` the first of the expected actions whose fields it has."""
    reasons = []
    for action in allowed_actions:
        try:
            return action.model_validate(value)
        except ValidationError as wrong:
            reasons.append(describe_validation_error(wrong))
    return Unparsed(mode=mode, detail="; or ".join(reasons) or "nothing more is expected")


def describe_validation_error(wrong: ValidationError) -> str:
    """Say in one line what pydantic found wrong, without quoting the whole input."""
    parts = []
    for error in wrong.errors(include_url=False, include_input=False)[:4]:
        where = ".".join(str(step) for step in error["loc"]) or "reply"
        parts.append(f"{where}: {error['msg'].removeprefix('Value error, ')}")
    return ", ".join(parts)

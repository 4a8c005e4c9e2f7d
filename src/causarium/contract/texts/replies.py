"""Reading replies. Whatever a model writes, what comes back is a value.

`find_json_object` finds the JSON object in a reply within limits of size and depth; `fit_action`
makes it one of the allowed actions. Families compose the two, or read replies in a way of their
own.

Reading takes time in proportion to the length of a reply, whatever stands in it: each character of
a group is read once, and what is read again because braces of prose never close has a limit.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import ValidationError

from causarium.contract.world import Action, Unparsed

MAX_REPLY_CHARS = 200_000
"""Longer replies are not read at all."""
MAX_DEPTH = 32
"""Deeper nesting is not read at all."""
_EXCERPT = 120
_MOST_GROUPS = 200
"""So many groups of braces are looked at; what comes after is not read."""
_MOST_SCANNED = 600_000
"""So many characters are read in search of the ends of groups, of prose too; then no more is."""
_MOST_DIGITS = 300
_MARK = re.compile(r'"(?>(?:[^"\\]|\\.)*)("?)|[\[\]{}]{1,64}', re.DOTALL)
"""A string, with its last quote as a group, or brackets outside of strings."""
_BRACKETS = re.compile(r"[\[\]{}]{1,64}")
_JSON_START = re.compile(r'\{\s*"')
_THINKING, _THOUGHT = "<think>", "</think>"


def excerpt(text: str) -> str:
    """Return the head of `text`, short enough for a message."""
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def explain_too_large(reply: str) -> str | None:
    """Say why `reply` is too large to be read, or return None."""
    if len(reply) > MAX_REPLY_CHARS:
        return f"the reply has {len(reply):,} characters; at most {MAX_REPLY_CHARS:,} are read"
    if any(group.depth > MAX_DEPTH for group in _find_groups(remove_thinking(reply))):
        return f"the reply nests deeper than {MAX_DEPTH} levels"
    return None


class _Group(NamedTuple):
    """What stands between a brace and the one that closes it."""

    start: int
    end: int
    """The place after the closing brace, or the end of the text where it never closes."""
    depth: int
    closed: bool
    meant_as_json: bool


class _Braces:
    """Finds the outermost groups of braces of a text, and reads no more for it than a limit."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._groups_left, self._chars_left = _MOST_GROUPS, _MOST_SCANNED
        self._no_end_from = len(text)
        """No string that begins here or later ends; from here on all brackets count."""

    def find(self, start: int = 0, stop: int | None = None) -> Iterator[_Group]:
        """Yield the groups that begin in a part of the text.

        A group that never closes is passed over if it is prose, and ends the search if it was meant
        as JSON: what stands in a broken object is not for itself.
        """
        place = self.text.find("{", start, stop)
        while place >= 0 and self._groups_left and self._chars_left > 0:
            group = self._measure(place)
            self._groups_left -= 1
            self._chars_left -= group.end - place
            yield group
            if group.depth > MAX_DEPTH or (group.meant_as_json and not group.closed):
                return
            place = self.text.find("{", group.end if group.closed else place + 1, stop)

    def _measure(self, start: int) -> _Group:
        """Return the group that begins at `start`.

        Which kind of bracket closes which does not matter here: whoever decodes the text looks at
        that.
        """
        depth = deepest = 0
        for first, row in self._list_brackets(start):
            for place, bracket in enumerate(row, first):
                depth += 1 if bracket in "[{" else -1
                deepest = max(deepest, depth)
                if not depth or deepest > MAX_DEPTH:
                    return self._end_group(start, place + 1 if not depth else None, deepest)
        return self._end_group(start, None, deepest)

    def _end_group(self, start: int, end: int | None, depth: int) -> _Group:
        last = len(self.text) if end is None else end
        meant_as_json = _JSON_START.match(self.text, start, last) is not None
        return _Group(start, last, depth, end is not None, meant_as_json)

    def _list_brackets(self, start: int) -> Iterator[tuple[int, str]]:
        """Yield the brackets that are in no string, in rows: the place of each row, and the row."""
        if start < self._no_end_from:
            for mark in _MARK.finditer(self.text, start):
                if mark[0][0] != '"':
                    yield mark.start(), mark[0]
                elif not mark[1]:
                    # Each later quote is one that this string passed as escaped: none ends either.
                    start = self._no_end_from = mark.start()
                    break
            else:
                return
        for row in _BRACKETS.finditer(self.text, start):
            yield row.start(), row[0]


@lru_cache(maxsize=2)  # one reply is asked about three times: its size, its objects, its flaw
def _find_groups(reply: str) -> tuple[_Group, ...]:
    return tuple(_Braces(reply).find())


@lru_cache(maxsize=2)  # twice a reply: is it too large, and what does it say
def remove_thinking(reply: str) -> str:
    """Return `reply` without the thinking that some models write out between tags.

    A tag within a JSON object that is valid as it stands is text like any other.

    Example:
        >>> remove_thinking('<think>Or no?</think>{"answer": "<think>"}')
        '{"answer": "<think>"}'
    """
    parts: list[str] = []
    braces = _Braces(reply)
    start = 0
    while (tag := reply.find(_THINKING, start)) >= 0:
        around = next(
            (one for one in braces.find(start, tag) if one.closed and one.end > tag), None
        )
        if around and around.meant_as_json and _decode(reply, around) is not None:
            parts.append(reply[start : around.end])
            start = around.end
        else:
            parts.append(reply[start:tag])
            closing = reply.find(_THOUGHT, tag)
            start = len(reply) if closing < 0 else closing + len(_THOUGHT)
    return "".join([*parts, reply[start:]])


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
    values = (_decode(reply, group) for group in _find_groups(reply))
    return [value for value in values if isinstance(value, dict)]


def _decode(reply: str, group: _Group) -> object:
    if not group.closed or group.depth > MAX_DEPTH:
        return None
    text = reply[group.start : group.end]
    try:
        return json.loads(text, object_pairs_hook=refuse_repeats, parse_int=_read_integer)
    except ValueError:
        return None


def refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; a key that stands there twice is a ValueError."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key stands there twice")
    return fields


def _read_integer(digits: str) -> int | float:
    # Python refuses to read longer ones; what is not finite is refused by whoever wants a number.
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


def find_json_object(reply: str, *, mode: str) -> dict[str, Any] | Unparsed:
    """Return the one JSON object in `reply`; none, several or too much is `Unparsed`."""
    if reason := explain_too_large(reply):
        return Unparsed(mode=mode, detail=reason)
    text = remove_thinking(reply)
    objects = find_json_objects(text)
    if len(objects) > 1:
        return Unparsed(mode=mode, detail=f"{len(objects)} JSON objects in the reply; send one")
    if objects:
        return objects[0]
    is_broken = any(group.meant_as_json for group in _find_groups(text))
    problem = (
        "the JSON object in the reply is not valid" if is_broken else "no JSON object in the reply"
    )
    return Unparsed(mode=mode, detail=f"{problem}: {excerpt(text)!r}")


def fit_action(
    value: dict[str, Any], allowed_actions: tuple[type[Action], ...], *, mode: str
) -> Action | Unparsed:
    """Make `value` the first of the expected actions that it fits, or unreadable by `mode`."""
    reasons = []
    for action in allowed_actions:
        try:
            return action.model_validate(value)
        except ValidationError as wrong:
            reasons.append(describe_validation_error(wrong))
    return Unparsed(mode=mode, detail="; or ".join(reasons) or "nothing more is expected")


def describe_error(wrong: Exception) -> str:
    """Say what is wrong, of what pydantic found in one line."""
    return describe_validation_error(wrong) if isinstance(wrong, ValidationError) else str(wrong)


def describe_validation_error(wrong: ValidationError) -> str:
    """Say in one line what pydantic found wrong, without quoting the whole input."""
    parts = []
    for error in wrong.errors(include_url=False, include_input=False)[:4]:
        where = excerpt(".".join(str(step) for step in error["loc"])) or "reply"
        parts.append(f"{where}: {error['msg'].removeprefix('Value error, ')}")
    return ", ".join(parts)

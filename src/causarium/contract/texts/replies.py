"""Reading replies. Whatever a model writes, what comes back is a value.

`find_json_object` finds the JSON object in a reply within limits of size and depth; `fit_action`
makes it one of the allowed actions. Families compose the two, or read replies in a way of their
own.

Reading takes time in proportion to the length of a reply, whatever stands in it. Two facts make
that possible. If a string that begins at one quote never ends, no string that begins at a later
quote ends either, because each later quote is one that the first string passed as escaped; so after
the first string without an end only brackets count. And a bracket outside of strings is closed at
the same place from wherever one reads, so that one which an earlier reading left open need not be
read again.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
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
_MOST_SCANNED = 400_000
"""So many characters are read in search of braces that do not close; the first search is made."""
_MOST_DIGITS = 300
_MARK = re.compile(r'"(?:[^"\\]|\\.)*+("?)|[\[\]{}]{1,64}', re.DOTALL)
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
    """Tells where the braces of a text close, and reads each part of it at most a few times."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._no_end_from = len(text)
        """No string that begins here or later ends."""
        self._never_closed: dict[int, int] = {}
        """The depths of brackets that never close, by their places."""
        self._measured = self._scanned = 0

    def measure(self, start: int) -> _Group | None:
        """Return the group that begins with the brace at `start`; None if too much was read."""
        self._measured += 1
        depth, end = self._never_closed.get(start, 0), None
        if self._measured > _MOST_GROUPS or (not depth and self._scanned > _MOST_SCANNED):
            return None
        if not depth:
            end, depth = self._find_end(start)
            if end is None:
                self.count(len(self.text) - start)
        last = len(self.text) if end is None else end
        meant_as_json = _JSON_START.match(self.text, start, last) is not None
        return _Group(start, last, depth, end is not None, meant_as_json)

    def count(self, scanned: int) -> None:
        """Count characters that were read and may be read again."""
        self._scanned += scanned

    def _read_brackets(self, start: int) -> Iterator[tuple[int, str]]:
        """Yield the brackets that are in no string, in rows: the place of each row, and the row."""
        text = self.text
        if start < self._no_end_from:
            for mark in _MARK.finditer(text, start):
                place = mark.start()
                if text[place] != '"':
                    yield place, mark.group()
                elif not mark.group(1):
                    start = self._no_end_from = place
                    break
            else:
                return
        for row in _BRACKETS.finditer(text, start):
            yield row.start(), row.group()

    def _find_end(self, start: int) -> tuple[int | None, int]:
        """Return the place after the bracket that closes the one at `start`, and the depth.

        Which kind of bracket closes which does not matter here: whoever decodes the text looks at
        that. Where it never closes, all brackets that never close are noted.
        """
        open_brackets: list[list[int]] = []
        for place, row in self._read_brackets(start):
            for column, bracket in enumerate(row, place):
                if bracket in "[{":
                    open_brackets.append([column, 1])
                    if len(open_brackets) > MAX_DEPTH:
                        return None, MAX_DEPTH + 1
                    continue
                _, depth = open_brackets.pop()
                if not open_brackets:
                    return column + 1, depth
                open_brackets[-1][1] = max(open_brackets[-1][1], depth + 1)
        below = 0
        for column, depth in reversed(open_brackets):
            below = self._never_closed[column] = max(depth, below + 1)
        return None, below


@lru_cache(maxsize=2)  # one reply is asked about three times: its size, its objects, its flaw
def _find_groups(reply: str) -> tuple[_Group, ...]:
    """Return the outermost groups of braces; brackets and braces in strings do not count.

    A group that never closes is passed over if it is prose, and ends the search if it was meant
    as JSON: what stands in a broken object is not for itself.
    """
    groups: list[_Group] = []
    braces = _Braces(reply)
    start = reply.find("{")
    while start >= 0 and (group := braces.measure(start)) is not None:
        groups.append(group)
        if group.depth > MAX_DEPTH or (group.meant_as_json and not group.closed):
            break
        start = reply.find("{", group.end if group.closed else start + 1)
    return tuple(groups)


@lru_cache(maxsize=2)  # twice a reply: is it too large, and what does it say
def remove_thinking(reply: str) -> str:
    """Return `reply` without the thinking that some models write out between tags.

    A tag within a JSON object that is valid as it stands is text like any other.

    Example:
        >>> remove_thinking('<think>Or no?</think>{"answer": "<think>"}')
        '{"answer": "<think>"}'
    """
    if _THINKING not in reply:
        return reply
    parts: list[str] = []
    braces = _Braces(reply)
    start = 0
    while (tag := reply.find(_THINKING, start)) >= 0:
        end = _end_of_object_around(braces, start, tag)
        parts.append(reply[start : tag if end is None else end])
        if end is None:
            closing = reply.find(_THOUGHT, tag)
            end = len(reply) if closing < 0 else closing + len(_THOUGHT)
        start = end
    return "".join([*parts, reply[start:]])


def _end_of_object_around(braces: _Braces, start: int, tag: int) -> int | None:
    """Return where the valid JSON object ends that begins after `start` and holds the tag."""
    text = braces.text
    brace = text.find("{", start, tag)
    while brace >= 0:
        group = braces.measure(brace)
        if group is None or group.depth > MAX_DEPTH:
            return None
        if group.closed and group.end > tag:
            if group.meant_as_json and _decode(text, group) is not None:
                return group.end
            braces.count(group.end - brace)
            return None
        if group.meant_as_json and not group.closed:
            return None
        brace = text.find("{", group.end if group.closed else brace + 1, tag)
    return None


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
    """Make `value` the first of the expected actions whose fields it has.

    Args:
        value: What was read from a reply.
        allowed_actions: The actions that are expected, in the order in which they are tried.
        mode: The failure mode to report if no action fits.
    """
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

"""The search for JSON values and relationships as it was: what the linear one must equal."""

import json
import re
from collections.abc import Iterator
from typing import Any

from causarium.families.recite.actions import MOST_EDGES
from causarium.families.recite.interface.relationship_pairs import is_pair

_START = re.compile(r'\{\s*(?="|\})|\[\s*(?=[\[{"])')
_SINGLE = re.compile(r'\{(?:[^{}"]|"(?:[^"\\]|\\.)*"){1,2000}\}', re.DOTALL)
_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_BEGUN = re.compile(r'\{\s*"relationships"')
_DECODER = json.JSONDecoder(strict=False)


def old_values(text: str) -> Iterator[tuple[object, int]]:
    """Yield the JSON values of a text and their ends."""
    place = 0
    for _ in range(400):
        start = _START.search(text, place)
        if start is None:
            return
        try:
            value, place = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            place = _after_broken(text, start.start())
        else:
            yield value, place


def _after_broken(text: str, start: int) -> int:
    if text[start] != "{":
        return start + 1
    if again := _BEGUN.search(text, start + 1):
        return again.start()
    depth = 0
    for mark in _MARK.finditer(text, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark.group(), 0)
        if depth == 0:
            return mark.end()
    return len(text)


def old_singles(text: str) -> dict[int, dict[str, Any]]:
    """Return the whole relationships of a text by their places."""
    singles = {}
    for match in _SINGLE.finditer(text):
        try:
            value = json.loads(match.group(), strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and is_pair(value):
            singles[match.start()] = value
        if len(singles) > MOST_EDGES:
            break
    return singles

"""Whole items of a list that was cut off, and arrows where JSON was asked for.

Only a list that was begun counts: pairs or arrow strings one after the other from its bracket on.
The last item, where it is not whole, is never taken. Numbers in brackets elsewhere in a text are no
graph.
"""

import json
import re
from collections.abc import Iterator

MOST_STARTS = 400
_START = re.compile(r'\[\s*(?=\[\s*(?:"|-?\d)|"[^"\n]{0,500}(?:->|→|=>))')
_TEXT = r'"(?:[^"\\]|\\.){0,500}"'
_PAIR = re.compile(rf"\[\s*(?:{_TEXT}|\d{{1,9}})\s*,\s*(?:{_TEXT}|\d{{1,9}})\s*\]", re.DOTALL)
_ARROW_TEXT = re.compile(_TEXT)
_BETWEEN = re.compile(r"\s*,?\s*")
_ARROW = re.compile(r"-{1,2}>|→|=>")
_BULLET = re.compile(r"(?:[-*•]|\d{1,4}[.)])[ \t]+")
_MOST_LINE = 700
_MARKS = " \t\"'`*.,;:"


def find_whole_items(text: str) -> list[object]:
    """Return the whole pairs and arrow strings of the last list that was begun.

    Example:
        >>> find_whole_items('{"relationships": [["rain", "floods"], ["floods", "lo')
        [['rain', 'floods']]
        >>> find_whole_items("as shown in [1, 2] and [3, 4]")
        []
    """
    items: list[object] = []
    end = 0
    for _, start in zip(range(MOST_STARTS), _START.finditer(text), strict=False):
        if start.start() >= end:
            taken = list(_items(text, start.end()))
            if taken:
                items, end = [item for item, _ in taken], taken[-1][1]
    return items


def _items(text: str, at: int) -> Iterator[tuple[object, int]]:
    while (found := _PAIR.match(text, at) or _ARROW_TEXT.match(text, at)) is not None:
        try:
            yield json.loads(found.group(), strict=False), found.end()
        except ValueError:
            return
        between = _BETWEEN.match(text, found.end())
        at = between.end() if between else found.end()


def arrow_lines(text: str) -> list[object]:
    r"""Return the lines of a text that are one cause, an arrow and one effect.

    Example:
        >>> arrow_lines("So:\n- rain -> floods\n- a -> b -> c")
        [['rain', 'floods']]
    """
    pairs: list[object] = []
    for line in text.splitlines():
        if len(line) <= _MOST_LINE:
            bare = line.strip()
            bullet = _BULLET.match(bare)
            ends = [
                end.strip(_MARKS) for end in _ARROW.split(bare[bullet.end() if bullet else 0 :])
            ]
            if len(ends) == 2 and all(ends):
                pairs.append(ends)
    return pairs

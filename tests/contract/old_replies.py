"""The reader of groups of braces as it was, before it read in linear time: what ours must equal."""

import re
from collections.abc import Iterator

MAX_DEPTH, MOST_GROUPS = 32, 200
_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def old_groups(reply: str) -> Iterator[tuple[str, int, bool]]:
    """Yield the text and the depth of each group, and whether it closes."""
    start = reply.find("{")
    for _ in range(MOST_GROUPS):
        if start == -1:
            return
        text, depth, closed = _old_group(reply, start)
        yield text, depth, closed
        if depth > MAX_DEPTH or not (closed or re.match(r'\{\s*"', text) is None):
            return
        start = reply.find("{", start + (len(text) if closed else 1))


def _old_group(reply: str, start: int) -> tuple[str, int, bool]:
    depth = deepest = 0
    for mark in _MARK.finditer(reply, start):
        if mark.group() in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark.group() in "]}":
            depth -= 1
        if depth == 0 or deepest > MAX_DEPTH:
            # What is too deep is not read, so where it ends does not matter.
            end = mark.end() if depth == 0 else len(reply)
            return reply[start:end], deepest, depth == 0
    return reply[start:], deepest, False

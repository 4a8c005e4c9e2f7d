"""The promise that long replies are read in time: it grows with their length, and no faster."""

import time
from collections.abc import Iterator

from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.checks.replies import find_phases
from causarium.contract.rules import Rules
from causarium.contract.texts.replies import MAX_REPLY_CHARS
from causarium.contract.world import Action

LIMIT_S = 0.4
"""What reading any reply may take of a core; our own families take half of it, on any machine."""
RATIO = 2.3
"""So many times as long twice the text may take."""
_NOISE_S = 0.04
"""Below this, doubling is not measured: clocks are coarser than the work."""
_ROUNDS = 5

SHAPES: dict[str, str | tuple[str, str]] = {
    "escaped quotes": ('{"', '\\"'),
    "open braces": "{",
    "answers before the last": ('{"answer":1}\n' * 999 + '{"answer":[', "1,"),
    "prose braces": "{a ",
    "prose brackets": ("{a", "[]"),
    "prose pairs": ("{a", "{}"),
    "strings that are braces": '{"}":',
    "strings that never end": '{"',
    "values that never end": '{"a": "',
    "brace, bracket": "{[",
    "quote, brace": '"{',
    "prose and quotes": '{a "',
    "three quotes": '{a """',
    "backslashes": ('{"', "\\"),
    "quote, backslash": '{a "\\',
    "open lists": ("{", "["),
    "nested lists": ('{"a":', "[" * 31 + "]" * 31 + ","),
    "broken objects": '{"a": x} ',
    "whole objects": '{"a": 1} ',
    "one long list": ('{"a": [', "1,"),
    "tags": "<think></think>",
    "open tags": "<think>",
    "tags and braces": "{ <think></think>",
    "tags in broken objects": '{"a": <think></think> ',
    "tags in closed objects": '{"a": <think></think>} ',
    "tags in strings": '{"a": "<think>", ',
    "tags in nested objects": ('{"a":' * 30 + "<think></think>", "[]"),
    "open tags in objects": '{"a": "<think>"} ',
    "lists in lists": "[" * 400 + "]" * 400,
    "lists of strings": '["a", ',
    "lists of open strings": '["',
    "single quotes": "{'source':'a','sink':'",
    "loose edges": '{"source": "a", "sink": "b" ',
    "loose names": ('{"source": "', '", "sink": "'),
    "escaped braces": ('{"source": "', '\\"}{'),
    "graphs begun": '{"relationships": [',
    "cut-off edges": ('{"relationships": [', '{"source": "a", "sink": "b"}, '),
    "spaces": ("{", " "),
    "lines": ("```python\n", "\n"),
    "fences": "```python\n",
    "indented fences": " \t```python\n x",
    "digits": ('{"a": ', "9"),
    "surrogates": '{"\ud800": "\udfff"} ',
}
"""What is written once, if anything, and what is written again and again."""


def make_shape(name: str, size: int) -> str:
    """Return the shape of a name in `size` characters."""
    shape = SHAPES[name]
    start, part = shape if isinstance(shape, tuple) else ("", shape)
    return (start + part * (size // len(part) + 1))[:size]


def half_size(name: str) -> int:
    """Return about half of the longest reply, such that the shape is cut off at the same place.

    Whether a text ends in a string or after a brace decides how often it is read.
    """
    shape = SHAPES[name]
    part = shape[1] if isinstance(shape, tuple) else shape
    return MAX_REPLY_CHARS - MAX_REPLY_CHARS // 2 // len(part) * len(part)


TRIED = (
    *("escaped quotes", "prose brackets", "strings that never end", "three quotes", "backslashes"),
    *("nested lists", "tags and braces", "tags in strings", "lists in lists", "single quotes"),
    *("cut-off edges", "indented fences", "digits"),
)
"""The shapes that the check tries: those that took longest where reading was not linear."""


def long_replies_are_read_in_time(subject: Subject) -> Iterator[str]:
    """Any reply of 200 kB is read in under 0.4 s of CPU time; doubling it costs 2.3 times at most.

    It is tried with shapes that are hard to read, in every phase that players meet.
    """
    for rules, allowed_actions, _ in find_phases(subject):
        kinds = " or ".join(action.kind for action in allowed_actions) or "nothing"
        for name in TRIED:
            seconds = _measure(subject, rules, allowed_actions, name, MAX_REPLY_CHARS)
            where = f"200 kB of {name}, where {kinds} is expected,"
            if seconds > LIMIT_S:
                yield f"{where} take {seconds:.2g} s"
            elif seconds > _NOISE_S:
                half = _measure(subject, rules, allowed_actions, name, half_size(name))
                if seconds > RATIO * max(half, _NOISE_S / 2):
                    yield f"{where} take {seconds / half:.2g} times as long as half of it"


def _measure(
    subject: Subject, rules: Rules, allowed_actions: tuple[type[Action], ...], name: str, size: int
) -> float:
    """Return the CPU time of the quickest of several readings; of one, where that is quick."""
    quickest = float("inf")
    for number in range(_ROUNDS):
        # Another text each time: what was read last may be remembered.
        reply = f"{number}{make_shape(name, size - 1)}"
        start = time.process_time()
        subject.family.replies.parse(reply, allowed_actions, rules)
        quickest = min(quickest, time.process_time() - start)
        if quickest <= _NOISE_S:
            break
    return quickest


CHECKS: tuple[Check, ...] = (long_replies_are_read_in_time,)

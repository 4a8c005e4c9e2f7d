"""Reading relationships, one by one: how a cause and an effect may be written, and the slips.

A slip that can be mended is mended and counted; what is no relationship at all is left out and
counted as well. Self-loops stay as they are, and are counted elsewhere.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from causarium.families.recite.model.graphs import DUPLICATE, Relationship

MOST_NAME = 500
"""Longer names are cut."""
_ENDS = (("source", "sink"), ("source", "target"), ("from", "to"), ("cause", "effect"))
_ARROWS = ("->", "→", "=>")
_END_TYPES = frozenset({str, int})
"""What names a node; True and False are neither."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The relationships of a graph, each once, in the order in which they were last written."""

    relationships: tuple[Relationship, ...]
    slips: Counter[str]
    dropped: int
    """How many items were no relationship."""


def is_pair(item: object) -> bool:
    """Tell whether a JSON value looks like one relationship."""
    return _ends(item) is not None


def read_pairs(items: Iterable[object]) -> Pairs:
    """Read relationships however they are written.

    Example:
        >>> read_pairs([{"source": "rain", "target": "floods"}]).slips
        Counter({'target for sink': 1})
    """
    slips: Counter[str] = Counter()
    found: dict[tuple[str | int, str | int], None] = {}
    repeated = 0
    for item in items:
        ends = _ends(item)
        if ends is None:
            slips["not a relationship"] += 1
            continue
        source, sink, slip = ends
        pair = source, sink
        # What is there already is spelled well: a repetition needs no other look.
        if pair not in found:
            pair = _end(source, slips), _end(sink, slips)
        if "" in pair:
            slips["empty name"] += 1
            continue
        if slip:
            slips[slip] += 1
        if pair in found:
            repeated += 1
            del found[pair]
        found[pair] = None
    dropped = slips["not a relationship"] + slips["empty name"]
    slips[DUPLICATE] = repeated
    relationships = tuple(Relationship.model_construct(source=a, sink=b) for a, b in found)
    return Pairs(relationships, +slips, dropped)


def _ends(item: object) -> tuple[str | int, str | int, str] | None:
    """Return the cause and the effect as they are written, and the slip that was made."""
    if isinstance(item, dict):
        return _of_keys(item)
    if isinstance(item, list) and len(item) == 2 and all(map(_is_end, item)):
        return item[0], item[1], "pair as a list"
    if isinstance(item, str):
        for arrow in _ARROWS:
            cause, found, effect = item.partition(arrow)
            if found and cause.strip() and effect.strip():
                return cause.strip(' "'), effect.strip(' "'), "arrow for a pair"
    return None


def _of_keys(item: dict[str, Any]) -> tuple[str | int, str | int, str] | None:
    for place, (first, second) in enumerate(_ENDS):
        source, sink = item.get(first), item.get(second)
        if _is_end(source) and _is_end(sink):
            slip = "target for sink" if first == "source" else f"{first} and {second}"
            return source, sink, slip if place else ""  # type: ignore[return-value]
    return None


def _is_end(value: object) -> bool:
    return type(value) in _END_TYPES


def _end(value: str | int, slips: Counter[str]) -> str | int:
    """Return a name without control characters and of bounded length; an id as it is."""
    if isinstance(value, int):
        return value if abs(value) < 10**9 else str(value)[:MOST_NAME]
    plain = value
    if not value.isprintable():
        plain = "".join(c if c.isprintable() else " " for c in value)
        slips["control characters"] += 1
    plain = " ".join(plain.split())
    if len(plain) > MOST_NAME:
        slips["name too long"] += 1
        plain = plain[:MOST_NAME].rstrip()
    return plain

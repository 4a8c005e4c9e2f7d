"""Walking through JSON values."""

from collections.abc import Iterator
from typing import TypeAlias

from causarium.contract.frozen import Json

Place: TypeAlias = tuple[str | int, ...]
"""Where a value stands: the keys and positions that lead to it."""


def leaves(value: Json, at: Place = ()) -> Iterator[tuple[Place, Json]]:
    """Yield every value that holds no other, with its place.

    Example:
        >>> list(leaves({"a": [1, {"b": True}]}))
        [(('a', 0), 1), (('a', 1, 'b'), True)]
    """
    for place, found in branches(value, at):
        if not isinstance(found, list | dict):
            yield place, found


def branches(value: Json, at: Place = ()) -> Iterator[tuple[Place, Json]]:
    """Yield `value` and every value inside it, with its place."""
    yield at, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from branches(inner, (*at, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from branches(inner, (*at, position))


def write_place(place: Place) -> str:
    """Write a place as people do: `edges[0].cause`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return text.lstrip(".") or "all of it"

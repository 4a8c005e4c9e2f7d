"""How players read an archive: each from a table of counts for every slot.

A table has a row for every combination of the slot's option, its recorded column and the return.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Literal, TypeAlias

Counts: TypeAlias = Mapping[tuple[int, int, int], int]
"""How many flights had an option, a column's value and a return."""
Reader: TypeAlias = Callable[[Counts, Random], int]
"""Returns the option to choose, 0 or 1."""


def follow_rate(counts: Counts, rng: Random) -> int:  # noqa: ARG001
    """Choose the option with which more came back."""
    return int(_difference(counts, 0) > 0)


def control_column(counts: Counts, rng: Random) -> int:  # noqa: ARG001
    """Choose the option with which more came back where the column was the same."""
    total = 0.0
    for value in (0, 1):
        part = {key: n for key, n in counts.items() if key[1] == value}
        total += _difference(part, 0) * sum(part.values())
    return int(total > 0)


def follow_column(counts: Counts, rng: Random) -> int:  # noqa: ARG001
    """Choose the option that goes with the column's value with which more came back."""
    return int(_difference(counts, 1) * _link(counts) > 0)


def front_door(counts: Counts, rng: Random) -> int:  # noqa: ARG001
    """Choose by what the option does to the reading, and the reading to the return given it."""
    total = 0.0
    for option in (0, 1):
        part = {key: n for key, n in counts.items() if key[0] == option}
        total += _difference(part, 1) * sum(part.values())
    return int(total * _link(counts) > 0)


def toss(counts: Counts, rng: Random) -> int:  # noqa: ARG001
    """Choose by a coin."""
    return int(rng.random() < 0.5)


def stay(counts: Counts, rng: Random) -> int:  # noqa: ARG001
    """Choose the standard option."""
    return 0


def choose_reader(name: str, mode: Literal["front_door", "instrument"]) -> Reader:
    """Return how a player reads an archive: what it does in flights, carried over."""
    if name == "causal":
        return front_door if mode == "front_door" else follow_column
    return _READERS.get(name, toss)


_READERS: dict[str, Reader] = {
    "regression": follow_rate,
    "screening": follow_rate,
    "bayesian": follow_rate,
    "grid": follow_rate,
    "halving": follow_rate,
    "stratify": control_column,
    "filter": control_column,
    "resemble": control_column,
    "reweight": control_column,
    "interactions": control_column,
    "default": stay,
    "constant": stay,
}


def _difference(counts: Counts, place: int) -> float:
    """Return how much more came back with the second value in a place than with the first."""
    rates = []
    for value in (0, 1):
        flights = sum(n for key, n in counts.items() if key[place] == value)
        back = sum(n for key, n in counts.items() if key[place] == value and key[2])
        rates.append(back / flights if flights else 0.5)
    return rates[1] - rates[0]


def _link(counts: Counts) -> float:
    """Return how much likelier the column's second value is with the second option."""
    shares = []
    for option in (0, 1):
        flights = sum(n for key, n in counts.items() if key[0] == option)
        on = sum(n for key, n in counts.items() if key[0] == option and key[1])
        shares.append(on / flights if flights else 0.5)
    return shares[1] - shares[0]

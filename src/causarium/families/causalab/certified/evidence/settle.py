"""The right answer to a question: what all crystals say that no experiment tells apart.

A question is settled for many ways at once to put properties in the place of its names, which is
how generation finds one that has a given answer.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..mechanics.respond import LOOSE, Array, respond
from ..model.instance import (
    LETTERS,
    LEVELS,
    NONE_TELLS,
    NUMBERS,
    UNKNOWN,
    Holds,
    LadderPublic,
    Question,
)
from ..model.skeleton import Skeleton
from .alike import list_alike

Places: TypeAlias = Mapping[str, NDArray[np.intp]]
"""The property that stands for each name of a question, in each of several ways."""

IMPOSSIBLE = "impossible"
"""What stands for an answer where the run that a question starts from cannot have been."""
_PUSHES = (-1, 0, 1)
_WORDS = ("down", "same", "up", UNKNOWN, IMPOSSIBLE)


def settle(public: LadderPublic, crystal: Sequence[int], question: Question) -> str:
    """Return the right answer to a question if the crystal is this one."""
    index = public.index
    alike = place_alike(
        public.skeleton, public.holds, crystal, [index[name] for name in question.names]
    )
    places = {name: np.array([index[name]]) for name in question.names}
    return settle_many(public.skeleton, alike, question, places)[0]


def place_alike(
    skeleton: Skeleton, holds: int, crystal: Sequence[int], named: Sequence[int]
) -> Array:
    """Return the crystals that cannot be told from one, as properties, with holdable ones first.

    Idle properties that are not named are all alike, and stand there as the size of the skeleton.
    """
    size = skeleton.size
    holdable = skeleton.holdable
    fixed = [part for part, one in enumerate(crystal) if one >= holdable]
    template = list_alike(skeleton, holds, fixed[0] if fixed else None)
    idle = [one for one in sorted({*named}) if one < holdable and one not in crystal]
    unnamed = skeleton.idle - skeleton.fixed - len(idle)
    slots = np.maximum(template.max(axis=1) - len(crystal) + 1, 0)
    placed = []
    for number in sorted({*slots.tolist()}):
        rows = template[slots == number]
        for fillers in product((*idle, size), repeat=number):
            loose = fillers.count(size)
            if loose > unnamed or len({*fillers} - {size}) < number - loose:
                continue
            for unheld in range(holdable, size) if skeleton.fixed else (size,):
                symbols = np.array([*crystal, *fillers, unheld], dtype=np.int8)
                placed.append(symbols[rows])
    return np.concatenate(placed)


def settle_many(
    skeleton: Skeleton, crystals: Array, question: Question, places: Places
) -> list[str]:
    """Return the answer to a question in each way to place its names, the same for all crystals.

    Args:
        skeleton: The parts of the crystals.
        crystals: Crystals that experiments cannot tell apart.
        question: The question.
        places: The property that stands for each of its names.
    """
    if question.pair is not None:
        return _find_telling(skeleton, crystals, question, question.pair, places)
    settings = write_settings(skeleton, question.hold, places)
    if question.before is None:
        seen = respond(skeleton, crystals, settings)
        possible = np.ones_like(seen, dtype=bool)
    else:
        start = write_settings(skeleton, question.before.hold, places)
        reading = NUMBERS[question.before.reading]
        runs = [
            (respond(skeleton, crystals, settings, push), respond(skeleton, crystals, start, push))
            for push in _PUSHES
        ]
        seen = np.concatenate([after for after, _ in runs], axis=1)
        possible = np.concatenate([before for _, before in runs], axis=1) == reading
    low = np.where(possible, seen, 2).min(axis=1)
    high = np.where(possible, seen, -2).max(axis=1)
    codes = np.where(low == high, low + 1, np.where(low > high, 4, 3))
    return [_WORDS[code] for code in codes.tolist()]


def _find_telling(
    skeleton: Skeleton,
    crystals: Array,
    question: Question,
    pair: tuple[str, str],
    places: Places,
) -> list[str]:
    """Find the first experiment that reads differently once two properties have changed parts.

    To exchange two properties of a crystal is to exchange what is done to them.
    """
    one, other = pair
    exchanged = {**places, one: places[other], other: places[one]}
    ways = len(places[one])
    code = np.full(ways, len(LETTERS))
    for number in reversed(range(len(LETTERS))):
        hold = question.options[number]
        here = respond(skeleton, crystals, write_settings(skeleton, hold, places))
        there = respond(skeleton, crystals, write_settings(skeleton, hold, exchanged))
        code[(here != there).any(axis=1)] = number
    return [(*LETTERS, NONE_TELLS)[number] for number in code.tolist()]


def write_settings(skeleton: Skeleton, hold: Holds, places: Places) -> Array:
    """Return the settings of all properties, a row for each way to place the names."""
    ways = len(next(iter(places.values())))
    settings = np.full((ways, skeleton.size + 1), LOOSE, dtype=np.int8)
    for name, level in hold.items():
        settings[np.arange(ways), places[name]] = LEVELS[level]
    return settings

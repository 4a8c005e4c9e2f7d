"""The laboratory of the embodied interfaces: its plan, its rooms, the things and their names.

    north is up, x grows to the east, y to the south
    M manipulator, R reactor, T the table with the record book, D the desk with the notebook,
    @ where the agent begins

It is the same in every episode, so the prompt states it and it says nothing of an instance.
Nothing here needs the library that moves the body.
"""

import re
from typing import Literal, NamedTuple, get_args

from .instance import fold_name

Direction = Literal["north", "east", "south", "west"]
Verb = Literal["pickup", "drop", "put", "use", "open", "close", "activate", "deactivate", "eat"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
VERBS: tuple[Verb, ...] = get_args(Verb)
STEPS = dict(zip(DIRECTIONS, ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True))
PLAN = """\
###############
#....#.T.#....#
#.M..#...#..R.#
#....#...#....#
#......@......#
#....#...#....#
#....#...#....#
#....#.D.#....#
###############"""
"""A wall is `#`; every other letter stands on floor."""
ROWS = PLAN.split("\n")
WIDTH, HEIGHT = len(ROWS[0]), len(ROWS)

MANIPULATOR, REACTOR, NOTEBOOK = "manipulator", "reactor", "notebook"
BOOK, TABLE, DESK = "record book", "table", "desk"
MANIPULATOR_CRYSTAL, REACTOR_CRYSTAL = "manipulator's crystal", "reactor's crystal"
CORRIDOR = "corridor"
PLACES = {MANIPULATOR: "manipulator lab", REACTOR: "reactor lab", NOTEBOOK: "desk"}
"""Where each device stands."""


class Thing(NamedTuple):
    """Something that can be named: by its name, or by its number."""

    number: int
    name: str
    letter: str
    """Where it stands on the plan."""


THINGS = (
    Thing(1, MANIPULATOR, "M"),
    Thing(2, REACTOR, "R"),
    Thing(3, BOOK, "T"),
    Thing(4, NOTEBOOK, "D"),
    Thing(5, MANIPULATOR_CRYSTAL, "M"),
    Thing(6, REACTOR_CRYSTAL, "R"),
    Thing(7, TABLE, "T"),
    Thing(8, DESK, "D"),
)
BY_NAME = {thing.name: thing for thing in THINGS}
BY_NUMBER = {thing.number: thing for thing in THINGS}

Spot = tuple[int, int]


def find_spot(letter: str) -> Spot:
    """Return where a letter stands on the plan."""
    return next((row.index(letter), y) for y, row in enumerate(ROWS) if letter in row)


START = find_spot("@")
LANDINGS = {PLACES[MANIPULATOR]: (2, 3), PLACES[REACTOR]: (12, 3), "desk": (7, 6), CORRIDOR: START}
"""Where one arrives when one teleports to a place."""


def name_place(spot: Spot) -> str:
    """Return the place that a spot belongs to."""
    x, y = spot
    if x < 5:
        return PLACES[MANIPULATOR]
    if x > 9:
        return PLACES[REACTOR]
    return "desk" if y >= 6 else CORRIDOR


_MOST_CHARS = 200
_NUMBERED = re.compile(r"(?:.{0,80}?\[)?\s*#?(\d{1,5})\s*\]?")
_THINGS = {fold_name(thing.name): thing for thing in THINGS}
_PLACES = {fold_name(place): place for place in LANDINGS}


def describe_thing(thing: Thing) -> str:
    """Return a thing's name and number.

    Example:
        >>> describe_thing(THINGS[0])
        'manipulator [1]'
    """
    return f"{thing.name} [{thing.number}]"


def find_thing(named: str) -> Thing | None:
    """Return the thing that is meant.

    Example:
        >>> [find_thing(name) is THINGS[1] for name in ("reactor", "2", "the Reactor [2]", "9")]
        [True, True, True, False]
    """
    numbered = _NUMBERED.fullmatch(named[:_MOST_CHARS].strip())
    if numbered:
        return BY_NUMBER.get(int(numbered[1]))
    return _THINGS.get(fold_place(named))


def find_place(named: str) -> str | None:
    """Return the place that is meant.

    Example:
        >>> find_place("Causal Reactor Lab"), find_place("the moon")
        ('reactor lab', None)
    """
    return _PLACES.get(fold_place(named))


def fold_place(named: str) -> str:
    """Return the plain form of a place or thing; a published one is "causal reactor lab"."""
    return fold_name(named[:_MOST_CHARS]).removeprefix("the").removeprefix("causal")

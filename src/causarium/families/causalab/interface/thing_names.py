"""The names and numbers by which agents speak of things and places in the laboratory."""

import re

from causarium.families.causalab.interface.lab_plan import BY_NUMBER, LANDINGS, THINGS, Thing
from causarium.families.causalab.mechanics.properties import fold_name

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
    return _THINGS.get(_fold_name(named))


def find_place(named: str) -> str | None:
    """Return the place that is meant; the published one is "causal reactor lab".

    Example:
        >>> find_place("Causal Reactor Lab"), find_place("the moon")
        ('reactor lab', None)
    """
    return _PLACES.get(_fold_name(named))


def _fold_name(named: str) -> str:
    return fold_name(named[:_MOST_CHARS]).removeprefix("the").removeprefix("causal")

"""How people play a family in the browser: its own board in place of forms made of schemas.

A family that wants one keeps it in its room `views`: a template `board.html`, perhaps `board.js`,
`board.css` and a picture `tile.svg`, and the functions below. They see what an agent sees and
nothing else: the public part, the rules, and what was done and answered so far.

What a person enters is a draft. It becomes a move only when it can be read and nothing forbids it,
so a slip of the hand never costs anything.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from causarium.contract.frozen import Frozen
from causarium.contract.instance import PublicT
from causarium.contract.rules import Rules
from causarium.contract.verdict import Verdict
from causarium.contract.world import Action, Move, Observation

MOST_DRAFT_NUMBER = 40
"""A number with more characters than this is none."""

RulesT_contra = TypeVar("RulesT_contra", bound=Rules, contravariant=True)

Draft = Mapping[str, str]
"""What a person entered, by field."""


class Exchange(NamedTuple):
    """A move that was made, and what the world answered."""

    move: Move
    seen: Observation


class Problem(Frozen):
    """Why a draft is no move: the field it stands in, and what is wrong with it."""

    field: str
    words: str


class Meter(Frozen):
    """How much of something is left."""

    left: int
    of: int
    unit: str
    """In the plural, as in `actions`."""


class Board(Frozen):
    """How a game stands, for a person."""

    question: str
    """What is asked, in one sentence; always in sight."""
    meters: tuple[Meter, ...] = ()
    notes: tuple[str, ...] = ()
    """Short remarks beside the meters."""
    view: dict[str, Any]
    """What the family's own template shows."""


class Ending(Frozen):
    """How a game went, in words."""

    sentence: str
    """The first thing that one reads, such as `Right, and the evidence settles it.`"""
    facts: dict[str, str]
    """What a table sets beside that of others who played the case, by column."""


@dataclass(frozen=True)
class PlayPage(Generic[PublicT, RulesT_contra]):
    """How people play a family in the browser."""

    folder: Path
    """Where `board.html` is."""
    invitation: str
    """What one does, in a few words, for the tile on the home page."""
    lay_out: Callable[[PublicT, RulesT_contra, Sequence[Exchange]], Board]
    """How the game stands."""
    read_draft: Callable[
        [PublicT, RulesT_contra, Sequence[Exchange], Draft], Action | tuple[Problem, ...]
    ]
    """The move that a draft stands for, or what is wrong with it. It never raises for a draft."""
    tell_ending: Callable[[Verdict, Sequence[Exchange]], Ending]
    """How a finished game went, for a person and for whoever played the same case."""
    editions: tuple[str, ...] = ("certified", "paper")
    """Those that have the board; others are played through forms made of schemas."""


def read_number(draft: Draft, field: str, *, what: str = "") -> float | Problem:
    """Return the number in a field of a draft, or what is wrong with it.

    Example:
        >>> read_number({"value": "-2,5"}, "value")
        -2.5
        >>> read_number({"value": "fifty"}, "value").words
        '“fifty” is no number.'

    Args:
        draft: What was entered.
        field: The field.
        what: What to call it where nothing was entered.
    """
    text = draft.get(field, "").strip().replace("−", "-")
    if not text:
        return Problem(field=field, words=f"Enter a number{f' for {what}' if what else ''}.")
    try:
        value = float(text.replace(",", ".") if text.count(",") == 1 else text)
    except ValueError:
        value = math.nan
    if len(text) > MOST_DRAFT_NUMBER or not math.isfinite(value):
        return Problem(field=field, words=f"“{text[:MOST_DRAFT_NUMBER]}” is no number.")
    return value


def read_whole(draft: Draft, field: str, *, what: str = "") -> int | Problem:
    """Return the whole number in a field of a draft, or what is wrong with it."""
    value = read_number(draft, field, what=what)
    if isinstance(value, Problem):
        return value
    if not value.is_integer():
        return Problem(field=field, words=f"“{draft[field].strip()}” is no whole number.")
    return int(value)


def read_arrows(draft: Draft, field: str, *, most: int) -> tuple[tuple[str, str], ...] | Problem:
    """Return the arrows in a field, one a line as `cause -> effect`, each once.

    Example:
        >>> read_arrows({"arrows": "rain -> floods"}, "arrows", most=9)
        (('rain', 'floods'),)
    """
    arrows: dict[tuple[str, str], None] = {}
    for number, line in enumerate(draft.get(field, "").splitlines(), 1):
        if not line.strip():
            continue
        cause, arrow, effect = (part.strip() for part in line.partition("->"))
        if not (cause and arrow and effect):
            words = f"Line {number} is no arrow; write it as cause -> effect."
            return Problem(field=field, words=words)
        arrows[cause, effect] = None
        if len(arrows) > most:
            return Problem(field=field, words=f"At most {most} arrows can be drawn.")
    return tuple(arrows)

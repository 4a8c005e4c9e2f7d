"""Certified edition: the law of each leg, in exact fractions, for test flights and for the fleet.

`list_outcomes` is the one statement of what a test flight can show. Flights are drawn from it, the
certificate adds it up, and players that know the told constants take their chances from it.

A design counts by its `lean`: +1 for the first part alone, -1 for its rival alone, 0 where both or
none are fitted. A bare drone on a leg with one part leans 0 on a dial or a line, and -1 on a roster
or at a depot.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random
from typing import Literal, NamedTuple, TypeVar

from ..model.expeditions import Fitted, HiddenLeg, Leg

HALF = Fraction(1, 2)
SHOWS_TARGET = Fraction(2, 5)
"""Dial and line: how often the air shows the fleet's value by itself."""
_AWAY = 1 - SHOWS_TARGET
FIT = Fraction(9, 20)
"""Dial and line: how far a part moves the chance of return from one half."""
TAKE_OFF = {"even": HALF, "praised": Fraction(9, 10), "other": Fraction(1, 10)}
"""Roster: how many take off where the tower does not choose, and where it does. On average as many
stay under either tower, so a look into the hangar does not tell them apart."""
RETURNS_EVEN = {True: Fraction(18, 25), False: Fraction(9, 50)}
RETURNS_CHOSEN = {True: Fraction(2, 5), False: Fraction(9, 10)}
"""Roster: how many of those that take off return, where rows are many (true) and elsewhere."""
MOVES_ISSUE = Fraction(3, 20)
"""Depot: how far the active column moves the issue of the module."""
KNOWN_ISSUE = Fraction(1, 3)
"""Depot, by choice: how far what the officers knew moves the issue."""
MODULE = Fraction(3, 25)
"""Depot: how far the module moves returns, either way."""
KNOWN_RETURN = MODULE / KNOWN_ISSUE
"""Depot, by choice: how far what the officers knew moves returns. With it, drones with and without
the module return equally often under both faces."""
DECOY = {True: Fraction(2, 5), False: Fraction(1, 10)}
"""Depot: how far the decoy goes with what the officers knew, when strong and when weak."""

Fate = Literal["returned", "lost", "stayed"]
"""`stayed`: it is in no log."""


class Outcome(NamedTuple):
    """What becomes of one test flight."""

    shown: tuple[bool, ...]
    """For each reading, whether it is at the fleet's value; () if the drone stayed."""
    fate: Fate


class BookRow(NamedTuple):
    """One flight of a depot's book; its other columns are fair coins."""

    active: bool
    decoy: bool
    """A coin like the others where no column is a decoy."""
    issued: bool
    returned: bool


Flight = TypeVar("Flight", Outcome, BookRow)


def find_lean(leg: Leg, fitted: Fitted) -> int:
    """Return which way a design leans."""
    if len(leg.parts) == 1:
        bare = -1 if leg.kind in {"roster", "depot"} else 0
        return 1 if fitted[0] else bare
    return int(fitted[0]) - int(fitted[1])


def list_outcomes(
    leg: Leg, hidden: HiddenLeg, fitted: Fitted, setting: int | None = None
) -> dict[Outcome, Fraction]:
    """Return what one test flight may show, and with what chance.

    `setting` is the reading that is set away from the fleet's value, if any.
    """
    if leg.kind == "dial":
        return _fly_dial(leg, hidden, find_lean(leg, fitted), setting)
    if leg.kind == "line":
        return _fly_line(leg, hidden, find_lean(leg, fitted), setting)
    return _fly_roster(leg, hidden, find_lean(leg, fitted))


def _fly_dial(
    leg: Leg, hidden: HiddenLeg, lean: int, setting: int | None
) -> dict[Outcome, Fraction]:
    outcomes: dict[Outcome, Fraction] = {}
    for air in product((False, True), repeat=len(leg.readings)):
        chance = Fraction(1)
        for at_target in air:
            chance *= SHOWS_TARGET if at_target else _AWAY
        shown = tuple(at_target and place != setting for place, at_target in enumerate(air))
        state = shown[hidden.active] if hidden.face else air[hidden.active]
        back = chance * return_chance(hidden, lean, state=state)
        _add_flight(outcomes, shown, back, chance - back)
    return outcomes


def _fly_line(
    leg: Leg, hidden: HiddenLeg, lean: int, setting: int | None
) -> dict[Outcome, Fraction]:
    length = len(hidden.line)
    cut = hidden.line.index(setting) + 1 if setting is not None else length + 2
    fleet = hidden.line.index(find_fleet_gauge(leg, hidden)) + 1
    # The air goes by the fleet's gauge or by the one before it; 0 would be the source.
    at = fleet if hidden.face else fleet - 1
    moved = set(hidden.line[cut - 1 :])
    follows = tuple(reading not in moved for reading in range(length))
    outcomes: dict[Outcome, Fraction] = {}
    for shown, source, state in ((follows, True, at < cut), ((False,) * length, False, False)):
        fit = hidden.sign * lean * (1 if state else -1)
        _add_flight(outcomes, shown, *_LINE_SHARES[source, fit])
    return outcomes


def find_fleet_gauge(leg: Leg, hidden: HiddenLeg) -> int:
    """Return the gauge of a line that is set for the fleet; it alone tells the faces apart."""
    named = leg.find_reading(leg.fleet_reading) or 0
    return hidden.line[hidden.line.index(named) + leg.ahead]


def return_chance(hidden: HiddenLeg, lean: int, *, state: bool) -> Fraction:
    """Return how likely a drone comes back on a dial or a line, given the state of the air."""
    return _RETURNS[hidden.sign * lean * (1 if state else -1)]


_RETURNS = {fit: HALF + FIT * fit for fit in (-1, 0, 1)}
"""The chance of return where a drone does not fit the air, leans nowhere, and fits."""


_LINE_SHARES = {
    (source, fit): (chance * back, chance - chance * back)
    for source, chance in ((True, SHOWS_TARGET), (False, _AWAY))
    for fit, back in _RETURNS.items()
}
"""Line: how many return and are lost, by whether the source is at the fleet's value, and by fit."""


def _add_flight(
    outcomes: dict[Outcome, Fraction], shown: tuple[bool, ...], back: Fraction, lost: Fraction
) -> None:
    for outcome, share in ((Outcome(shown, "returned"), back), (Outcome(shown, "lost"), lost)):
        outcomes[outcome] = outcomes[outcome] + share if outcome in outcomes else share


def find_roster_rates(
    hidden: HiddenLeg, lean: int, *, at_target: bool
) -> tuple[Fraction, Fraction]:
    """Return how many of the ordered take off, and how many of these return."""
    if lean == 0:
        return TAKE_OFF["even"], HALF
    praised = (lean == 1) == (hidden.sign == (1 if at_target else -1))
    if hidden.face and not hidden.early:
        return TAKE_OFF["even"], RETURNS_EVEN[praised]
    return TAKE_OFF["praised" if praised else "other"], RETURNS_CHOSEN[praised]


def _fly_roster(leg: Leg, hidden: HiddenLeg, lean: int) -> dict[Outcome, Fraction]:
    outcomes: dict[Outcome, Fraction] = {}
    cells = list(product((False, True), repeat=len(leg.readings)))
    rates = [find_roster_rates(hidden, lean, at_target=value) for value in (False, True)]
    returned = [off * back / len(cells) for off, back in rates]
    lost = [off / len(cells) - share for (off, _), share in zip(rates, returned, strict=True)]
    for shown in cells:
        at_target = shown[hidden.active]
        outcomes[Outcome(shown, "returned")] = returned[at_target]
        outcomes[Outcome(shown, "lost")] = lost[at_target]
    outcomes[Outcome((), "stayed")] = 1 - (rates[0][0] + rates[1][0]) / 2
    return outcomes


def find_fleet_chance(leg: Leg, hidden: HiddenLeg, fitted: Fitted) -> Fraction:
    """Return the expected share of the fleet that comes home with a design."""
    lean = find_lean(leg, fitted)
    if leg.kind == "roster":
        off, back = find_roster_rates(hidden, lean, at_target=True)
        return off * back if hidden.face and hidden.early else back
    if leg.kind == "depot":
        return HALF + MODULE * hidden.sign * lean * (1 if hidden.face else -1)
    if hidden.face:
        return return_chance(hidden, lean, state=True)
    by_itself = return_chance(hidden, lean, state=True) * SHOWS_TARGET
    return by_itself + return_chance(hidden, lean, state=False) * _AWAY


def find_best_design(leg: Leg, hidden: HiddenLeg) -> Fitted:
    """Return the one design that brings most of the fleet home."""
    return max(leg.designs, key=lambda fitted: find_fleet_chance(leg, hidden, fitted))


def list_book_rows(hidden: HiddenLeg) -> dict[BookRow, Fraction]:
    """Return what one flight of a depot's book may hold, and with what chance."""
    tie = DECOY[hidden.strong] if hidden.decoy is not None else Fraction(0)
    return dict(_list_rows(hidden.face, hidden.sign, tie))


@lru_cache(maxsize=16)  # twelve laws in all; without it a draw takes twice as long
def _list_rows(
    face: bool,  # noqa: FBT001
    sign: Literal[-1, 1],
    tie: Fraction,
) -> tuple[tuple[BookRow, Fraction], ...]:
    rows = []
    for row in (BookRow(*flags) for flags in product((False, True), repeat=4)):
        z, w, x = (1 if flag else -1 for flag in row[:3])
        rows.append((row, _find_book_chance(face, tie, (z, w, x, sign), returned=row.returned)))
    return tuple(rows)


def _find_book_chance(
    face: bool,  # noqa: FBT001
    tie: Fraction,
    signs: tuple[int, int, int, int],
    *,
    returned: bool,
) -> Fraction:
    """Return the chance of one row, by the signs of active column, decoy, issue and effect."""
    z, w, x, s = signs
    if face:
        # The decoy follows the issue, and says of the return what it says under the other face.
        goes = 4 * tie * KNOWN_ISSUE * w * s * x
        back = HALF - MODULE * s * x
        back += 2 * KNOWN_RETURN * (tie * w + KNOWN_ISSUE * s * x) / (1 + goes)
        chance = (1 + goes) * (HALF + MOVES_ISSUE * z * x) / 4
        return chance * (back if returned else 1 - back)
    total = Fraction(0)
    for known in (-1, 1):
        chance = HALF * (1 + 2 * tie * w * known) / 4
        chance *= HALF + MOVES_ISSUE * z * x + KNOWN_ISSUE * known * s * x
        back = HALF - MODULE * s * x + KNOWN_RETURN * known
        total += chance * (back if returned else 1 - back)
    return total


def draw_outcomes(outcomes: Mapping[Flight, Fraction], count: int, rng: Random) -> Counter[Flight]:
    """Draw `count` flights by lot, as counts."""
    weights = [float(chance) for chance in outcomes.values()]
    return Counter(rng.choices(list(outcomes), weights, k=count))


def add_up(outcomes: Mapping[Outcome, Fraction], fate: Fate) -> Fraction:
    """Return the chance of a fate, whatever is shown."""
    chances = (chance for outcome, chance in outcomes.items() if outcome.fate == fate)
    return sum(chances, Fraction(0))

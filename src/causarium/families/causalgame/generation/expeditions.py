"""Certified edition: draw expeditions, with names, places, signs and coins by lot.

Every draw is legal. What an agent may see of a leg is drawn before its coin is tossed; only a
depot's book is written afterwards.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from causarium.seeds import stream
from ..mechanics.expeditions import draw_outcomes, list_book_rows
from ..model.expeditions import (
    MOST_LEGS,
    Expedition,
    ExpeditionPublic,
    ExpeditionSecret,
    HiddenLeg,
    Leg,
    LegKind,
    Reading,
)

BOOK_FLIGHTS = 1_600
LINE_LENGTH = 48


@dataclass(frozen=True, slots=True)
class Tier:
    """How large the legs of a tier are."""

    parts: int
    readings: int
    """On a dial and on a roster."""
    columns: int
    """In a book; with more than one, officers chose some."""
    drones: dict[LegKind, int]
    """The test drones of each kind of leg."""
    has_third_faces: bool
    """Whether drones may be lost before take-off, and whether a book has a decoy."""


TIERS = {
    1: Tier(1, 1, 1, {"dial": 40, "roster": 80}, has_third_faces=False),
    2: Tier(2, 2, 2, {"dial": 60, "roster": 140}, has_third_faces=True),
    3: Tier(2, 3, 4, {"line": 32, "roster": 160}, has_third_faces=True),
}

ORDERS: dict[LegKind, int] = {"dial": 15, "line": 40, "roster": 20, "depot": 0}
"""How many orders each leg adds to those of the expedition."""

_PARTS = (
    *("fin", "skid", "vane", "flap", "strut", "cowl", "boom", "spar", "brace", "canard", "slat"),
    *("strake", "pylon", "fairing", "winglet", "rudder", "nozzle", "louver", "spoiler", "keel"),
)
_MODULES = ("beacon", "relay", "heater", "damper", "filter", "booster", "buffer", "coupler")
_READINGS = (
    *("humidity", "haze", "pressure", "static", "glare", "drift", "pollen", "shear", "echo"),
    *("frost", "salt", "dust", "swell", "ozone", "vapour", "thermals"),
)
_COLUMNS = ("depot", "crew", "shift", "runway", "hangar", "battery", "batch", "airfield")
_LEGS = ("north", "east", "south", "west", "delta", "ridge", "lagoon", "steppe", "fjord", "mesa")
_VALUES = (("LOW", "HIGH"), ("WEAK", "STRONG"), ("THIN", "DENSE"), ("CALM", "ROUGH"))
_COLUMN_VALUES = (("A", "B"), ("RED", "BLUE"), ("ODD", "EVEN"), ("OLD", "NEW"))
_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"


def draw_expedition(
    tier: int,
    kinds: Sequence[LegKind],
    seed: int,
    id_: str,
    *,
    turned: Collection[int] = (),
    programs_fly: bool = False,
) -> Expedition:
    """Draw an expedition.

    Args:
        tier: Which of `TIERS` its legs are of.
        kinds: The kinds of its legs; their order is drawn.
        seed: All luck follows from it.
        id_: The instance's id.
        turned: The places of legs with the coin on its other face.
        programs_fly: Whether programs of an agent may fly.
    """
    size, rng = TIERS[tier], stream(seed, "expedition", "legs")
    order = rng.sample(sorted(kinds), len(kinds))
    names = _Names(rng)
    legs = [_draw_leg(kind, size, names, rng) for kind in order]
    hidden = [_hide(leg, size, rng) for leg in legs]
    for place in turned:
        hidden[place] = hidden[place].model_copy(update={"face": not hidden[place].face})
    legs = [
        _write_book(leg, one, stream(seed, "expedition", "book", place))
        for place, (leg, one) in enumerate(zip(legs, hidden, strict=True))
    ]
    return Expedition(
        id=id_,
        public=ExpeditionPublic(
            tier=tier,
            legs=tuple(legs),
            orders=sum(ORDERS[kind] for kind in kinds),
            programs_fly=programs_fly,
        ),
        secret=ExpeditionSecret(legs=tuple(hidden), session_seed=seed),
        facets={"tier": tier, "causes": sum(one.face for one in hidden)},
    )


class _Names:
    """Names by lot, each used once."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._left = {
            "leg": rng.sample(_LEGS, len(_LEGS)),
            "part": rng.sample(_PARTS, len(_PARTS)),
            "module": rng.sample(_MODULES, len(_MODULES)),
            "reading": rng.sample(_READINGS, len(_READINGS)),
        }
        codes = [f"{letter}{digit}" for letter in _LETTERS for digit in range(1, 10)]
        self._left["gauge"] = rng.sample(codes, MOST_LEGS * LINE_LENGTH)

    def take(self, what: str, count: int = 1) -> list[str]:
        """Take some names of a kind."""
        return [self._left[what].pop() for _ in range(count)]

    def read(
        self, name: str, values: Sequence[tuple[str, str]], *, by_lot: bool = False
    ) -> Reading:
        """Return a reading of this name, with values by lot."""
        other, target = self._rng.sample(self._rng.choice(values), 2)
        return Reading(name=name, target=target, other=other, by_lot=by_lot)


def _draw_leg(kind: LegKind, size: Tier, names: _Names, rng: Random) -> Leg:
    name, fleet, ahead = names.take("leg")[0], "", 0
    is_depot = kind == "depot"
    parts = names.take("module") if is_depot else names.take("part", size.parts)
    if is_depot:
        readings = _draw_columns(size, names, rng)
    elif kind == "line":
        # One word for one side of all gauges: they agree unless one of them is set.
        side = names.read("", _VALUES[:1])
        gauges = names.take("gauge", LINE_LENGTH)
        readings = [Reading(name=code, target=side.target, other=side.other) for code in gauges]
        fleet = rng.choice(gauges)
        # Two places but the first: setting the first gauge moves all, which shows nothing.
        counted, place = rng.sample(range(1, LINE_LENGTH), 2)
        ahead = place - counted
    else:
        readings = [names.read(word, _VALUES) for word in names.take("reading", size.readings)]
    return Leg(
        kind=kind,
        name=name,
        parts=tuple(parts),
        readings=tuple(readings),
        drones=size.drones.get(kind, 0),
        fleet_reading=fleet,
        ahead=ahead,
        may_stay=kind == "roster" and size.has_third_faces,
    )


def _draw_columns(size: Tier, names: _Names, rng: Random) -> list[Reading]:
    """Draw a book's columns: half of them by lot, where there is more than one."""
    words = rng.sample(_COLUMNS, size.columns)
    lots = [place < max(1, size.columns // 2) for place in range(size.columns)]
    by_lot = rng.sample(lots, len(lots))
    return [
        names.read(word, _COLUMN_VALUES, by_lot=lot)
        for word, lot in zip(words, by_lot, strict=True)
    ]


def _hide(leg: Leg, size: Tier, rng: Random) -> HiddenLeg:
    """Toss the coin of a leg, and hide what matters in it."""
    face, sign, early, strong = (rng.random() < 0.5 for _ in range(4))
    way = 1 if sign else -1
    if leg.kind == "line":
        return HiddenLeg(face=face, sign=way, line=_draw_line(leg, rng))
    if leg.kind != "depot":
        active = rng.randrange(len(leg.readings))
        return HiddenLeg(face=face, sign=way, active=active, early=early and leg.may_stay)
    by_lot = [place for place, column in enumerate(leg.readings) if column.by_lot]
    chosen = [place for place, column in enumerate(leg.readings) if not column.by_lot]
    decoy = rng.choice(chosen) if size.has_third_faces else None
    return HiddenLeg(
        face=face, sign=way, active=rng.choice(by_lot), decoy=decoy, strong=strong and bool(chosen)
    )


def _draw_line(leg: Leg, rng: Random) -> tuple[int, ...]:
    """Put the gauges in a row, so that neither the named one nor the fleet's is the first."""
    named = leg.find_reading(leg.fleet_reading) or 0
    others = [place for place in range(len(leg.readings)) if place != named]
    row = rng.sample(others, len(others))
    places = range(1, len(leg.readings))
    row.insert(rng.choice([one for one in places if one + leg.ahead in places]), named)
    return tuple(row)


def _write_book(leg: Leg, hidden: HiddenLeg, rng: Random) -> Leg:
    """Fill in the book of a depot; other legs stay as they are."""
    if leg.kind != "depot":
        return leg
    counts = [[0] * 8 for _ in leg.readings]
    for row, number in draw_outcomes(list_book_rows(hidden), BOOK_FLIGHTS, rng).items():
        at = 2 * row.issued + row.returned
        for place, column in enumerate(counts):
            if place in {hidden.active, hidden.decoy}:
                value = row.active if place == hidden.active else row.decoy
                column[4 * value + at] += number
            else:
                # As many fair coins as there are flights.
                heads = rng.getrandbits(number).bit_count()
                column[4 + at] += heads
                column[at] += number - heads
    return leg.model_copy(update={"book": tuple(tuple(column) for column in counts)})

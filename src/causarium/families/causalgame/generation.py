"""Draw instances of both editions: `generate`, from the level, the seed and the index alone.

Certified edition (`draw_expedition`): each index is another expedition, with names, places, signs
and coins by lot; every draw is legal.

Paper edition (`session_of`): index i of a game is its i-th session, with other past flights and
other luck in the same game. Instruments read a flight once, when it is flown (`sense`): a second
look shows the same numbers, so that noise cannot be averaged away by asking twice.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from causarium.contract.instance import Facet, Instance
from causarium.families.causalgame.mechanics.expeditions import (
    BookRow,
    draw_outcomes,
    list_book_rows,
)
from causarium.families.causalgame.model.config import GameConfig
from causarium.families.causalgame.model.expeditions import (
    MOST_LEGS,
    Expedition,
    ExpeditionPublic,
    ExpeditionSecret,
    HiddenLeg,
    Leg,
    LegKind,
    Reading,
)
from causarium.families.causalgame.model.instance import (
    DESTROYED,
    RETURNED,
    AnyGame,
    ComponentNote,
    Flight,
    GameInstance,
    GamePublic,
    GameSecret,
    OptionNote,
    SlotNote,
    Status,
    VariableNote,
    by_edition,
)
from causarium.families.causalgame.model.published.game import (
    Design,
    Game,
    Variable,
    ZoneLaw,
    effect_of,
)
from causarium.seeds import entropy, stream

if TYPE_CHECKING:
    from causarium.families.causalgame.mechanics.published.simulate import Flights

FlightReading = float | str
"""What is read of one variable on one flight."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One flight as some instrument shows it."""

    status: Status
    hit_count: float
    was_detected: bool
    readings: dict[str, FlightReading]
    """Every variable that is measured, told from the start or found in the archive."""


@dataclass(frozen=True, slots=True)
class Sensed:
    """One flight: what happened, and what was read."""

    exact: Sight
    read: Sight


_OUTCOMES = frozenset({"survived", "detected", "hit_count"})
"""Every record has these in fields of their own."""
_CHOSEN = frozenset({"lever", "equipment"})


def list_measured(game: Game) -> tuple[Variable, ...]:
    """Return what is measured on flights, visible at once or found in the archive.

    What the agent chose itself and what every record says anyway are not among them.
    """
    return tuple(
        variable
        for variable in game.variables
        if variable.sight in {"visible", "discoverable"}
        and variable.role not in _CHOSEN
        and variable.key not in _OUTCOMES
    )


def sense(game: Game, design: Design, flights: "Flights", rng: Random) -> Iterator[Sensed]:
    """Yield what happened to each of some flights, and what was read of it."""
    variables, sensor = list_measured(game), game.sensor
    blur = effect_of(game, design).noise_factor
    rough = flights[sensor.by].tolist() if sensor.by else [False] * flights.count
    for exact, storm in zip(_read_exactly(flights, variables), map(bool, rough), strict=True):
        spread, flip = sensor.spread[storm] * blur, sensor.flip[storm] * blur
        read = _add_noise(exact, rng, spread, flip) if spread else exact
        yield Sensed(exact, read)


def _read_exactly(flights: "Flights", variables: tuple[Variable, ...]) -> Iterator[Sight]:
    columns = {v.name: _decode_column(v, flights[v.name].tolist()) for v in variables}
    alive, hits = flights["survived"].tolist(), flights["hit_count"].tolist()
    for index, seen in enumerate(flights["detected"].tolist()):
        yield Sight(
            status=RETURNED if alive[index] else DESTROYED,
            hit_count=float(hits[index]),
            was_detected=bool(seen),
            readings={name: column[index] for name, column in columns.items()},
        )


def _decode_column(variable: Variable, column: Sequence[float]) -> list[FlightReading]:
    if variable.values:
        return [variable.values[int(code)] for code in column]
    return [round_reading(float(value)) for value in column]


def _add_noise(exact: Sight, rng: Random, spread: float, flip: float) -> Sight:
    def is_turned() -> bool:
        return rng.random() < flip

    def blur(value: float) -> float:
        """Return a number as it is read; what cannot be negative is not read as negative."""
        found = value * rng.gauss(1.0, spread)
        return max(0.0, found) if value >= 0 else found

    status: Status = exact.status
    if is_turned():
        status = DESTROYED if exact.status == RETURNED else RETURNED
    # The published noise draws for detection and for named values too, and leaves them as they are.
    is_turned()
    readings: dict[str, FlightReading] = {}
    for name, value in exact.readings.items():
        if isinstance(value, str):
            is_turned()
            readings[name] = value
        else:
            readings[name] = round_reading(blur(value))
    hits = round(blur(exact.hit_count), 1)
    return replace(exact, status=status, hit_count=hits, readings=readings)


def round_reading(value: FlightReading) -> FlightReading:
    """Return a number with four digits that count, which is what every file and text shows."""
    return value if isinstance(value, str) else float(f"{value:.4g}")


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
    dial: LegKind
    drones: dict[LegKind, int]
    """The test drones of each kind of leg."""
    has_third_faces: bool
    """Whether drones may be lost before take-off, and whether a book has a decoy."""


TIERS = {
    1: Tier(1, 1, 1, "dial", {"dial": 40, "roster": 80}, has_third_faces=False),
    2: Tier(2, 2, 2, "dial", {"dial": 60, "roster": 140}, has_third_faces=True),
    3: Tier(2, 3, 4, "line", {"line": 32, "roster": 160}, has_third_faces=True),
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
        if not isinstance(row, BookRow):
            continue
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


OPENING, SESSION = "INIT", "SESSION"
"""How the ids of flights begin, as published."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One flight on record, with what the archive can tell of it."""

    flight: Flight
    hidden: dict[str, FlightReading]


def keep_flights(game: Game, design: Design, flights: Iterable[tuple[Sight, str]]) -> list[Kept]:
    """Write flights of one design down, each under its id.

    Args:
        game: The game.
        design: What they flew with.
        flights: What is known of each, and its id.
    """
    armour, known = game.armour(design), list_measured(game)
    visible, hidden = (
        [v.name for v in known if v.sight == sight] for sight in ("visible", "discoverable")
    )
    # Not checked again: the values are right by construction, and there are thousands.
    return [
        Kept(
            Flight.model_construct(
                id=id_,
                design=armour,
                equipment=design.equipment,
                status=sight.status,
                hit_count=sight.hit_count,
                was_detected=sight.was_detected,
                environment={name: sight.readings[name] for name in visible},
            ),
            {name: sight.readings[name] for name in hidden},
        )
        for sight, id_ in flights
    ]


def is_recorded(game: Game, sight: Sight) -> bool:
    """Whether a flight goes on record."""
    return not game.past.hide_failed or sight.status == RETURNED


def fly_past(game: Game, session_seed: int) -> Iterator[tuple[int, Kept]]:
    """Yield the opening log of a session.

    The number is the place of a flight among all that were flown, from 1. Ids are given to flights
    on record alone, so that no gap tells of the others.
    """
    from causarium.families.causalgame.mechanics.published.simulate import fly_recipe

    recipes = game.past.recipes
    once = [number for number, one in enumerate(recipes) for _ in range(one.weight)]
    flown: dict[int, tuple[Design, Sight]] = {}
    for number, recipe in enumerate(recipes):
        rows = [row for row in range(game.past.rows) if once[row % len(once)] == number]
        rng = stream(session_seed, "causalgame", "past", 0, number)
        if rows:
            sensed = sense(game, recipe.design, fly_recipe(game, recipe, len(rows), rng), rng)
            flown |= {
                row + 1: (recipe.design, one.exact) for row, one in zip(rows, sensed, strict=True)
            }
    shown = [row for row in sorted(flown) if is_recorded(game, flown[row][1])]
    for number, row in enumerate(shown, 1):
        design, sight = flown[row]
        yield row, keep_flights(game, design, [(sight, f"{OPENING}-{number:03d}")])[0]


FAMILY_NAME = "causalgame"


def generate(config: GameConfig, seed: int, index: int) -> AnyGame:
    """Draw instance `index`: a session of the level's game, or an expedition.

    Args:
        config: The level.
        seed: The seed of the whole draw.
        index: Which instance of it.
    """
    address = (FAMILY_NAME, "session", config.edition, config.level, index)
    session_seed = entropy(seed, *address) % 2**63
    id_ = f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}"
    drawn = _draw(config, session_seed, id_)
    return AnyGame(id=drawn.id, public=drawn.public, secret=drawn.secret, facets=drawn.facets)


def _draw_session(config: GameConfig, session_seed: int, id_: str) -> Instance[Any, Any]:
    # Importing the fourteen games builds them all; expeditions do without.
    from causarium.families.causalgame.model.published.paper_games import paper_game

    return session_of(paper_game(config.game or ""), session_seed, id_)


_draw = by_edition(
    _draw_session,
    lambda config, session_seed, id_: draw_expedition(
        config.tier, config.legs, session_seed, id_, programs_fly=config.programs_fly
    ),
)


def session_of(game: Game, session_seed: int, id_: str) -> GameInstance:
    """Return one session of a game."""
    past = list(fly_past(game, session_seed))
    return GameInstance(
        id=id_,
        public=describe_game(game, tuple(kept.flight for _, kept in past)),
        secret=GameSecret(
            game=game,
            session_seed=session_seed,
            found=tuple(kept.hidden for _, kept in past),
            rows=tuple(row for row, _ in past),
        ),
        facets=_facets(game),
    )


def describe_game(game: Game, history: tuple[Flight, ...]) -> GamePublic:
    """Return what an agent may know of a game before it acts.

    Args:
        game: The game.
        history: The flights on record from before the session.
    """
    known = list_measured(game)
    return GamePublic(
        setting="zone" if isinstance(game.law, ZoneLaw) else "weather",
        components=tuple(ComponentNote(name=c.name, default=c.armour) for c in game.components),
        lowest=game.space.low,
        highest=game.space.high,
        total=game.space.total,
        slots=tuple(
            SlotNote(
                name=slot.name,
                options=tuple(OptionNote(name=o.name, blurb=o.blurb) for o in slot.options),
                default=slot.default,
            )
            for slot in game.slots
            if slot.declared
        ),
        visible=tuple(
            VariableNote(name=v.name, about=v.about) for v in known if v.sight == "visible"
        ),
        budget=game.budget,
        threshold=game.threshold,
        history=history,
        shift_announced=game.kind == "zone_shift",
        noise_announced=False,
        queries_answered=any(v.sight == "discoverable" for v in known),
    )


def _facets(game: Game) -> dict[str, Facet]:
    return {
        "game": game.name,
        "kind": game.kind,
        "selection_bias": game.past.hide_failed,
        "history": game.past.rows > 0,
        "noise": any(game.sensor.spread),
        "shift": game.kind in {"zone_shift", "weather"},
    }

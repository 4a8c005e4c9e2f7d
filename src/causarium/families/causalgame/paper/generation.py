"""Paper edition: draw sessions of a game, with the flights on record from before each.

Index i of a game is its i-th session, with other past flights and other luck in the same game.
Instruments read a flight once, when it is flown (`sense`): a second look shows the same numbers, so
that noise cannot be averaged away by asking twice.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from causarium.seeds import entropy, stream
from .levels import GameConfig
from .model.game import Design, Game, Variable, ZoneLaw
from .model.instance import (
    DESTROYED,
    RETURNED,
    ComponentNote,
    Flight,
    FlightReading,
    GameInstance,
    GamePublic,
    GameSecret,
    OptionNote,
    SlotNote,
    Status,
    VariableNote,
)
from .model.paper_games import paper_game

if TYPE_CHECKING:
    from .mechanics import Flights

FAMILY_NAME = "causalgame"


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


def sense(game: Game, flights: "Flights", rng: Random) -> Iterator[Sensed]:
    """Yield what happened to each of some flights, and what was read of it."""
    variables, sensor = list_measured(game), game.sensor
    rough = flights[sensor.by].tolist() if sensor.by else [False] * flights.count
    for exact, storm in zip(_read_exactly(flights, variables), map(bool, rough), strict=True):
        spread, flip = sensor.spread[storm], sensor.flip[storm]
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
    # The published noise draws for detection too, and leaves it as it is.
    is_turned()
    # The one game with noise measures numbers alone.
    readings = {name: round_reading(blur(float(value))) for name, value in exact.readings.items()}
    hits = round(blur(exact.hit_count), 1)
    return replace(exact, status=status, hit_count=hits, readings=readings)


def round_reading(value: float) -> FlightReading:
    """Return a number with four digits that count, which is what every file and text shows."""
    return float(f"{value:.4g}")


OPENING, SESSION = "INIT", "SESSION"
"""How the ids of flights begin, as published."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One flight on record, with what the archive can tell of it."""

    flight: Flight
    hidden: dict[str, FlightReading]


def keep_flights(game: Game, design: Design, flights: Iterable[tuple[Sight, str]]) -> list[Kept]:
    """Write flights of one design down, each under its id."""
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
    from .mechanics import fly_recipe

    recipes = game.past.recipes
    once = [number for number, one in enumerate(recipes) for _ in range(one.weight)]
    flown: dict[int, tuple[Design, Sight]] = {}
    for number, recipe in enumerate(recipes):
        rows = [row for row in range(game.past.rows) if once[row % len(once)] == number]
        rng = stream(session_seed, "causalgame", "past", 0, number)
        if rows:
            sensed = sense(game, fly_recipe(game, recipe, len(rows), rng), rng)
            flown |= {
                row + 1: (recipe.design, one.exact) for row, one in zip(rows, sensed, strict=True)
            }
    shown = [row for row in sorted(flown) if is_recorded(game, flown[row][1])]
    for number, row in enumerate(shown, 1):
        design, sight = flown[row]
        yield row, keep_flights(game, design, [(sight, f"{OPENING}-{number:03d}")])[0]


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
        facets={
            "game": game.name,
            "kind": game.kind,
            "selection_bias": game.past.hide_failed,
            "history": game.past.rows > 0,
            "noise": any(game.sensor.spread),
            "shift": game.kind in {"zone_shift", "weather"},
        },
    )


def describe_game(game: Game, history: tuple[Flight, ...]) -> GamePublic:
    """Return what an agent may know of a game, and of flights on record, before it acts."""
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
        queries_answered=any(v.sight == "discoverable" for v in known),
    )


def generate(config: GameConfig, seed: int, index: int) -> GameInstance:
    """Draw instance `index`: a session of the level's game."""
    address = (FAMILY_NAME, "session", config.edition, config.level, index)
    session_seed = entropy(seed, *address) % 2**63
    id_ = f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}"
    return session_of(paper_game(config.game), session_seed, id_)

"""What is read of a flight, as against what happened: the noise of a game's instruments.

Each flight is read once, when it is flown, and what was read stays. Looking at the same flight
again shows the same numbers, so that noise cannot be averaged away by asking twice. Where noise
reaches only some channels (a published oddity), the others show what happened.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from causarium.families.causalgame.model.instance import DESTROYED, RETURNED, Reading, Status
from causarium.families.causalgame.model.published.game import Design, Game, Variable, effect_of

if TYPE_CHECKING:
    from causarium.families.causalgame.mechanics.published.simulate import Flights


@dataclass(frozen=True, slots=True)
class Sight:
    """One flight as some instrument shows it."""

    status: Status
    hit_count: float
    was_detected: bool
    readings: dict[str, Reading]
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
    rough = flights.columns[sensor.by].tolist() if sensor.by else [False] * flights.count
    for exact, storm in zip(_read_exactly(flights, variables), map(bool, rough), strict=True):
        spread, flip = sensor.spread[storm] * blur, sensor.flip[storm] * blur
        read = _add_noise(exact, rng, spread, flip) if spread else exact
        yield Sensed(exact, read)


def _read_exactly(flights: "Flights", variables: tuple[Variable, ...]) -> Iterator[Sight]:
    columns = {v.name: _decode_column(v, flights.columns[v.name].tolist()) for v in variables}
    alive, hits = flights.survived.tolist(), flights.hit_count.tolist()
    for index, seen in enumerate(flights.detected.tolist()):
        yield Sight(
            status=RETURNED if alive[index] else DESTROYED,
            hit_count=float(hits[index]),
            was_detected=bool(seen),
            readings={name: column[index] for name, column in columns.items()},
        )


def _decode_column(variable: Variable, column: Sequence[float]) -> list[Reading]:
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
    readings: dict[str, Reading] = {}
    for name, value in exact.readings.items():
        if isinstance(value, str):
            is_turned()
            readings[name] = value
        else:
            readings[name] = round_reading(blur(value))
    hits = round(blur(exact.hit_count), 1)
    return replace(exact, status=status, hit_count=hits, readings=readings)


def round_reading(value: Reading) -> Reading:
    """Return a number with four digits that count, which is what every file and text shows."""
    return value if isinstance(value, str) else float(f"{value:.4g}")

"""The fourteen games, repaired: same names, same kinds of trap, and each can be won.

What differs from the published games:

* The action space is enforced, so traps and histories stay inside it too.
* No oddity of the engine is switched on: armour is taken off each hit, equipment works, defaults
  apply, the shield shields, noise is everywhere.
* Losing control can cost a drone, fights in zones are short enough for armour to matter, and the
  shield's effect ends where it would make the filter needless.
* The weather game's odds are steep enough to be won.
* Histories mislead as their names say (`pasts.py`).
* The threshold lies 5 to 8 points below the optimum, which `calibrate.py` finds by search and
  keeps in `certified.json`.
"""

import json
from functools import cache
from pathlib import Path

from causarium.contract.frozen import Frozen
from causarium.errors import UnknownName
from causarium.families.causalgame.catalogue import certified_hardware
from causarium.families.causalgame.catalogue.opening_histories import (
    antenna_pasts,
    shift_past,
    weather_past,
    zone_pasts,
)
from causarium.families.causalgame.catalogue.published_hardware import (
    EIGHT,
    EIGHT_STURDY,
    SEVEN,
    SHIFTING_ZONES,
    ZONES,
    design,
)
from causarium.families.causalgame.mechanics.game import (
    Combat,
    Design,
    Game,
    Kind,
    Past,
    Sensor,
    Space,
)
from causarium.families.causalgame.mechanics.laws import AntennaLaw, WeatherLaw, ZoneLaw
from causarium.families.causalgame.mechanics.structure import distractor, structure

SKY = ("wind_speed", "humidity", "temperature")
GROUND = ("altitude_band", "wind_resistance", "signal_strength", "temperature")
MARGIN = 0.065
"""The threshold lies so far below the optimum, before it is rounded to a hundredth."""
CALIBRATION = Path(__file__).with_name("certified.json")

_ANTENNA, _ZONE = "antenna_trap", "deployment_zone_trap_categorical"
_SHIFT, _WEATHER = "deployment_zone_trap_env_shift", "weather_noise"

NAMES: tuple[str, ...] = (
    *(_ANTENNA + ending for ending in antenna_pasts()),
    *(_ZONE + ending for ending in zone_pasts()),
    _SHIFT,
    _WEATHER,
)
"""The fourteen, in the published order."""


class Calibrated(Frozen):
    """What the search found for all games of one kind, which share their mechanics."""

    best: Design
    survival: float
    """Of the best design, at evaluation."""
    threshold: float


@cache
def certified_game(name: str) -> Game:
    """Return a game of the certified edition.

    Raises:
        UnknownName: There is none of that name.
    """
    if name not in NAMES:
        raise UnknownName("game", name, NAMES)
    game = uncalibrated(name)
    found = calibration()[game.kind]
    return game.model_copy(update={"best": found.best, "threshold": found.threshold})


@cache
def calibration() -> dict[Kind, Calibrated]:
    """Return what the search found, by kind of game."""
    kept = json.loads(CALIBRATION.read_text(encoding="utf-8"))
    return {kind: Calibrated.model_validate(found) for kind, found in kept.items()}


def uncalibrated(name: str) -> Game:
    """Return a game whose threshold and best design are still to be found."""
    if name.startswith(_ANTENNA):
        return _antenna(name, antenna_pasts()[name.removeprefix(_ANTENNA)])
    if name.startswith(_ZONE):
        return _zone(name, zone_pasts()[name.removeprefix(_ZONE)])
    return _shift() if name == _SHIFT else _weather()


def _antenna(name: str, past: Past) -> Game:
    law, slots = AntennaLaw(), certified_hardware.ANTENNA_SLOTS
    seen = ("is_storm", "weather_pattern", "agility", "antenna_working")
    return Game(
        name=name,
        kind="antenna",
        edition="certified",
        components=SEVEN,
        slots=slots,
        law=law,
        variables=(
            *structure(SEVEN, slots, law, visible=SKY, discoverable=seen),
            distractor("moon_phase", 0, 1, "how much of the moon was lit"),
            distractor("radio_noise", 70, 110, "the background noise on the radio band"),
        ),
        past=past,
        threshold=0.5,
        trap=design(15, 15, 10, 10, 30, 5, 5),
        best=Design(),
    )


def _crash(factor: float) -> dict[str, float]:
    """Return a crash that can cost a drone, in the published proportions."""
    return {"engine": 60 * factor, "wing": 50 * factor, "body": 40 * factor, "cockpit": 35 * factor}


def _zone(name: str, past: Past) -> Game:
    law = ZoneLaw(
        zones=ZONES,
        failure_rate=3.0,
        shield_effect=0.01,
        shield_cap=0.45,
        crash=_crash(2.0),
    )
    slots, combat = certified_hardware.ZONE_SLOTS, Combat(rounds=5)
    seen = ("mission_zone", "emi_level", "comm_failure", "agility")
    return Game(
        name=name,
        kind="zone",
        edition="certified",
        components=EIGHT,
        slots=slots,
        law=law,
        combat=combat,
        variables=(
            *structure(EIGHT, slots, law, visible=GROUND, discoverable=seen, combat=combat),
            distractor("cloud_cover", 0, 1, "how much of the sky was covered"),
        ),
        space=Space(total=70),
        past=past,
        threshold=0.5,
        trap=design(28, 10, 24, 8, 0, 0, 0, 0, enhancement_module="radar_boost"),
        best=Design(),
    )


def _shift() -> Game:
    law = ZoneLaw(zones=SHIFTING_ZONES, failure_rate=2.0, shield_cap=0.45, crash=_crash(2.0))
    slots, combat = certified_hardware.SHIFT_SLOTS, Combat(rounds=5)
    seen = ("mission_zone", "emi_level", "comm_failure", "agility")
    return Game(
        name=_SHIFT,
        kind="zone_shift",
        edition="certified",
        components=EIGHT_STURDY,
        slots=slots,
        law=law,
        combat=combat,
        variables=(
            *structure(EIGHT_STURDY, slots, law, visible=GROUND, discoverable=seen, combat=combat),
            distractor("cloud_cover", 0, 1, "how much of the sky was covered"),
        ),
        past=shift_past(),
        threshold=0.5,
        trap=design(30, 20, 25, 15, 0, 0, 0, 0, power_mode="boost", turbo_climb="on"),
        best=Design(),
    )


def _weather() -> Game:
    law = WeatherLaw(
        slope=(-12.0, 12.0), offset=(3.2, -3.2), engine_bonus=0.15, rounds=0.2, detection=0.5
    )
    slots = certified_hardware.WEATHER_SLOTS
    return Game(
        name=_WEATHER,
        kind="weather",
        edition="certified",
        components=SEVEN,
        slots=slots,
        law=law,
        variables=(
            *structure(SEVEN, slots, law, visible=SKY, discoverable=("is_storm",)),
            distractor("barometric_pressure", 980, 1030, "the pressure of the air"),
            distractor("uv_index", 0, 11, "how strong the sun was"),
        ),
        space=Space(high=30),
        past=weather_past(),
        sensor=Sensor(
            spread=(0.05, 0.20),
            flip=(0.005, 0.02),
            by="is_storm",
            channels=("rows", "counts", "environment", "history"),
        ),
        threshold=0.5,
        trap=design(15, 12, 10, 10, 30, 5, 5),
        best=Design(),
    )

"""The fourteen published games, with their oddities as named switches."""

import tomllib
from functools import lru_cache
from pathlib import Path

from causarium.errors import UnknownName
from causarium.families.causalgame.model.published.game import (
    Combat,
    Component,
    Design,
    Effect,
    Game,
    Option,
    Past,
    Recipe,
    Sensor,
    Slot,
    Space,
    Variable,
)
from causarium.families.causalgame.model.published.laws import (
    ALTITUDES,
    AntennaLaw,
    WeatherLaw,
    Zone,
    ZoneLaw,
)
from causarium.families.causalgame.model.published.structure import distractor, structure

HEAVY = ("engine", "cockpit", "wing", "body")
ORDER = (*HEAVY, "antenna", "camera", "gun", "shield")
"""The published order of components."""
_EXPOSURE = {
    "engine": 1.5,
    "cockpit": 1.5,
    "wing": 1.2,
    "body": 1.0,
    "antenna": 0.8,
    "camera": 0.5,
    "gun": 0.5,
}


def parts(health: tuple[int, ...], points: tuple[int, ...]) -> tuple[Component, ...]:
    """Return the published components with these hit points and this default armour."""
    return tuple(
        Component(
            name=name,
            hp=hp,
            armour=armour,
            critical=name in HEAVY,
            vital=name in {"engine", "cockpit"},
            exposure=_EXPOSURE.get(name, 1.0),
        )
        for name, hp, armour in zip(ORDER, health, points, strict=False)
    )


def design(*points: int, **equipment: str) -> Design:
    """Return a design with armour in the published order of components.

    Example:
        >>> design(20, 15, coating="stealth").armour
        {'engine': 20, 'cockpit': 15}
    """
    return Design(armour=dict(zip(ORDER, points, strict=False)), equipment=equipment)


SEVEN = parts((100, 100, 80, 80, 50, 20, 30), (20, 20, 15, 15, 10, 5, 5))
_EIGHT_HEALTH = (100, 100, 80, 80, 50, 30, 40, 30)
EIGHT = parts(_EIGHT_HEALTH, (15, 15, 10, 10, 10, 5, 5, 0))
EIGHT_STURDY = parts(_EIGHT_HEALTH, (20, 20, 15, 15, 10, 5, 5, 0))


def _read_slots(kind: str) -> tuple[Slot, ...]:
    return tuple(Slot.model_validate(slot) for slot in _LISTED["slots"][kind])


_LISTED = tomllib.loads(Path(__file__).with_name("games.toml").read_text(encoding="utf-8"))
ANTENNA_SLOTS, ZONE_SLOTS, WEATHER_SLOTS = map(_read_slots, ("antenna", "zone", "weather"))
ZONES, SHIFTING_ZONES = (
    tuple(Zone.model_validate(zone) for zone in zones) for zones in _LISTED["zones"].values()
)
QUIRKS: dict[str, str] = _LISTED["quirks"]
"""Sentence by name."""


def profile(*, declared: bool) -> Slot:
    """Return the slot that sets the altitude, whatever the zone."""
    return Slot(
        name="flight_profile",
        default="as_briefed",
        declared=declared,
        options=(
            Option(name="as_briefed", blurb="at the altitude that the zone asks for"),
            *(
                Option(name=height, blurb=f"at {height} altitude", effect=Effect(altitude=height))
                for height in ALTITUDES
            ),
        ),
    )


SHIFT_SLOTS = (profile(declared=True), *_read_slots("shift"))


_ALWAYS = ("armour_on_sum", "bounds_unchecked", "defaults_unsent", "booleans_stuck")
_SKY = ("wind_speed", "humidity", "temperature")
_GROUND = ("altitude_band", "wind_resistance", "signal_strength", "temperature")

ANTENNA_PASTS = {
    "antenna_trap": Past(),
    "antenna_trap_high_def": Past(recipes=(Recipe(design=design(35, 35, 30, 30, 25, 20, 20)),)),
    "antenna_trap_local_optima": Past(recipes=(Recipe(design=design(20, 20, 15, 15, 5, 10, 10)),)),
    "antenna_trap_no_history": Past(rows=0),
    "antenna_trap_no_selection_bias": Past(hide_failed=False),
    "antenna_trap_simpsons_paradox": Past(
        recipes=(
            Recipe(design=design(20, 20, 15, 15, 25, 5, 5)),
            Recipe(design=design(20, 20, 15, 15, 20, 5, 5), weight=2),
        )
    ),
}
_CATEGORICAL = "deployment_zone_trap_categorical"
ZONE_PASTS = {
    _CATEGORICAL: Past(),
    f"{_CATEGORICAL}_high_def": Past(
        recipes=(
            Recipe(design=design(30, 30, 25, 25, 20, 15, 15, 0, enhancement_module="radar_boost")),
        )
    ),
    f"{_CATEGORICAL}_local_optima": Past(
        recipes=(
            Recipe(
                design=design(35, 30, 30, 25, 15, 10, 10, 5, enhancement_module="signal_filter")
            ),
        )
    ),
    f"{_CATEGORICAL}_no_history": Past(rows=0),
    f"{_CATEGORICAL}_no_selection_bias": Past(hide_failed=False),
    f"{_CATEGORICAL}_simpsons_paradox": Past(
        recipes=(
            Recipe(
                design=design(25, 15, 10, 10, 10, 5, 5, 0, enhancement_module="radar_boost"),
                force={"mission_zone": "epsilon"},
                spread={"emi_level": (0.7, 0.9)},
            ),
            Recipe(
                design=design(15, 15, 10, 10, 10, 5, 5, 0, enhancement_module="thermal_shield"),
                force={"mission_zone": "delta"},
                spread={"emi_level": (0.05, 0.15)},
                weight=2,
            ),
        )
    ),
}
_SHIFT = "deployment_zone_trap_env_shift"
_WEATHER = "weather_noise"

NAMES: tuple[str, ...] = (*ANTENNA_PASTS, *ZONE_PASTS, _SHIFT, _WEATHER)
"""The fourteen, in the published order."""


@lru_cache(maxsize=64)  # building one takes milliseconds, and every instance asks
def paper_game(name: str, without: frozenset[str] = frozenset()) -> Game:
    """Return a published game; `without` switches some of its oddities off.

    Raises:
        UnknownName: There is no game, or no oddity, of that name.
    """
    for quirk in without:
        if quirk not in QUIRKS:
            raise UnknownName("quirk", quirk, QUIRKS)
    if name in ANTENNA_PASTS:
        return _antenna(name, without)
    if name in ZONE_PASTS:
        return _zone(name, without)
    if name == _SHIFT:
        return _shift(without)
    if name == _WEATHER:
        return _weather(without)
    raise UnknownName("game", name, NAMES)


def _drop_quirks(quirks: tuple[str, ...], without: frozenset[str]) -> tuple[str, ...]:
    return tuple(quirk for quirk in (*_ALWAYS, *quirks) if quirk not in without)


def _antenna(name: str, without: frozenset[str]) -> Game:
    law, quirks = AntennaLaw(), _drop_quirks(("double_armour",), without)
    # Only this game's archive is in the release; the paper says that a variant's was closed.
    asked = name == "antenna_trap"
    # Only this one is seen to offer equipment.
    slots = ANTENNA_SLOTS if name.endswith("no_selection_bias") else ()
    coating = {"coating": "stealth"} if slots else {}
    extra: tuple[Variable, ...] = (
        distractor("moon_phase", 0, 1, "how much of the moon was lit"),
        distractor("radio_noise", -110, -70, "the background noise on the radio band"),
    )
    return Game(
        name=name,
        kind="antenna",
        edition="paper",
        components=SEVEN,
        slots=slots,
        law=law,
        variables=(
            *structure(
                SEVEN,
                slots,
                law,
                visible=_SKY,
                discoverable=("weather_pattern", "agility", "antenna_working") if asked else (),
                quirks=quirks,
            ),
            *(extra if asked else ()),
        ),
        past=ANTENNA_PASTS[name],
        threshold=0.75,
        trap=design(20, 20, 15, 15, 30, 5, 5),
        best=design(19, 16, 20, 10, 0, 12, 12, **coating),
        quirks=quirks,
    )


def _zone(name: str, without: frozenset[str]) -> Game:
    law = ZoneLaw(zones=ZONES)
    lost = ("law_missing",) if name.endswith("no_selection_bias") else ()
    halfway = ("forced_halfway",) if name.endswith("simpsons_paradox") else ()
    quirks = _drop_quirks(("profile_undeclared", *lost, *halfway), without)
    slots = (*ZONE_SLOTS, profile(declared=False))
    best = design(14, 14, 10, 10, 0, 0, 0, 22, enhancement_module="signal_filter")
    return Game(
        name=name,
        kind="zone",
        edition="paper",
        components=EIGHT,
        slots=slots,
        law=law,
        variables=structure(
            EIGHT,
            slots,
            law,
            visible=_SKY if "law_missing" in quirks else _GROUND,
            quirks=quirks,
        ),
        space=Space(total=70),
        past=ZONE_PASTS[name],
        threshold=0.75,
        trap=design(35, 15, 30, 10, 10, 5, 5, 0),
        best=design(20, 20, 15, 15, 0, 0, 0, 0) if "law_missing" in quirks else best,
        quirks=quirks,
    )


def _shift(without: frozenset[str]) -> Game:
    law = ZoneLaw(zones=SHIFTING_ZONES, failure_rate=2.0, shield_effect=0.025, shield_cap=0.8)
    quirks = _drop_quirks(("shield_misfiled", "equipment_dead"), without)
    return Game(
        name=_SHIFT,
        kind="zone_shift",
        edition="paper",
        components=EIGHT_STURDY,
        slots=SHIFT_SLOTS,
        law=law,
        variables=structure(EIGHT_STURDY, SHIFT_SLOTS, law, visible=_GROUND, quirks=quirks),
        threshold=0.70,
        trap=design(35, 20, 30, 15, 10, 5, 5, 0),
        best=design(20, 15, 12, 11, 0, 0, 0, 32),
        quirks=quirks,
    )


def _weather(without: frozenset[str]) -> Game:
    law, quirks = WeatherLaw(), _drop_quirks(("one_round_least", "noise_on_rows"), without)
    combat = Combat(agility=(1.0, 1.0))
    sensor = Sensor(spread=(0.05, 0.20), flip=(0.005, 0.02), by="is_storm")
    if "noise_on_rows" in quirks:
        sensor = sensor.model_copy(update={"channels": ("rows",)})
    return Game(
        name=_WEATHER,
        kind="weather",
        edition="paper",
        components=SEVEN,
        slots=WEATHER_SLOTS,
        law=law,
        combat=combat,
        variables=(
            *structure(
                SEVEN,
                WEATHER_SLOTS,
                law,
                visible=_SKY,
                discoverable=("is_storm",),
                quirks=quirks,
                combat=combat,
            ),
            distractor("barometric_pressure", 980, 1030, "the pressure of the air"),
            distractor("uv_index", 0, 11, "how strong the sun was"),
        ),
        space=Space(high=30),
        past=Past(hide_failed=False),
        sensor=sensor,
        threshold=0.55,
        trap=design(20, 20, 15, 15, 30, 5, 5),
        best=design(30, 4, 13, 13, 30, 0, 0),
        quirks=quirks,
    )

"""The fourteen published games, with their oddities as named switches."""

from functools import lru_cache

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


def _switch(name: str, on: Effect, *, default: str, blurb: str) -> Slot:
    return Slot(
        name=name,
        default=default,
        boolean=True,
        options=(Option(name="on", blurb=blurb, effect=on), Option(name="off", blurb="left out")),
    )


ANTENNA_SLOTS = (
    Slot(
        name="coating",
        default="standard",
        options=(
            Option(name="standard", blurb="plain paint"),
            Option(
                name="stealth",
                blurb="soaks up radar, softens the plating",
                effect=Effect(detection=-0.15, armour_factor=0.9),
            ),
            Option(
                name="reflective",
                blurb="a hard mirror finish",
                effect=Effect(detection=0.10, armour_factor=1.1),
            ),
        ),
    ),
    Slot(
        name="antenna_mode",
        default="active",
        options=(
            Option(name="active", blurb="transmits all the time"),
            Option(name="passive", blurb="listens only"),
            Option(name="burst", blurb="transmits in short bursts"),
        ),
    ),
    _switch(
        "emergency_beacon", Effect(detection=0.05), default="on", blurb="calls for help when hit"
    ),
)

ZONE_SLOTS = (
    Slot(
        name="enhancement_module",
        default="radar_boost",
        options=(
            Option(name="radar_boost", blurb="sees threats from far away"),
            Option(name="thermal_shield", blurb="guards against heat at any height"),
            Option(name="power_core", blurb="more thrust for hard flights"),
            Option(name="stealth_coating", blurb="makes the hull hard to see"),
            Option(
                name="signal_filter",
                blurb="cleans up the control channel a little",
                effect=Effect(emi_resistance=0.55),
            ),
        ),
    ),
    _switch("turbo_climb", Effect(), default="off", blurb="climbs faster"),
    _switch("wind_deflectors", Effect(), default="off", blurb="steadies the wings"),
)


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


SHIFT_SLOTS = (
    profile(declared=True),
    Slot(
        name="comm_protocol",
        default="standard",
        options=(
            Option(name="standard", blurb="the usual protocol"),
            Option(name="hardened", blurb="repeats itself", effect=Effect(emi_resistance=0.10)),
        ),
    ),
    Slot(
        name="power_mode",
        default="normal",
        options=(
            Option(name="normal", blurb="as built"),
            Option(name="economy", blurb="saves power", effect=Effect(emi_resistance=0.05)),
            Option(name="boost", blurb="draws more power", effect=Effect(emi_resistance=-0.05)),
        ),
    ),
    Slot(
        name="signal_filter",
        default="none",
        options=(
            Option(name="none", blurb="no filter"),
            Option(name="basic", blurb="a small filter", effect=Effect(emi_resistance=0.15)),
            Option(name="advanced", blurb="a large filter", effect=Effect(emi_resistance=0.20)),
        ),
    ),
    Slot(
        name="hull_coating",
        default="standard",
        options=(
            Option(name="standard", blurb="plain paint"),
            Option(name="conductive", blurb="metal mesh", effect=Effect(emi_resistance=0.10)),
        ),
    ),
    _switch("faraday_cage", Effect(emi_resistance=0.15), default="off", blurb="a cage of wire"),
    _switch("turbo_climb", Effect(), default="off", blurb="climbs faster"),
    _switch("wind_deflectors", Effect(), default="off", blurb="steadies the wings"),
)

WEATHER_SLOTS = (
    Slot(
        name="sensor_mode",
        default="standard",
        options=(
            Option(name="standard", blurb="as built"),
            Option(name="high_precision", blurb="slower and finer"),
        ),
    ),
    Slot(
        name="data_filter",
        default="none",
        options=(
            Option(name="none", blurb="raw readings"),
            Option(name="smoothing", blurb="averages readings"),
        ),
    ),
    _switch("redundant_sensors", Effect(), default="off", blurb="a second set of sensors"),
)

ZONES = (
    Zone(name="alpha", altitude="high", emi=0.1, share=(0.15, 0.15)),
    Zone(name="beta", altitude="medium", emi=0.4, share=(0.25, 0.25)),
    Zone(name="gamma", altitude="low", emi=0.9, share=(0.35, 0.35)),
    Zone(name="delta", altitude="low", emi=0.1, share=(0.10, 0.10)),
    Zone(name="epsilon", altitude="high", emi=0.8, share=(0.15, 0.15)),
)
SHIFTING_ZONES = (
    Zone(name="alpha", altitude="high", emi=0.1, share=(0.5, 0.0)),
    Zone(name="beta", altitude="medium", emi=0.2, share=(0.2, 0.0)),
    Zone(name="gamma", altitude="low", emi=0.3, share=(0.3, 0.0)),
    Zone(name="delta", altitude="low", emi=0.8, share=(0.0, 0.5)),
    Zone(name="epsilon", altitude="high", emi=0.8, share=(0.0, 0.5)),
)


QUIRKS: dict[str, str] = {
    "armour_on_sum": "Armour is taken off the sum of all hits on a component, not off each hit, "
    "so it hardly matters in long fights.",
    "bounds_unchecked": "The declared ranges and the total of armour are advice; any whole number "
    "from zero up is flown.",
    "booleans_stuck": "On-off equipment stays as it is, whatever is sent.",
    "defaults_unsent": "Default equipment has its effect only when some equipment is sent.",
    "double_armour": "Damage to the camera and the gun is armoured twice on the drone itself, "
    "and once where their effect on the fight is computed.",
    "equipment_dead": "Equipment is listed and changes nothing, except the flight profile.",
    "forced_halfway": "Where the history holds a zone, the instruments still show the zone that "
    "had been drawn.",
    "law_missing": "The law is not found and a calm one without any trap takes its place.",
    "noise_on_rows": "Only the rows of a deployment are noisy; its counts, its environment and "
    "the history are exact.",
    "one_round_least": "A fight that should have no rounds has one.",
    "profile_undeclared": "A flight profile is obeyed although the game does not offer one.",
    "shield_misfiled": "The shield's armour is looked up under a wrong name and always zero.",
}
"""Sentence by name."""


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

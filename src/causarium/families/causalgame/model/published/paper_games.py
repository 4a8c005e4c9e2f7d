"""The fourteen published games: their parts, laws and oddities, and what causes what in each.

`structure` lists the variables of a game with their causes; a test proves these to be the parents
in the equations.
"""

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from causarium.errors import UnknownName
from causarium.families.causalgame.model.published.game import (
    ALTITUDES,
    AntennaLaw,
    CalmLaw,
    Combat,
    Component,
    Design,
    Effect,
    Game,
    Law,
    Option,
    Past,
    Recipe,
    Role,
    Sensor,
    Sight,
    Slot,
    Space,
    Variable,
    WeatherLaw,
    Zone,
    ZoneLaw,
    working,
)

_ABOUT = {
    "agility": "how nimbly a drone turns under the weight of its armour",
    "is_storm": "whether the flight met a storm",
    "weather_pattern": "how rough the weather was, from 0 to 1",
    "wind_speed": "the wind along the way",
    "humidity": "the moisture of the air along the way",
    "temperature": "the air temperature along the way",
    "mission_zone": "the zone that the flight was sent to",
    "altitude_band": "how high the flight went",
    "wind_resistance": "how hard the air worked against the flight",
    "signal_strength": "how strong the control signal was",
    "emi_level": "the electromagnetic interference in the zone",
    "effective_emi": "the interference that reached the electronics",
    "comm_failure": "how likely it was that control was lost for a while",
    "crash": "how badly control was lost, 0 if it was not",
    "live_chance": "how likely it was that the drone kept flying",
    "airworthy": "whether the drone kept flying until it met the enemy",
    "detection": "how likely it was that the enemy noticed the drone",
    "rounds": "how long the enemy would keep firing",
    "accuracy": "how well the enemy aims",
    "damage_factor": "how hard hits are",
    "hit_chance": "how likely each shot was to hit",
    "detected": "whether the enemy noticed the drone",
    "engaged": "whether the drone came under fire",
    "hit_count": "how many shots hit the drone",
    "survived": "whether the drone came back",
}


def structure(
    components: tuple[Component, ...],
    slots: tuple[Slot, ...],
    law: Law,
    *,
    visible: tuple[str, ...],
    discoverable: tuple[str, ...] = (),
    quirks: tuple[str, ...] = (),
    combat: Combat = Combat(),  # noqa: B008 — frozen
) -> tuple[Variable, ...]:
    """Return every structural variable, causes before effects; detection and hits are visible."""
    slots = tuple(working(slot, quirks) for slot in slots)
    law = CalmLaw() if "law_missing" in quirks else law
    shown = (*visible, "detected", "hit_count", "survived")
    found = []
    for key, parents, role in (
        *_levers(components, slots, combat),
        *_environment(components, slots, law, quirks),
        *_fight(components),
    ):
        sight: Sight = "hidden"
        if key in shown or role in {"lever", "equipment"}:
            sight = "visible"
        elif key in discoverable:
            sight = "discoverable"
        found.append(
            Variable(
                key=key,
                name=key,
                parents=parents,
                role=role,
                sight=sight,
                values=_values(key, slots, law),
                about=_describe_variable(key),
            )
        )
    return tuple(found)


def distractor(name: str, low: float, high: float, about: str) -> Variable:
    """Return a variable that can be discovered, is measured, and has to do with nothing."""
    return Variable(
        key=name,
        name=name,
        role="distractor",
        sight="discoverable",
        span=(low, high),
        about=about,
    )


_Line = tuple[str, tuple[str, ...], Role]


def _find_moving_slots(slots: tuple[Slot, ...], field: str) -> tuple[str, ...]:
    """Return the slots in which some option has an effect of this kind."""
    still = getattr(Effect(), field)
    return tuple(
        slot.name
        for slot in slots
        if any(getattr(option.effect, field) != still for option in slot.options)
    )


def _levers(
    components: tuple[Component, ...], slots: tuple[Slot, ...], combat: Combat
) -> Iterator[_Line]:
    for slot in slots:
        yield slot.name, (), "equipment"
    for part in components:
        yield f"{part.name}_def", _find_moving_slots(slots, "armour_factor"), "lever"
    weights = tuple(f"{part.name}_def" for part in components)
    yield "agility", weights if combat.agility[0] < combat.agility[1] else (), "mediator"


def _environment(
    components: tuple[Component, ...], slots: tuple[Slot, ...], law: Law, quirks: tuple[str, ...]
) -> Iterator[_Line]:
    if isinstance(law, AntennaLaw):
        yield from _list_antenna(components, slots, law)
    elif isinstance(law, ZoneLaw):
        yield from _list_zone(components, slots, law, quirks)
    elif isinstance(law, WeatherLaw):
        yield from _list_weather(components, slots, law)
    else:
        yield from _list_calm(components, slots)


def _instruments(*parents: str) -> Iterator[_Line]:
    for key in ("wind_speed", "humidity", "temperature"):
        yield key, parents, "environment"


def _list_antenna(
    components: tuple[Component, ...], slots: tuple[Slot, ...], law: AntennaLaw
) -> Iterator[_Line]:
    wear = _find_moving_slots(slots, "wear_factor")
    light = (law.emitter.part, law.camera.part, law.gun.part)
    yield "is_storm", (), "environment"
    yield "weather_pattern", ("is_storm",), "environment"
    yield from _instruments("is_storm")
    for part in components:
        name, armour = part.name, f"{part.name}_def"
        if name in light:
            yield f"{name}_damage", ("wind_speed", *wear), "mediator"
            yield f"{name}_working", (f"{name}_damage", armour), "mediator"
            yield f"{name}_hp", (f"{name}_damage", armour), "mediator"
            continue
        struck = [by for strike, by in _strikes(law) if name in strike]
        yield f"{name}_hp", (*struck, armour, *wear) if struck else (), "mediator"
    emitter, camera, gun = (f"{name}_working" for name in light)
    heard = (*_find_moving_slots(slots, "emission_factor"), *_find_moving_slots(slots, "detection"))
    yield "detection", ("weather_pattern", emitter, camera, *dict.fromkeys(heard)), "mediator"
    yield "rounds", ("weather_pattern", emitter), "mediator"
    yield "accuracy", (camera, *_find_moving_slots(slots, "accuracy_factor")), "mediator"
    yield "damage_factor", (gun, *_find_moving_slots(slots, "damage_factor")), "mediator"


def _strikes(law: AntennaLaw) -> tuple[tuple[tuple[str, ...], str], ...]:
    return (law.gust.parts, "wind_speed"), (law.surge.parts, "weather_pattern")


def _list_zone(
    components: tuple[Component, ...],
    slots: tuple[Slot, ...],
    law: ZoneLaw,
    quirks: tuple[str, ...],
) -> Iterator[_Line]:
    yield "mission_zone", (), "environment"
    yield "emi_level", ("mission_zone",), "environment"
    yield "altitude_band", ("mission_zone", *_find_moving_slots(slots, "altitude")), "environment"
    for key in ("wind_resistance", "signal_strength", "temperature"):
        yield key, ("altitude_band",), "environment"
    shield = () if "shield_misfiled" in quirks else (f"{law.shield}_def",)
    resistance = _find_moving_slots(slots, "emi_resistance")
    yield "effective_emi", ("emi_level", *shield, *resistance), "mediator"
    yield "comm_failure", ("effective_emi", "altitude_band"), "mediator"
    yield "crash", ("comm_failure",), "mediator"
    for part in components:
        yield f"{part.name}_hp", _zone_harm(part, slots, law), "mediator"
    yield "detection", ("comm_failure", *_find_moving_slots(slots, "detection")), "mediator"
    yield "rounds", ("comm_failure",), "mediator"
    yield "accuracy", _find_moving_slots(slots, "accuracy_factor"), "mediator"
    yield (
        "damage_factor",
        ("effective_emi", *_find_moving_slots(slots, "damage_factor")),
        "mediator",
    )


def _zone_harm(part: Component, slots: tuple[Slot, ...], law: ZoneLaw) -> tuple[str, ...]:
    harm: list[str] = []
    if part.name in law.buffet:
        harm += ["altitude_band", *_find_moving_slots(slots, "wear_factor")]
    if part.name in law.crash:
        harm.append("crash")
    if part.name in {law.aerial, law.lens}:
        harm.append("effective_emi")
    if harm and part.name != law.aerial:
        harm.append(f"{part.name}_def")
    return tuple(harm)


def _list_weather(
    components: tuple[Component, ...], slots: tuple[Slot, ...], law: WeatherLaw
) -> Iterator[_Line]:
    yield "is_storm", (), "environment"
    yield from _instruments("is_storm")
    levers = dict.fromkeys((f"{law.lift}_def", f"{law.engine}_def"))
    yield "live_chance", ("is_storm", *levers, *_find_moving_slots(slots, "lift")), "mediator"
    yield "airworthy", ("live_chance",), "mediator"
    for part in components:
        yield f"{part.name}_hp", ("airworthy",) if part.name == law.engine else (), "mediator"
    yield from _plain_enemy(slots)


def _list_calm(components: tuple[Component, ...], slots: tuple[Slot, ...]) -> Iterator[_Line]:
    yield from _instruments()
    for part in components:
        yield f"{part.name}_hp", (), "mediator"
    yield from _plain_enemy(slots)


def _plain_enemy(slots: tuple[Slot, ...]) -> Iterator[_Line]:
    yield "detection", _find_moving_slots(slots, "detection"), "mediator"
    yield "rounds", (), "mediator"
    yield "accuracy", _find_moving_slots(slots, "accuracy_factor"), "mediator"
    yield "damage_factor", _find_moving_slots(slots, "damage_factor"), "mediator"


def _fight(components: tuple[Component, ...]) -> Iterator[_Line]:
    health = tuple(f"{part.name}_hp" for part in components)
    vital = tuple(f"{part.name}_hp" for part in components if part.vital)
    armour = tuple(f"{part.name}_def" for part in components if part.critical)
    yield "detected", ("detection",), "outcome"
    yield "engaged", ("detected", *vital), "mediator"
    yield "hit_chance", ("accuracy", "agility"), "mediator"
    yield "hit_count", ("engaged", "rounds", "hit_chance"), "outcome"
    yield "survived", ("hit_count", "damage_factor", *health, *armour), "outcome"


def _values(key: str, slots: tuple[Slot, ...], law: Law) -> tuple[str, ...]:
    for slot in slots:
        if slot.name == key:
            return tuple(option.name for option in slot.options)
    if key == "mission_zone" and isinstance(law, ZoneLaw):
        return tuple(zone.name for zone in law.zones)
    return ALTITUDES if key == "altitude_band" else ()


def _describe_variable(key: str) -> str:
    if key in _ABOUT:
        return _ABOUT[key]
    part, _, what = key.rpartition("_")
    words = {
        "def": f"the armour on the {part}",
        "hp": f"what the environment left of the {part}",
        "damage": f"what the wind did to the {part}",
        "working": f"how well the {part} still works",
    }
    return words.get(what, f"the {key.replace('_', ' ')} that is fitted")


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

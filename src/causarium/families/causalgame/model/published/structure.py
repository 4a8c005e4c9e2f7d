"""The structural variables of a game: what there is, what causes it, and who may see it.

`structure` writes them down from the components, the equipment and the law. A test holds every
variable and its causes in turn and proves the parents named here to be the parents in the
equations.
"""

from collections.abc import Iterator

from causarium.families.causalgame.model.published.game import (
    Combat,
    Component,
    Effect,
    Role,
    Sight,
    Slot,
    Variable,
    working,
)
from causarium.families.causalgame.model.published.laws import (
    ALTITUDES,
    AntennaLaw,
    CalmLaw,
    Law,
    WeatherLaw,
    ZoneLaw,
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
        yield from _antenna(components, slots, law)
    elif isinstance(law, ZoneLaw):
        yield from _zone(components, slots, law, quirks)
    elif isinstance(law, WeatherLaw):
        yield from _weather(components, slots, law)
    else:
        yield from _calm(components, slots)


def _instruments(*parents: str) -> Iterator[_Line]:
    for key in ("wind_speed", "humidity", "temperature"):
        yield key, parents, "environment"


def _antenna(
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


def _zone(
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


def _weather(
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


def _calm(components: tuple[Component, ...], slots: tuple[Slot, ...]) -> Iterator[_Line]:
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

"""Paper edition: the fourteen games, with their parts, laws, oddities and causes.

`structure` lists the variables of a game with their causes; a test proves these to be the parents
in the equations.
"""

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from causarium.errors import UnknownName
from causarium.families.causalgame.model.config import NAMES
from causarium.families.causalgame.model.published.game import (
    ALTITUDES,
    AntennaLaw,
    Combat,
    Component,
    Design,
    Effect,
    Game,
    Law,
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


def structure(
    game: Game, *, visible: tuple[str, ...], discoverable: tuple[str, ...] = ()
) -> tuple[Variable, ...]:
    """Return every structural variable, causes before effects; detection and hits are visible."""
    slots = tuple(working(slot, game.quirks) for slot in game.slots)
    shown = (*visible, "detected", "hit_count", "survived")
    found = []
    for key, parents, role in _Causes(game, slots).list_all():
        sight: Sight = "hidden"
        if key in shown or role in {"lever", "equipment"}:
            sight = "visible"
        elif key in discoverable:
            sight = "discoverable"
        values, about = _values(key, slots, game.working_law), _describe_variable(key)
        variable = Variable(key=key, name=key, parents=parents, role=role, sight=sight)
        found.append(variable.model_copy(update={"values": values, "about": about}))
    return tuple(found)


def distractor(name: str, low: float, high: float, about: str) -> Variable:
    """Return a variable that can be discovered, is measured, and has to do with nothing."""
    span = (low, high)
    return Variable(
        key=name, name=name, role="distractor", sight="discoverable", span=span, about=about
    )


_Line = tuple[str, tuple[str, ...], Role]


class _Causes:
    """The variables of one game, each with its direct causes and its role."""

    def __init__(self, game: Game, slots: tuple[Slot, ...]) -> None:
        self.game = game
        self.slots = slots

    def list_all(self) -> Iterator[_Line]:
        """Yield every variable, causes before effects."""
        law = self.game.working_law
        yield from self._list_levers()
        if isinstance(law, AntennaLaw):
            yield from self._list_antenna(law)
        elif isinstance(law, ZoneLaw):
            yield from self._list_zone(law)
        elif isinstance(law, WeatherLaw):
            yield from self._list_weather(law)
        else:
            yield from self._list_calm()
        yield from self._list_fight()

    def _move(self, field: str) -> tuple[str, ...]:
        """Return the slots in which some option has an effect of this kind."""
        still = getattr(Effect(), field)
        return tuple(
            slot.name
            for slot in self.slots
            if any(getattr(option.effect, field) != still for option in slot.options)
        )

    def _list_levers(self) -> Iterator[_Line]:
        weights = tuple(f"{part.name}_def" for part in self.game.components)
        for slot in self.slots:
            yield slot.name, (), "equipment"
        for armour in weights:
            yield armour, self._move("armour_factor"), "lever"
        low, high = self.game.combat.agility
        yield "agility", weights if low < high else (), "mediator"

    def _list_instruments(self, *parents: str) -> Iterator[_Line]:
        for key in ("wind_speed", "humidity", "temperature"):
            yield key, parents, "environment"

    def _list_antenna(self, law: AntennaLaw) -> Iterator[_Line]:
        light = (law.emitter.part, law.camera.part, law.gun.part)
        strikes = (law.gust.parts, "wind_speed"), (law.surge.parts, "weather_pattern")
        yield "is_storm", (), "environment"
        yield "weather_pattern", ("is_storm",), "environment"
        yield from self._list_instruments("is_storm")
        for name in (part.name for part in self.game.components):
            armour = f"{name}_def"
            if name in light:
                yield f"{name}_damage", ("wind_speed",), "mediator"
                yield f"{name}_working", (f"{name}_damage", armour), "mediator"
                yield f"{name}_hp", (f"{name}_damage", armour), "mediator"
                continue
            struck = [by for parts, by in strikes if name in parts]
            yield f"{name}_hp", (*struck, armour) if struck else (), "mediator"
        emitter, camera, gun = (f"{name}_working" for name in light)
        heard = ("weather_pattern", emitter, camera, *self._move("detection"))
        yield "detection", heard, "mediator"
        yield "rounds", ("weather_pattern", emitter), "mediator"
        yield "accuracy", (camera,), "mediator"
        yield "damage_factor", (gun,), "mediator"

    def _list_zone(self, law: ZoneLaw) -> Iterator[_Line]:
        yield "mission_zone", (), "environment"
        yield "emi_level", ("mission_zone",), "environment"
        yield "altitude_band", ("mission_zone", *self._move("altitude")), "environment"
        for key in ("wind_resistance", "signal_strength", "temperature"):
            yield key, ("altitude_band",), "environment"
        shield = () if self.game.has("shield_misfiled") else (f"{law.shield}_def",)
        yield "effective_emi", ("emi_level", *shield, *self._move("emi_resistance")), "mediator"
        yield "comm_failure", ("effective_emi", "altitude_band"), "mediator"
        yield "crash", ("comm_failure",), "mediator"
        for name in (part.name for part in self.game.components):
            yield f"{name}_hp", self._list_zone_harm(name, law), "mediator"
        yield "detection", ("comm_failure", *self._move("detection")), "mediator"
        yield "rounds", ("comm_failure",), "mediator"
        yield "accuracy", (), "mediator"
        yield "damage_factor", ("effective_emi",), "mediator"

    def _list_zone_harm(self, name: str, law: ZoneLaw) -> tuple[str, ...]:
        harm: list[str] = []
        if name in law.buffet:
            harm.append("altitude_band")
        if name in law.crash:
            harm.append("crash")
        if name in {law.aerial, law.lens}:
            harm.append("effective_emi")
        if harm and name != law.aerial:
            harm.append(f"{name}_def")
        return tuple(harm)

    def _list_weather(self, law: WeatherLaw) -> Iterator[_Line]:
        yield "is_storm", (), "environment"
        yield from self._list_instruments("is_storm")
        levers = (f"{law.lift}_def", f"{law.engine}_def")
        yield "live_chance", ("is_storm", *levers), "mediator"
        yield "airworthy", ("live_chance",), "mediator"
        for part in self.game.components:
            yield f"{part.name}_hp", ("airworthy",) if part.name == law.engine else (), "mediator"
        yield from self._list_plain_enemy()

    def _list_calm(self) -> Iterator[_Line]:
        yield from self._list_instruments()
        for part in self.game.components:
            yield f"{part.name}_hp", (), "mediator"
        yield from self._list_plain_enemy()

    def _list_plain_enemy(self) -> Iterator[_Line]:
        yield "detection", self._move("detection"), "mediator"
        yield "rounds", (), "mediator"
        yield "accuracy", (), "mediator"
        yield "damage_factor", (), "mediator"

    def _list_fight(self) -> Iterator[_Line]:
        parts = self.game.components
        health = tuple(f"{part.name}_hp" for part in parts)
        vital = tuple(f"{part.name}_hp" for part in parts if part.vital)
        armour = tuple(f"{part.name}_def" for part in parts if part.critical)
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
_EXPOSURE = dict(zip(ORDER, (1.5, 1.5, 1.2, 1.0, 0.8, 0.5, 0.5), strict=False))


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
_ABOUT: dict[str, str] = _LISTED["about"]
QUIRKS: dict[str, str] = _LISTED["quirks"]
"""Sentence by name."""
(_PROFILE,) = _read_slots("profile")
"""Sets the altitude, whatever the zone."""
SHIFT_SLOTS = (_PROFILE, *_read_slots("shift"))


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


@lru_cache(maxsize=16)  # building one takes milliseconds, and every instance asks
def paper_game(name: str) -> Game:
    """Return a published game.

    Raises:
        UnknownName: There is no game of that name.
    """
    if name in ANTENNA_PASTS:
        return _make_antenna(name)
    if name in ZONE_PASTS:
        return _make_zone(name)
    if name not in NAMES:
        raise UnknownName("game", name, NAMES)
    return _make_shift() if name == _SHIFT else _make_weather()


def _make_game(
    name: str,
    law: Law,
    quirks: tuple[str, ...],
    *,
    visible: tuple[str, ...],
    discoverable: tuple[str, ...] = (),
    distractors: tuple[Variable, ...] = (),
    **more: Any,  # noqa: ANN401 - the fields of a game
) -> Game:
    quirks = (*_ALWAYS, *quirks)
    bare = Game(name=name, law=law, quirks=quirks, edition="paper", variables=(), **more)
    found = structure(bare, visible=visible, discoverable=discoverable)
    return bare.model_copy(update={"variables": (*found, *distractors)})


def _make_antenna(name: str) -> Game:
    # Only this game's archive is in the release; the paper says that a variant's was closed.
    asked = name == "antenna_trap"
    # Only this one is seen to offer equipment.
    slots = ANTENNA_SLOTS if name.endswith("no_selection_bias") else ()
    coating = {"coating": "stealth"} if slots else {}
    distractors = (
        distractor("moon_phase", 0, 1, "how much of the moon was lit"),
        distractor("radio_noise", -110, -70, "the background noise on the radio band"),
    )
    return _make_game(
        name,
        AntennaLaw(),
        ("double_armour",),
        visible=_SKY,
        discoverable=("weather_pattern", "agility", "antenna_working") if asked else (),
        distractors=distractors if asked else (),
        kind="antenna",
        components=SEVEN,
        slots=slots,
        past=ANTENNA_PASTS[name],
        threshold=0.75,
        trap=design(20, 20, 15, 15, 30, 5, 5),
        best=design(19, 16, 20, 10, 0, 12, 12, **coating),
    )


def _make_zone(name: str) -> Game:
    is_lost = name.endswith("no_selection_bias")
    lost = ("law_missing",) if is_lost else ()
    halfway = ("forced_halfway",) if name.endswith("simpsons_paradox") else ()
    best = design(14, 14, 10, 10, 0, 0, 0, 22, enhancement_module="signal_filter")
    return _make_game(
        name,
        ZoneLaw(zones=ZONES),
        ("profile_undeclared", *lost, *halfway),
        visible=_SKY if is_lost else _GROUND,
        kind="zone",
        components=EIGHT,
        slots=(*ZONE_SLOTS, _PROFILE.model_copy(update={"declared": False})),
        space=Space(total=70),
        past=ZONE_PASTS[name],
        threshold=0.75,
        trap=design(35, 15, 30, 10, 10, 5, 5, 0),
        best=design(20, 20, 15, 15, 0, 0, 0, 0) if is_lost else best,
    )


def _make_shift() -> Game:
    law = ZoneLaw(zones=SHIFTING_ZONES, failure_rate=2.0, shield_effect=0.025, shield_cap=0.8)
    return _make_game(
        _SHIFT,
        law,
        ("shield_misfiled", "equipment_dead"),
        visible=_GROUND,
        kind="zone_shift",
        components=EIGHT_STURDY,
        slots=SHIFT_SLOTS,
        threshold=0.70,
        trap=design(35, 20, 30, 15, 10, 5, 5, 0),
        best=design(20, 15, 12, 11, 0, 0, 0, 32),
    )


def _make_weather() -> Game:
    return _make_game(
        "weather_noise",
        WeatherLaw(),
        ("one_round_least", "noise_on_rows"),
        visible=_SKY,
        discoverable=("is_storm",),
        distractors=(
            distractor("barometric_pressure", 980, 1030, "the pressure of the air"),
            distractor("uv_index", 0, 11, "how strong the sun was"),
        ),
        kind="weather",
        components=SEVEN,
        slots=WEATHER_SLOTS,
        combat=Combat(agility=(1.0, 1.0)),
        space=Space(high=30),
        past=Past(hide_failed=False),
        sensor=Sensor(spread=(0.05, 0.20), flip=(0.005, 0.02), by="is_storm", channels=("rows",)),
        threshold=0.55,
        trap=design(20, 20, 15, 15, 30, 5, 5),
        best=design(30, 4, 13, 13, 30, 0, 0),
    )

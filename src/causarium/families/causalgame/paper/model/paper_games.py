"""Paper edition: the fourteen games, with their parts, laws, oddities and causes.

`structure` lists the variables of a game with their causes; a test proves these to be the parents
in the equations.
"""

import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from causarium.errors import UnknownName
from .game import (
    ALTITUDES,
    AntennaLaw,
    Effect,
    Game,
    Law,
    Role,
    Sight,
    Slot,
    Variable,
    WeatherLaw,
    ZoneLaw,
    working,
)

_VARIANTS = ("", *("_high_def", "_local_optima", "_no_history", "_no_selection_bias"))
NAMES: tuple[str, ...] = (
    *(f"antenna_trap{variant}" for variant in (*_VARIANTS, "_simpsons_paradox")),
    *(
        f"deployment_zone_trap_categorical{variant}"
        for variant in (*_VARIANTS, "_simpsons_paradox")
    ),
    *("deployment_zone_trap_env_shift", "weather_noise"),
)
"""The fourteen published games."""


def structure(
    game: Game, *, visible: Sequence[str], discoverable: Sequence[str]
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


LISTED = tomllib.loads(Path(__file__).with_name("games.toml").read_text(encoding="utf-8"))
"""What is listed in `games.toml`."""
_ABOUT: dict[str, str] = LISTED["about"]
QUIRKS: dict[str, str] = LISTED["quirks"]
"""Sentence by name."""
_ALWAYS = ("armour_on_sum", "bounds_unchecked", "defaults_unsent", "booleans_stuck")


@lru_cache(maxsize=16)  # building one takes milliseconds, and every instance asks
def paper_game(name: str) -> Game:
    """Return a published game.

    Raises:
        UnknownName: There is no game of that name.
    """
    if name not in NAMES:
        raise UnknownName("game", name, NAMES)
    own = LISTED["games"][name]
    listed = {**LISTED["kinds"][own["kind"]], **own}
    parts = zip(LISTED["components"], listed["health"], listed["armour"], strict=False)
    components = [{**part, "hp": hp, "armour": armour} for part, hp, armour in parts]
    fields = {
        **{field: listed[field] for field in Game.model_fields if field in listed},
        "components": components,
        "slots": LISTED["slots"].get(listed.get("slots"), ()),
        "quirks": (*_ALWAYS, *listed["quirks"]),
    }
    named = _name_armour(fields, [part["name"] for part in components])
    bare = Game.model_validate({**named, "name": name, "edition": "paper", "variables": ()})
    found = structure(bare, visible=listed["visible"], discoverable=listed.get("discoverable", ()))
    # They can be found in the archive, and have to do with nothing.
    distractors = tuple(
        Variable(key=one["name"], role="distractor", sight="discoverable", **one)
        for one in listed.get("distractors", ())
    )
    return bare.model_copy(update={"variables": (*found, *distractors)})


def _name_armour(listed: Any, names: Sequence[str]) -> Any:  # noqa: ANN401 - what TOML holds
    """Return what is listed, with the armour of designs by component."""
    if isinstance(listed, list):
        return [_name_armour(one, names) for one in listed]
    if not isinstance(listed, dict):
        return listed
    named = {key: _name_armour(value, names) for key, value in listed.items()}
    if isinstance(named.get("armour"), list):
        named["armour"] = dict(zip(names, named["armour"], strict=True))
    return named

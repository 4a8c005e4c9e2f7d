"""The fourteen published games, with their oddities as named switches."""

from collections.abc import Callable
from functools import cache

from causarium.errors import UnknownName
from causarium.families.causalgame.games.description import (
    Component,
    Design,
    Effect,
    Game,
    Option,
    Past,
    Recipe,
    Slot,
)
from causarium.families.causalgame.games.laws import AntennaLaw
from causarium.families.causalgame.games.structure import distractor, structure

_ALWAYS = ("armour_on_sum", "bounds_unchecked", "defaults_unsent", "booleans_stuck")
_EXPOSURE = {
    "engine": 1.5,
    "cockpit": 1.5,
    "wing": 1.2,
    "body": 1.0,
    "antenna": 0.8,
    "camera": 0.5,
    "gun": 0.5,
}
_HEAVY = ("engine", "cockpit", "wing", "body")
_PARTS = (*_HEAVY, "antenna", "camera", "gun", "shield")


def parts(health: tuple[int, ...], armour: tuple[int, ...]) -> tuple[Component, ...]:
    """Return the published components with these hit points and this default armour."""
    return tuple(
        Component(
            name=name,
            hp=hp,
            armour=points,
            critical=name in _HEAVY,
            vital=name in {"engine", "cockpit"},
            exposure=_EXPOSURE.get(name, 1.0),
        )
        for name, hp, points in zip(_PARTS, health, armour, strict=False)
    )


def armour(*points: int, **equipment: str) -> Design:
    """Return a design with armour in the published order of components."""
    return Design(armour=dict(zip(_PARTS, points, strict=False)), equipment=equipment)


SEVEN = parts((100, 100, 80, 80, 50, 20, 30), (20, 20, 15, 15, 10, 5, 5))

ANTENNA_SLOTS = (
    Slot(
        name="coating",
        default="standard",
        options=(
            Option(name="standard", blurb="the usual paint"),
            Option(
                name="stealth",
                blurb="absorbs radar and adds weight to the armour",
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
            Option(name="active", blurb="sends all the time"),
            Option(name="passive", blurb="listens only"),
            Option(name="burst", blurb="sends in short bursts"),
        ),
    ),
    Slot(
        name="emergency_beacon",
        default="on",
        boolean=True,
        options=(
            Option(name="on", blurb="calls for rescue", effect=Effect(detection=0.05)),
            Option(name="off", blurb="stays quiet"),
        ),
    ),
)


def _antenna(name: str, past: Past) -> Game:
    law = AntennaLaw()
    return Game(
        name=name,
        kind="antenna",
        edition="paper",
        components=SEVEN,
        slots=ANTENNA_SLOTS,
        law=law,
        variables=(
            *structure(
                SEVEN,
                ANTENNA_SLOTS,
                law,
                visible=("wind_speed", "humidity", "temperature"),
                discoverable=("weather_pattern", "agility", "antenna_working"),
            ),
            distractor("moon_phase", 0, 1, "how much of the moon was lit"),
            distractor("radio_noise", -110, -70, "background noise on the radio band"),
        ),
        past=past,
        threshold=0.75,
        trap=armour(20, 20, 15, 15, 30, 5, 5),
        best=armour(19, 16, 20, 10, 0, 12, 12),
        quirks=(*_ALWAYS, "double_armour"),
    )


_ANTENNA_PASTS = {
    "antenna_trap": Past(),
    "antenna_trap_high_def": Past(recipes=(Recipe(design=armour(35, 35, 30, 30, 25, 20, 20)),)),
    "antenna_trap_local_optima": Past(recipes=(Recipe(design=armour(20, 20, 15, 15, 5, 10, 10)),)),
    "antenna_trap_no_history": Past(rows=0),
    "antenna_trap_no_selection_bias": Past(hide_failed=False),
    "antenna_trap_simpsons_paradox": Past(
        recipes=(
            Recipe(design=armour(20, 20, 15, 15, 25, 5, 5)),
            Recipe(design=armour(20, 20, 15, 15, 20, 5, 5), weight=2),
        )
    ),
}

_MAKERS: dict[str, Callable[[], Game]] = {
    **{
        name: (lambda name=name, past=past: _antenna(name, past))
        for name, past in _ANTENNA_PASTS.items()
    },
}

NAMES: tuple[str, ...] = tuple(_MAKERS)
"""The fourteen, in the published order."""


@cache
def paper_game(name: str) -> Game:
    """Return a published game.

    Raises:
        UnknownName: There is none of that name.
    """
    if name not in _MAKERS:
        raise UnknownName("game", name, NAMES)
    return _MAKERS[name]()

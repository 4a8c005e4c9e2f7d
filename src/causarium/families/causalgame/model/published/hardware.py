"""The published hardware: components, equipment and zones, with what they really do.

Where the release does not show the options of a slot, their names here are ours.
"""

from causarium.families.causalgame.model.published.game import (
    Component,
    Design,
    Effect,
    Option,
    Slot,
)
from causarium.families.causalgame.model.published.laws import ALTITUDES, Zone

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

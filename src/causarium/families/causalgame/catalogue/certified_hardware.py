"""The hardware of the certified games: every option does what its blurb says, for better or worse.

The components are the published ones. The published equipment was largely dead, so what each
option does is ours; names and slots are kept.
"""

from causarium.families.causalgame.catalogue.published_hardware import profile
from causarium.families.causalgame.mechanics.game import Effect, Option, Slot


def switch(name: str, blurb: str, on: Effect, *, default: str = "off") -> Slot:
    """Return an on-off slot."""
    return Slot(
        name=name,
        default=default,
        boolean=True,
        options=(Option(name="on", blurb=blurb, effect=on), Option(name="off", blurb="left out")),
    )


COATING = Slot(
    name="coating",
    default="standard",
    options=(
        Option(name="standard", blurb="plain paint"),
        Option(
            name="stealth",
            blurb="soaks up radar; plates have to be thinner",
            effect=Effect(detection=-0.08, armour_factor=0.9),
        ),
        Option(
            name="reflective",
            blurb="a hard mirror finish that thickens the plates and shines",
            effect=Effect(detection=0.10, armour_factor=1.1),
        ),
    ),
)

ANTENNA_SLOTS = (
    COATING,
    Slot(
        name="antenna_mode",
        default="active",
        options=(
            Option(name="active", blurb="transmits all the time"),
            Option(
                name="burst",
                blurb="transmits in bursts; the crew reacts a little later",
                effect=Effect(emission_factor=0.85, accuracy_factor=1.05),
            ),
            Option(
                name="passive",
                blurb="hardly transmits; the crew reacts later",
                effect=Effect(emission_factor=0.70, accuracy_factor=1.12),
            ),
        ),
    ),
    switch("emergency_beacon", "calls for help all the way", Effect(detection=0.05), default="on"),
)

TURBO_CLIMB = switch(
    "turbo_climb",
    "quick turns, which strain the frame in wind",
    Effect(accuracy_factor=0.96, wear_factor=1.5),
)
WIND_DEFLECTORS = switch("wind_deflectors", "keeps the wind off the frame", Effect(wear_factor=0.2))

ZONE_SLOTS = (
    Slot(
        name="enhancement_module",
        default="radar_boost",
        options=(
            Option(
                name="radar_boost",
                blurb="sees threats early; its own beam can be seen",
                effect=Effect(accuracy_factor=0.95, detection=0.03),
            ),
            Option(
                name="thermal_shield",
                blurb="guards the frame in rough air",
                effect=Effect(wear_factor=0.5),
            ),
            Option(
                name="power_core",
                blurb="thrust for thicker plates",
                effect=Effect(armour_factor=1.15),
            ),
            Option(
                name="stealth_coating",
                blurb="makes the hull harder to see",
                effect=Effect(detection=-0.04),
            ),
            Option(
                name="signal_filter",
                blurb="cleans up the control channel",
                effect=Effect(emi_resistance=0.55),
            ),
        ),
    ),
    TURBO_CLIMB,
    WIND_DEFLECTORS,
)

SHIFT_SLOTS = (
    profile(declared=True),
    Slot(
        name="comm_protocol",
        default="standard",
        options=(
            Option(name="standard", blurb="the usual protocol"),
            Option(
                name="hardened",
                blurb="says everything twice, and is heard a little more",
                effect=Effect(emi_resistance=0.10, detection=0.01),
            ),
        ),
    ),
    Slot(
        name="power_mode",
        default="normal",
        options=(
            Option(name="normal", blurb="as built"),
            Option(
                name="economy",
                blurb="quiet circuits, slower turns",
                effect=Effect(emi_resistance=0.05, accuracy_factor=1.05),
            ),
            Option(
                name="boost",
                blurb="quicker turns, noisier circuits",
                effect=Effect(emi_resistance=-0.05, accuracy_factor=0.93),
            ),
        ),
    ),
    Slot(
        name="signal_filter",
        default="none",
        options=(
            Option(name="none", blurb="no filter"),
            Option(
                name="basic",
                blurb="a small filter on the control channel",
                effect=Effect(emi_resistance=0.12),
            ),
            Option(
                name="advanced",
                blurb="a large filter, and thinner plates to carry it",
                effect=Effect(emi_resistance=0.20, armour_factor=0.95),
            ),
        ),
    ),
    Slot(
        name="hull_coating",
        default="standard",
        options=(
            Option(name="standard", blurb="plain paint"),
            Option(
                name="conductive",
                blurb="a metal mesh, easier to see",
                effect=Effect(emi_resistance=0.10, detection=0.02),
            ),
        ),
    ),
    switch(
        "faraday_cage",
        "a cage of wire, and thinner plates to carry it",
        Effect(emi_resistance=0.15, armour_factor=0.9),
    ),
    TURBO_CLIMB,
    WIND_DEFLECTORS,
)

WEATHER_SLOTS = (
    Slot(
        name="sensor_mode",
        default="standard",
        options=(
            Option(name="standard", blurb="as built"),
            Option(
                name="high_precision",
                blurb="finer readings, by instruments that can be heard",
                effect=Effect(noise_factor=0.6, detection=0.05),
            ),
        ),
    ),
    Slot(
        name="data_filter",
        default="none",
        options=(
            Option(name="none", blurb="raw readings"),
            Option(
                name="smoothing",
                blurb="steadier readings, a moment late for the crew too",
                effect=Effect(noise_factor=0.7, accuracy_factor=1.05),
            ),
        ),
    ),
    switch(
        "redundant_sensors",
        "a second set of sensors, and thinner plates to carry it",
        Effect(noise_factor=0.5, armour_factor=0.9),
    ),
)

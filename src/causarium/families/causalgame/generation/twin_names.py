"""Names for twin games: drawn for every pair, so that no name has a fixed role."""

from random import Random

from causarium.families.causalgame.mechanics.archive_law import ArchiveKind
from causarium.families.causalgame.mechanics.twin_law import CONDITIONS, PARTS, SIGNALS, SLOTS

_PARTS = (
    "engine", "cockpit", "wing", "body", "tail", "rotor", "battery", "fin", "gearbox", "mast",
    "nose", "tank",
)  # fmt: skip
_SLOTS = (
    ("coating", "matte", "gloss"),
    ("propeller", "two_blades", "three_blades"),
    ("fuel", "light", "dense"),
    ("mount", "rigid", "sprung"),
    ("seal", "rubber", "resin"),
    ("wiring", "copper", "fibre"),
    ("skid", "narrow", "wide"),
)
_CONDITIONS = (
    ("wind", "calm", "gusty"),
    ("light", "day", "night"),
    ("air", "dry", "humid"),
    ("sector", "east", "west"),
    ("altitude", "low", "high"),
    ("season", "summer", "winter"),
    ("route", "coast", "valley"),
    ("tide", "ebb", "flood"),
    ("sky", "clear", "overcast"),
    ("traffic", "sparse", "dense"),
)
_READINGS = (
    ("vibration", "weak", "strong"),
    ("pressure", "low", "high"),
    ("heat", "mild", "severe"),
    ("drift", "left", "right"),
    ("noise", "quiet", "loud"),
)
_COINS = (
    ("depot", "north", "south"),
    ("shift", "early", "late"),
    ("hangar", "old", "new"),
    ("convoy", "red", "blue"),
    ("supplier", "first", "second"),
)
_SIGNALS = ("beacon", "carrier", "transponder", "flare", "relay", "strobe")

Named = tuple[str, tuple[str, str]]
"""A slot or a condition, and its two values."""


def draw_parts(rng: Random) -> tuple[str, ...]:
    """Draw the names of the parts."""
    return tuple(rng.sample(_PARTS, PARTS))


def draw_slots(rng: Random, count: int = SLOTS) -> tuple[Named, ...]:
    """Draw slots, each with two options in any order."""
    return tuple(_turn(rng, named) for named in rng.sample(_SLOTS, count))


def draw_conditions(rng: Random) -> tuple[Named, ...]:
    """Draw conditions, each with two values in any order."""
    return tuple(_turn(rng, named) for named in rng.sample(_CONDITIONS, CONDITIONS))


def draw_columns(rng: Random, kind: ArchiveKind) -> tuple[Named, ...]:
    """Draw what an archive records beside the equipment, a column for each of two slots."""
    pool = _READINGS if kind == "front_door" else _COINS
    return tuple(_turn(rng, named) for named in rng.sample(pool, 2))


def draw_signals(rng: Random) -> tuple[str, ...]:
    """Draw the names of the signals."""
    return tuple(rng.sample(_SIGNALS, SIGNALS))


def _turn(rng: Random, named: tuple[str, str, str]) -> Named:
    name, *values = named
    first, second = rng.sample(values, 2)
    return name, (first, second)

"""The properties that crystals can have, and how replies may name them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from causarium.families.causalab.instance import FREQUENCY, FREQUENCY_DISPLAY, Property

PUBLISHED = (
    Property(name="temperatureC", display="Temperature (°C)"),
    Property(name="moisture", display="Moisture"),
    Property(name="density", display="Density"),
    Property(name="quantumSize", display="Quantum Size"),
    Property(name="radiation", display="Radiation"),
    Property(name="pressure", display="Pressure"),
    Property(name="ph", display="pH"),
    Property(name="conductivity", display="Conductivity"),
)
"""The published properties; graphs of up to nine nodes use no others."""
FURTHER = (
    Property(name="viscosity", display="Viscosity"),
    Property(name="opacity", display="Opacity"),
    Property(name="elasticity", display="Elasticity"),
    Property(name="salinity", display="Salinity"),
    Property(name="porosity", display="Porosity"),
    Property(name="hardness", display="Hardness"),
    Property(name="luminosity", display="Luminosity"),
    Property(name="magnetism", display="Magnetism"),
    Property(name="permeability", display="Permeability"),
    Property(name="ductility", display="Ductility"),
    Property(name="turbidity", display="Turbidity"),
    Property(name="roughness", display="Roughness"),
)
"""More of them, for larger graphs."""
MAX_NODES = len(PUBLISHED) + len(FURTHER) + 1
_FREQUENCY_ALIASES = ("freq", "frequency", "resonancefreq", "resonancefrequency")
_SHORT = {"temperature": "temperatureC", "temp": "temperatureC"}
_APART = re.compile(r"[\W_]+")


@lru_cache(maxsize=4096)
def fold_name(text: str) -> str:
    """Return `text` in the form in which names are compared: letters and digits, lower case.

    Example:
        >>> fold_name("Temperature (°C)"), fold_name("quantum_size")
        ('temperaturec', 'quantumsize')
    """
    return _APART.sub("", text.casefold())


def name_index(properties: Iterable[Property]) -> dict[str, str]:
    """Map every plain form in which a node may be named to its name.

    Case, spaces and punctuation do not matter, display names are as good as names, and
    `Temperature` is as good as `temperatureC`. The frequency answers to its usual names.
    """
    return dict(_index(tuple(properties)))


@lru_cache(maxsize=256)
def _index(properties: tuple[Property, ...]) -> dict[str, str]:
    index: dict[str, str] = {}
    for prop in properties:
        index[fold_name(prop.name)] = index[fold_name(prop.display)] = prop.name
        bare = fold_name(prop.display.split("(")[0])
        index.setdefault(bare, prop.name)
    for short, name in _SHORT.items():
        if name in index.values():
            index.setdefault(short, name)
    for alias in (*_FREQUENCY_ALIASES, fold_name(FREQUENCY_DISPLAY)):
        index[alias] = FREQUENCY
    return index

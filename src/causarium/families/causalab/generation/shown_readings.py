"""Draw what is shown, before and without any mechanism.

Every crystal has an address of its own, and none of the addresses knows a graph or a coefficient.
`assemble_instance` then computes the base values under which a mechanism shows just these readings.
So what is shown has the same law whatever the mechanism is, and says nothing of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.instance import Reading

CENTRE = 100.0
"""The readings of a property lie around a centre of its own, this far from zero at most."""
QUADRATIC_CENTRE = 50.0
"""The centre of every property where terms have squares."""
SPREAD = 50.0
"""How far from its centre a reading lies at most."""
APART = 25.0
"""How far the reactor's crystal is from the manipulator's in every property, at least."""
FREQUENCIES = (200.0, 1000.0)

Values = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """The readings of every crystal, as far as they are drawn."""

    records: tuple[Reading, ...]
    manipulator: Reading
    reactor: Values
    chain_start: Values | None
    """Where a handed-over chain starts; its frequency follows from the mechanism."""


def draw_shown(config: LabConfig, rng: Callable[[str], Random]) -> Shown:
    """Draw the readings of an instance; `rng` gives the stream of a named crystal."""
    centres = _centres(config, rng("centres"))
    manipulator = _reading(centres, rng("manipulator"))
    return Shown(
        records=tuple(_reading(centres, rng(f"record-{n}")) for n in range(config.records)),
        manipulator=manipulator,
        reactor=_draw_apart(centres, manipulator.values, rng("reactor")),
        chain_start=_draw_around(centres, rng("chain-start")) if config.golden else None,
    )


def _centres(config: LabConfig, rng: Random) -> list[float]:
    if config.form != "linear":
        return [QUADRATIC_CENTRE] * (config.nodes - 1)
    return [rng.uniform(-CENTRE, CENTRE) for _ in range(config.nodes - 1)]


def _reading(centres: Sequence[float], rng: Random) -> Reading:
    values = _draw_around(centres, rng)
    return Reading(values=values, frequency=round(rng.uniform(*FREQUENCIES), 2))


def _draw_around(centres: Sequence[float], rng: Random) -> Values:
    return tuple(_draw_near(centre, rng) for centre in centres)


def _draw_near(centre: float, rng: Random) -> float:
    # Adding zero makes a negative zero a plain one.
    return round(centre + rng.uniform(-SPREAD, SPREAD), 2) + 0.0


def _draw_apart(centres: Sequence[float], others: Values, rng: Random) -> Values:
    values = []
    for centre, other in zip(centres, others, strict=True):
        value = _draw_near(centre, rng)
        while abs(value - other) < APART:
            value = _draw_near(centre, rng)
        values.append(value)
    return tuple(values)

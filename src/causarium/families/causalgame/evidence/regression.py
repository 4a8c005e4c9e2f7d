"""A regression on records, and the design that it would have one fly.

This is the analyst whom misleading records mislead: it takes what was fitted for what works, asks
neither which flights are missing nor what else differed between them, and stays within what
has been flown. Records without losses hold no variation in survival; there it explains hits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.model.published.game import Design, Space

RIDGE = 1.0
"""How many rows' worth of doubt each standardised coefficient is met with."""


@dataclass(frozen=True, slots=True)
class Record:
    """One flight on record."""

    armour: Mapping[str, int]
    equipment: Mapping[str, str]
    survived: bool
    hits: float


def outcome(records: Sequence[Record]) -> NDArray[np.float64]:
    """Return what the regression explains: survival where it varies, and otherwise few hits."""
    alive = np.array([float(record.survived) for record in records])
    return alive if np.ptp(alive) > 0 else -np.array([record.hits for record in records])


def slopes(records: Sequence[Record]) -> dict[str, float]:
    """Return what one more unit of each lever that varies seems to be worth.

    Levers are components, and equipment as `slot=option`.
    """
    levers = _levers(records)
    if not levers:
        return {}
    table = np.array(list(levers.values())).T
    spread = table.std(axis=0)
    scaled = (table - table.mean(axis=0)) / spread
    wanted = outcome(records)
    gram = scaled.T @ scaled + RIDGE * np.eye(len(levers))
    found = np.linalg.solve(gram, scaled.T @ (wanted - wanted.mean())) / spread
    return dict(zip(levers, (float(slope) for slope in found), strict=True))


def recommend(records: Sequence[Record], space: Space) -> Design:
    """Return the design that the regression thinks best, within what was flown."""
    if not records:
        return Design()
    worth = slopes(records)
    flown = {name: [record.armour[name] for record in records] for name in records[0].armour}
    armour = {
        name: max(points) if worth.get(name, 0.0) > 0 else min(points)
        for name, points in flown.items()
    }
    # Over the total: what seems worth least goes first.
    for name in sorted(armour, key=lambda name: worth.get(name, 0.0)):
        excess = sum(armour.values()) - space.total
        armour[name] -= max(0, min(excess, armour[name] - min(flown[name])))
    return Design(armour=armour, equipment=_equipment(records, worth))


def _levers(records: Sequence[Record]) -> dict[str, list[float]]:
    """Return the column of every lever that differs between records."""
    columns: dict[str, list[float]] = {}
    for name in records[0].armour if records else ():
        columns[name] = [float(record.armour[name]) for record in records]
    for slot, option in sorted({item for record in records for item in record.equipment.items()}):
        columns[f"{slot}={option}"] = [
            float(record.equipment.get(slot) == option) for record in records
        ]
    return {name: column for name, column in columns.items() if len(set(column)) > 1}


def _equipment(records: Sequence[Record], worth: Mapping[str, float]) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for slot, option in sorted({item for record in records for item in record.equipment.items()}):
        value = worth.get(f"{slot}={option}", 0.0)
        if slot not in chosen or value > worth.get(f"{slot}={chosen[slot]}", 0.0):
            chosen[slot] = option
    return chosen

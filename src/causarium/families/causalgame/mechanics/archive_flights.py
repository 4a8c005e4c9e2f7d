"""Logged flights of archive games, all at once."""

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw

Logged = NDArray[np.int8]
"""A row a flight: first option, second option, first column, second column, returned."""


def log_flights(law: ArchiveLaw, count: int, seed: int) -> Logged:
    """Draw so many logged flights."""
    luck = np.random.Generator(np.random.PCG64DXSM(seed)).random((7, count))
    alive = np.full(count, 0.5)
    rows = np.zeros((count, 5), dtype=np.int8)
    for slot, drawn in enumerate(law.slots):
        a, b, c, g = (float(value) for value in law.rates(slot))
        draws = luck[3 * slot : 3 * slot + 3]
        u = np.where(draws[0] < 0.5, 1, -1)
        if law.kind == "front_door":
            x = np.where(draws[1] < 0.5 + c * u, 1, -1)
            m = np.where(draws[2] < 0.5 + a * x, 1, -1)
            alive += b * m + g * u
        else:
            m = np.where(draws[1] < 0.5, 1, -1)
            x = np.where(draws[2] < 0.5 + a * m + c * u, 1, -1)
            alive += b * x + g * u
        rows[:, slot] = x == drawn.option
        rows[:, 2 + slot] = m == drawn.column
    rows[:, 4] = luck[6] < alive
    return rows

"""Flights of twin games, many at once."""

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.mechanics.twin_law import (
    BY_SIGNALS,
    CELLS,
    CONDITIONS,
    DRIFT,
    FLOOR,
    SIGNALS,
    SLOPE,
    SPAN,
    TwinDesign,
    TwinLaw,
    core_terms,
)

Flown = NDArray[np.int8]
"""A row a flight: the conditions, the signals if there are any, and 1 if it came back."""


def fly_twin(law: TwinLaw, design: TwinDesign, cells: NDArray[np.int64], seed: int) -> Flown:
    """Fly one drone of a design in each of some cells; the seed decides everything else."""
    generator = np.random.Generator(np.random.PCG64DXSM(seed))
    luck = generator.random((CONDITIONS + SIGNALS + 1, len(cells)))
    active = np.array(CELLS)[cells]
    z1, z2, z3 = (2 * active[:, place] - 1 for place in range(3))
    score = sum(core_terms(law, design)) + law.shift[0] * z1 + law.shift[1] * z2
    for trap in law.traps:
        if trap.condition != BY_SIGNALS:
            turn = (z2 if trap.condition else z1) * z3
            score = score + trap.sign * trap.beta * trap.psi(design.armour[trap.part]) * turn
    rows = np.zeros((len(cells), CONDITIONS + SIGNALS * law.has_signals + 1), dtype=np.int8)
    rows[:, :CONDITIONS] = (luck[:CONDITIONS] < 0.5).T
    rows[:, law.active] = active
    if law.has_signals:
        trap = law.traps[0]
        lit = 0.5 + SLOPE * trap.psi(design.armour[trap.part]) + DRIFT * z2
        signals = luck[CONDITIONS:-1] < lit
        rows[:, CONDITIONS : CONDITIONS + SIGNALS] = signals.T
        score = score + law.gain * 2 * (
            signals[law.good].astype(float) - signals[1 - law.good].astype(float)
        )
    rows[:, -1] = luck[-1] < FLOOR + SPAN / (1 + np.exp(-score))
    return rows


def draw_cells(law: TwinLaw, count: int, seed: int) -> NDArray[np.int64]:
    """Draw the cells that so many test flights meet."""
    luck = np.random.Generator(np.random.PCG64DXSM(seed)).random(count)
    found: NDArray[np.int64] = np.searchsorted(
        np.cumsum([law.share(cell) for cell in CELLS[:-1]]), luck, side="right"
    )
    return found

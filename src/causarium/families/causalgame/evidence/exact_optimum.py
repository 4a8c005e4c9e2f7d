"""The best design of a twin game, exactly: no search, all legal designs are covered.

For fixed armour on the two traps, survival in every condition rises with the core score C. The best
core score from n points is found by giving points in order of worth: each part's worth a point is
constant up to its knee and nothing beyond. Options follow the sign of their value. So the
maximum over all designs is the maximum over the levels of the two traps.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.mechanics.twin_law import (
    BY_SIGNALS,
    DRIFT,
    FLOOR,
    SLOPE,
    SPAN,
    Target,
    TwinDesign,
    TwinLaw,
    rename,
    target_cells,
)

Grid = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TrapGrid:
    """All levels of the two traps, with the best core score that the rest of the armour buys."""

    law: TwinLaw
    core: Grid
    """Without `law.base`."""
    psi: tuple[Grid, Grid]

    def design(self, first: int, second: int) -> TwinDesign:
        """Return a best design with these levels of the traps."""
        law = self.law
        armour = [0] * len(law.weights)
        left = law.total - first - second
        for _, part in _worth(law):
            if left > 0:
                armour[part] += 1
                left -= 1
        armour[law.traps[0].part], armour[law.traps[1].part] = first, second
        return TwinDesign(armour=tuple(armour), options=tuple(int(v > 0) for v in law.options))


def _worth(law: TwinLaw) -> list[tuple[float, int]]:
    """Return what each point of core armour is worth, the best first, with its part."""
    points = [
        (weight / knee, part)
        for part, (weight, knee) in enumerate(zip(law.weights, law.knees, strict=True))
        if weight > 0
        for _ in range(knee)
    ]
    return sorted(points, reverse=True)


def trap_grid(law: TwinLaw) -> TrapGrid:
    """Return the grid of a law; a twin has the same one."""
    worth = np.concatenate([[0.0], np.cumsum([value for value, _ in _worth(law)])])
    levels = [np.arange(trap.knee + 1) for trap in law.traps]
    left = law.total - levels[0][:, None] - levels[1][None, :]
    core = worth[np.minimum(left, len(worth) - 1)] + sum(abs(value) for value in law.options)
    psi = [2 * level / trap.knee - 1 for level, trap in zip(levels, law.traps, strict=True)]
    return TrapGrid(law, core, (psi[0][:, None], psi[1][None, :]))


def grid_survival(grid: TrapGrid, law: TwinLaw, target: Target) -> Grid:
    """Return the fleet's survival at every level of the traps, all else at its best."""
    total: Grid = np.zeros_like(grid.core)
    for share, cell in target_cells(law, target):
        z = (2 * cell[0] - 1, 2 * cell[1] - 1)
        score = law.base + grid.core + law.shift[0] * z[0] + law.shift[1] * z[1]
        for trap, psi in zip(law.traps, grid.psi, strict=True):
            if trap.condition != BY_SIGNALS:
                turn = z[trap.condition] * (2 * cell[2] - 1)
                score = score + trap.sign * turn * trap.beta * psi
        if not law.has_signals:
            total += share * _chance(score)
            continue
        lit = 0.5 + SLOPE * grid.psi[0] + DRIFT * z[1]
        for first in (0, 1):
            for second in (0, 1):
                signs = (2 * first - 1, 2 * second - 1)
                moved = score + law.gain * (signs[law.good] - signs[1 - law.good])
                total += share * 0.5 * (lit if second else 1 - lit) * _chance(moved)
    return total


def _chance(score: Grid) -> Grid:
    found: Grid = FLOOR + SPAN / (1 + np.exp(-score))
    return found


def find_best_design(law: TwinLaw, target: Target) -> tuple[TwinDesign, float]:
    """Return a best design of a game and what it survives at the target."""
    grid = trap_grid(law)
    values = grid_survival(grid, law, target)
    first, second = np.unravel_index(int(values.argmax()), values.shape)
    return grid.design(int(first), int(second)), float(values.max())


def find_best_of_both(law: TwinLaw, target: Target) -> float:
    """Return the most that one design can be sure of in a game and in its twin."""
    grid, twin = trap_grid(law), rename(law)
    worse = np.minimum(grid_survival(grid, law, target), grid_survival(grid, twin, target))
    return float(worse.max())

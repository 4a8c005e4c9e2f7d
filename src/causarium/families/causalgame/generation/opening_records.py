"""The flights from before a mission: plain ones, or ones that mislead.

`plain` flies the standard design wherever tests fly. In `crews` half the crews armour a trap and
fly where that armour helps, so that the pooled records praise it in both twins and are wrong in
one. In `paradox` the better option of a slot flies in the harshest conditions and the other one in
the kindest: better in each, and worse over all.
"""

from dataclasses import dataclass
from math import fsum
from random import Random

from causarium.families.causalgame.mechanics.twin_law import (
    BY_SIGNALS,
    CELLS,
    Cell,
    Opening,
    TwinDesign,
    TwinLaw,
    cell_survival,
)

PLAIN_ROWS, CREW_ROWS = 40, 60
CREW_ARMOUR, OTHER_ARMOUR = 15, 9
LEAST_DIFFERENCE = 0.05
"""How much the pooled records of `crews` and `paradox` mislead, at least."""
_HELPED, _ANYWHERE, _SENT = 0.9, 0.5, 0.95


@dataclass(frozen=True, slots=True)
class Crew:
    """Some flights of one design, by the conditions that they meet."""

    design: TwinDesign
    rows: int
    shares: dict[Cell, float]

    def survival(self, law: TwinLaw) -> float:
        """Return the share of these flights that come back."""
        return fsum(
            share * cell_survival(law, self.design, cell) for cell, share in self.shares.items()
        )


def plan_crews(law: TwinLaw, opening: Opening) -> tuple[Crew, ...]:
    """Return who flew before a mission; the one that misleads comes first."""
    tests = {cell: law.share(cell) for cell in CELLS}
    if opening == "none":
        return ()
    if opening == "plain":
        return (Crew(law.standard, PLAIN_ROWS, tests),)
    if opening == "crews":
        return _plan_armour_crews(law)
    return _plan_option_crews(law)


def misleads(law: TwinLaw, opening: Opening) -> bool:
    """Return whether the records are as misleading as they are meant to be, by formula."""
    if opening in {"plain", "none"}:
        return True
    praised, other = plan_crews(law, opening)
    pooled = praised.survival(law) - other.survival(law)
    if opening == "crews":
        return pooled >= LEAST_DIFFERENCE
    within = [
        cell_survival(law, other.design, cell) - cell_survival(law, praised.design, cell)
        for cell in extreme_cells(law)
    ]
    return pooled >= LEAST_DIFFERENCE and all(gain > 0 for gain in within)


def _plan_armour_crews(law: TwinLaw) -> tuple[Crew, Crew]:
    trap = next(trap for trap in law.traps if trap.condition != BY_SIGNALS)

    def helps(cell: Cell) -> bool:
        return trap.sign * (2 * cell[trap.condition] - 1) * (2 * cell[2] - 1) > 0

    def crew(armour: int, helped: float) -> Crew:
        points = [OTHER_ARMOUR] * len(law.weights)
        points[trap.part] = armour
        whole = {
            side: fsum(law.share(c) for c in CELLS if helps(c) == side) for side in (True, False)
        }
        shares = {
            cell: law.share(cell) / whole[helps(cell)] * (helped if helps(cell) else 1 - helped)
            for cell in CELLS
        }
        return Crew(TwinDesign(armour=tuple(points)), CREW_ROWS // 2, shares)

    return crew(CREW_ARMOUR, _HELPED), crew(0, _ANYWHERE)


def extreme_cells(law: TwinLaw) -> tuple[Cell, Cell]:
    """Return the harshest and the kindest conditions for the standard design."""
    ordered = sorted(CELLS, key=lambda cell: (cell_survival(law, law.standard, cell), cell))
    return ordered[0], ordered[-1]


def _plan_option_crews(law: TwinLaw) -> tuple[Crew, Crew]:
    slot = next(place for place, value in enumerate(law.options) if value)
    harsh, kind = extreme_cells(law)

    def crew(*, better: bool, mostly: Cell, rarely: Cell) -> Crew:
        options = [0] * len(law.options)
        options[slot] = int((law.options[slot] > 0) == better)
        design = TwinDesign(armour=law.standard.armour, options=tuple(options))
        return Crew(design, CREW_ROWS // 2, {mostly: _SENT, rarely: 1 - _SENT})

    return (
        crew(better=False, mostly=kind, rarely=harsh),
        crew(better=True, mostly=harsh, rarely=kind),
    )


def draw_cells_of(crew: Crew, rng: Random) -> list[int]:
    """Draw the place among `CELLS` that each flight of a crew meets."""
    cells = list(crew.shares)
    chosen = rng.choices(cells, weights=list(crew.shares.values()), k=crew.rows)
    return [CELLS.index(cell) for cell in chosen]

"""The law of twin games: closed formulas for who survives, and the renaming that makes the twin.

A game has seven parts (armour 0 to 30 each, a total), four slots with two options each and five
conditions, of which e1, e2 and e3 are active. With z = 2e - 1 for a condition e of 0 or 1,

    C     = base + sum of weight * min(armour, knee) / knee  + sum of option * (2 choice - 1)
    psi_k = 2 min(armour, knee) / knee - 1                     for the two trap parts k
    S     = C + shift . (z1, z2) + sum of sign_k z_(condition of k) z3 beta_k psi_k
    P(survive) = .02 + .96 / (1 + exp(-S))

So a trap helps where two conditions agree and harms where they differ, or the other way round:
neither of them tells anything by itself, and flights that resemble the target in one of the two
are as likely to mislead as to help.

In the kind `antenna` the first trap acts through two signals instead, a good and a bad one, which
both light up with chance .5 + .4 psi_1 + .08 z2; S gains `gain` where the good one is on and the
bad one off, and loses as much the other way round.

Terms are added with `math.fsum`, so that a game and its twin agree to the last bit.
"""

from collections.abc import Iterator
from math import exp, fsum
from typing import Literal, TypeAlias

from causarium.contract.frozen import Frozen

TwinKind = Literal["weather", "zone", "antenna"]
Opening = Literal["plain", "crews", "paradox", "none"]
"""What is on record from before a mission."""
PARTS, SLOTS, CONDITIONS, SIGNALS = 7, 4, 5, 2
HIGHEST = 30
"""The most armour of a part."""
BY_SIGNALS = -1
"""In the place of a condition: the trap acts through the signals."""
SLOPE, DRIFT = 0.4, 0.08
"""How a signal's chance follows the first trap and the second active condition."""
FLOOR, SPAN = 0.02, 0.96
Cell: TypeAlias = tuple[int, int, int]
CELLS: tuple[Cell, ...] = tuple(
    (first, second, third) for first in (0, 1) for second in (0, 1) for third in (0, 1)
)
"""What the three active conditions can be."""

Target: TypeAlias = tuple[int | None, ...]
"""The value of each condition when the fleet flies; None: as in the tests."""


class TwinDesign(Frozen):
    """What an agent decides: armour by part and an option by slot, in the order they are listed."""

    armour: tuple[int, ...]
    options: tuple[int, ...] = (0,) * SLOTS


class Trap(Frozen):
    """A part whose armour helps in one half of the world and harms in the other."""

    part: int
    knee: int
    beta: float
    sign: int
    condition: int
    """Which condition turns it, together with e3: 0 for e1, 1 for e2, or `BY_SIGNALS`."""

    def psi(self, armour: int) -> float:
        """Return how far this armour is from bare (-1) to full (+1)."""
        return 2 * min(armour, self.knee) / self.knee - 1


class TwinLaw(Frozen):
    """Everything that decides who survives."""

    kind: TwinKind
    total: int
    """The most armour in all."""
    base: float
    weights: tuple[float, ...]
    """What full armour on each part is worth; 0 for the traps and the decoy."""
    knees: tuple[int, ...]
    """Armour beyond it is wasted."""
    options: tuple[float, ...]
    """What the second option of each slot is worth, and the first one costs; two are 0."""
    traps: tuple[Trap, Trap]
    active: tuple[int, int, int]
    """Which of the conditions are e1, e2 and e3; the others do nothing."""
    shift: tuple[float, float]
    """What e1 and e2 do by themselves."""
    shares: tuple[float, float, float, float]
    """How often e1 and e2 are 00, 01, 10 and 11 in the tests; e3 is a fair coin."""
    gain: float = 0.0
    """What the signals are worth; 0 where there are none."""
    good: int = 0
    """Which of the two signals helps."""

    @property
    def has_signals(self) -> bool:
        """Whether two signals are recorded on every flight."""
        return self.gain != 0

    def share(self, cell: Cell) -> float:
        """Return how often the tests meet a cell."""
        return self.shares[2 * cell[0] + cell[1]] / 2

    @property
    def standard(self) -> TwinDesign:
        """The design that everything is compared with."""
        return TwinDesign(armour=(self.total // PARTS,) * PARTS)


def rename(law: TwinLaw) -> TwinLaw:
    """Return the twin's law: the same world under other names.

    `weather` swaps the two values of both active conditions, `zone` the names of the two active
    conditions, `antenna` the names of the two signals and the values of the first condition.
    """
    p00, p01, p10, p11 = law.shares
    first, second = law.traps
    if law.kind == "zone":
        traps = tuple(
            trap.model_copy(update={"condition": 1 - trap.condition}) for trap in law.traps
        )
        return law.model_copy(
            update={"shares": (p00, p10, p01, p11), "shift": law.shift[::-1], "traps": traps}
        )
    if law.kind == "weather":
        traps = tuple(trap.model_copy(update={"sign": -trap.sign}) for trap in law.traps)
        shift = (-law.shift[0], -law.shift[1])
        return law.model_copy(
            update={"shares": (p11, p10, p01, p00), "shift": shift, "traps": traps}
        )
    turned = second.model_copy(update={"sign": -second.sign})
    return law.model_copy(
        update={
            "shares": (p10, p11, p00, p01),
            "shift": (-law.shift[0], law.shift[1]),
            "traps": (first, turned),
            "good": 1 - law.good,
        }
    )


def core_terms(law: TwinLaw, design: TwinDesign) -> list[float]:
    """Return what armour and options add to the score, whatever the conditions."""
    armour = (
        weight * min(points, knee) / knee
        for weight, points, knee in zip(law.weights, design.armour, law.knees, strict=True)
    )
    options = (
        value * (2 * choice - 1) for value, choice in zip(law.options, design.options, strict=True)
    )
    return [law.base, *armour, *options]


def chance(score: float) -> float:
    """Return the chance to survive at a score."""
    return FLOOR + SPAN / (1 + exp(-score))


def survival_at(law: TwinLaw, design: TwinDesign, cell: Cell, signals: float) -> float:
    """Return the chance to survive in one cell, with the good signal less the bad one."""
    z = (2 * cell[0] - 1, 2 * cell[1] - 1)
    turn = 2 * cell[2] - 1
    terms = core_terms(law, design)
    terms += [law.shift[0] * z[0], law.shift[1] * z[1], law.gain * signals]
    terms += [
        trap.sign * z[trap.condition] * turn * trap.beta * trap.psi(design.armour[trap.part])
        for trap in law.traps
        if trap.condition != BY_SIGNALS
    ]
    return chance(fsum(terms))


def signal_chance(law: TwinLaw, design: TwinDesign, second: int) -> float:
    """Return how often a signal is on, given the second active condition."""
    trap = law.traps[0]
    return 0.5 + SLOPE * trap.psi(design.armour[trap.part]) + DRIFT * (2 * second - 1)


def outcomes(
    law: TwinLaw, design: TwinDesign, cell: Cell, *, by_lot: bool = False
) -> Iterator[tuple[float, float]]:
    """Yield the ways a flight in one cell can go: the chance of each, and to survive it.

    Args:
        law: The world.
        design: What flies.
        cell: The active conditions.
        by_lot: Whether the first signal is set by lot, whatever the design.
    """
    if not law.has_signals:
        yield 1.0, survival_at(law, design, cell, 0.0)
        return
    natural = signal_chance(law, design, cell[1])
    first = 0.5 if by_lot else natural
    for one in (0, 1):
        for two in (0, 1):
            weight = (first if one else 1 - first) * (natural if two else 1 - natural)
            signs = (2 * one - 1, 2 * two - 1)
            yield weight, survival_at(law, design, cell, signs[law.good] - signs[1 - law.good])


def cell_survival(law: TwinLaw, design: TwinDesign, cell: Cell) -> float:
    """Return the share of test flights in one cell that survive."""
    return fsum(weight * alive for weight, alive in outcomes(law, design, cell))


def survival_in_tests(law: TwinLaw, design: TwinDesign) -> float:
    """Return the share of test flights that survive, over all conditions."""
    return fsum(
        law.share(cell) * weight * alive
        for cell in CELLS
        for weight, alive in outcomes(law, design, cell)
    )


def target_cells(law: TwinLaw, target: Target) -> list[tuple[float, Cell]]:
    """Return the cells in which the fleet flies, with their shares."""
    fits = [
        (law.share(cell), cell)
        for cell in CELLS
        if all(
            target[column] in (None, value) for column, value in zip(law.active, cell, strict=True)
        )
    ]
    whole = fsum(share for share, _ in fits)
    return [(share / whole, cell) for share, cell in fits]


def survival_at_target(law: TwinLaw, design: TwinDesign, target: Target) -> float:
    """Return the share of the fleet that survives, in expectation."""
    return fsum(
        share * weight * alive
        for share, cell in target_cells(law, target)
        for weight, alive in outcomes(law, design, cell, by_lot=True)
    )

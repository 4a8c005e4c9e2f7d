"""The law of archive games: what 3,000 logged flights follow, in exact fractions.

Two slots, each with a recorded column m and a hidden cause u; x, m, u are -1 or +1.

    front door:  P(x|u) = 1/2 + c u x    P(m|x) = 1/2 + a x m
                 P(return) = 1/2 + sum of (b m + g u)           do(x) moves it by 2ab either way
    instrument:  P(m) = 1/2              P(x|m,u) = 1/2 + a m x + c u x
                 P(return) = 1/2 + sum of (b x + g u)           do(x) moves it by b either way

The twin has -b for b, and g + 2ab/c (front door) or g + b/c (instrument) for g. Then P(x, m) and
P(x1, x2, return) are the same in both, to the last digit: only what m tells differs.
"""

from fractions import Fraction
from itertools import product
from typing import Literal

from causarium.contract.frozen import Frozen

ArchiveKind = Literal["front_door", "instrument"]
PLACES = 1000
"""Constants are whole thousandths."""
SIGNS = (-1, 1)


class ArchiveSlot(Frozen):
    """The constants of one slot, in thousandths, and what its labels stand for."""

    a: int
    b: int
    c: int
    g: int
    option: int
    """The sign of x under the second option."""
    column: int
    """The sign of m under the second value."""


class ArchiveLaw(Frozen):
    """Everything that decides what is in an archive and who survives."""

    kind: ArchiveKind
    slots: tuple[ArchiveSlot, ArchiveSlot]
    is_twin: bool = False

    def rates(self, slot: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Return a, b, c and g of a slot, as the twin has them if this is the twin."""
        drawn = self.slots[slot]
        a, b, c, g = (Fraction(value, PLACES) for value in (drawn.a, drawn.b, drawn.c, drawn.g))
        if not self.is_twin:
            return a, b, c, g
        return a, -b, c, g + (2 * a * b if self.kind == "front_door" else b) / c

    def effect(self, slot: int) -> Fraction:
        """Return what do(x = +1) adds to the chance to return; do(x = -1) takes it off."""
        a, b, _, _ = self.rates(slot)
        return 2 * a * b if self.kind == "front_door" else b


def rename_archive(law: ArchiveLaw) -> ArchiveLaw:
    """Return the twin's law."""
    return law.model_copy(update={"is_twin": not law.is_twin})


def survival_of(law: ArchiveLaw, options: tuple[int, ...]) -> Fraction:
    """Return the share of a fleet with these options that returns."""
    total = Fraction(1, 2)
    for slot, option in enumerate(options):
        sign = law.slots[slot].option * (1 if option else -1)
        total += sign * law.effect(slot)
    return total


def find_best_options(law: ArchiveLaw) -> tuple[int, ...]:
    """Return the options that let most drones return."""
    return max(product((0, 1), repeat=2), key=lambda options: survival_of(law, options))


def slot_table(law: ArchiveLaw, slot: int) -> dict[tuple[int, int, int], Fraction]:
    """Return the joint distribution of x, m and u of one slot."""
    a, _, c, _ = law.rates(slot)
    half = Fraction(1, 2)
    if law.kind == "front_door":
        return {
            (x, m, u): half * (half + c * u * x) * (half + a * x * m)
            for x, m, u in product(SIGNS, repeat=3)
        }
    return {
        (x, m, u): half * half * (half + a * m * x + c * u * x)
        for x, m, u in product(SIGNS, repeat=3)
    }


def option_table(law: ArchiveLaw) -> dict[tuple[int, int, int], Fraction]:
    """Return the exact distribution of both options and the return."""
    table: dict[tuple[int, int, int], Fraction] = {}
    for (x1, m1, u1), p in slot_table(law, 0).items():
        for (x2, m2, u2), q in slot_table(law, 1).items():
            alive = Fraction(1, 2) + _push(law, 0, x1, m1, u1) + _push(law, 1, x2, m2, u2)
            for back, chance in ((1, alive), (0, 1 - alive)):
                key = (x1, x2, back)
                table[key] = table.get(key, Fraction(0)) + p * q * chance
    return table


def column_table(law: ArchiveLaw, slot: int) -> dict[tuple[int, int], Fraction]:
    """Return the exact distribution of an option and its recorded column."""
    table: dict[tuple[int, int], Fraction] = {}
    for (x, m, _), p in slot_table(law, slot).items():
        table[x, m] = table.get((x, m), Fraction(0)) + p
    return table


def _push(law: ArchiveLaw, slot: int, x: int, m: int, u: int) -> Fraction:
    _, b, _, g = law.rates(slot)
    return b * (m if law.kind == "front_door" else x) + g * u

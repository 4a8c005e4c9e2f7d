"""Players that remember other pairs instead of looking at this one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from causarium.families.causalgame.evidence.exact_optimum import find_best_design
from causarium.families.causalgame.generation.draw_twins import Twins, find_twins
from causarium.families.causalgame.mechanics.twin_law import (
    TwinDesign,
    TwinKind,
    rename,
    survival_at_target,
)
from causarium.families.causalgame.strategies.offers import Choice, Offer, guess

REMEMBERED = 60
_CONSTANTS = 60


@dataclass(frozen=True, slots=True)
class Memory:
    """Pairs of other draws."""

    pairs: tuple[Twins, ...]

    def find_winner(self, place: int, *, twin: bool) -> TwinDesign:
        """Return what wins in a remembered pair, in its first game or in the twin."""
        pair = self.pairs[place]
        return find_best_design(rename(pair.law) if twin else pair.law, pair.target)[0]


@lru_cache(maxsize=8)
def remember(*, signals: bool) -> Memory:
    """Return pairs like those that are told apart by what is told before play."""
    rng = Random("causalgame memory")
    kinds: Sequence[TwinKind] = ("antenna",) if signals else ("weather", "zone")
    pairs = tuple(
        find_twins(kinds[number % len(kinds)], rng, "memory") for number in range(REMEMBERED)
    )
    return Memory(pairs)


def recall_nearest(offer: Offer, threshold: float, rng: Random) -> Choice:
    """Return what won in the remembered pair that looks most like this one."""
    memory = remember(signals=bool(offer.signals))

    def unlikeness(place: int) -> float:
        pair = memory.pairs[place]
        target = sum(a != b for a, b in zip(pair.target, offer.target, strict=True))
        return (
            abs(pair.law.total - offer.total) / 12 + abs(pair.threshold - threshold) * 20 + target
        )

    nearest = min(range(len(memory.pairs)), key=unlikeness)
    return _fit(offer, memory.find_winner(nearest, twin=rng.random() < 0.5))


@lru_cache(maxsize=8)
def find_best_constant(*, signals: bool) -> TwinDesign:
    """Return the one design that wins most of the remembered games."""
    memory = remember(signals=signals)
    rng = Random("causalgame constants")
    offer = Offer((10,) * 7, 0, 30, 72, (2,) * 4, 12, 360, 60)
    candidates = [guess(offer, rng) for _ in range(_CONSTANTS)]

    def wins(choice: Choice) -> int:
        design = TwinDesign(armour=choice.armour, options=choice.options)
        return sum(
            survival_at_target(law, design, pair.target) >= pair.threshold
            for pair in memory.pairs
            for law in (pair.law, rename(pair.law))
        )

    best = max(candidates, key=wins)
    return TwinDesign(armour=best.armour, options=best.options)


def recall_constant(offer: Offer) -> Choice:
    """Return the one design that wins most of the remembered games."""
    return _fit(offer, find_best_constant(signals=bool(offer.signals)))


def _fit(offer: Offer, design: TwinDesign) -> Choice:
    """Return a remembered design, cut to what may be built here."""
    armour = list(design.armour)
    while sum(armour) > offer.total:
        armour[armour.index(max(armour))] -= 1
    return Choice(tuple(armour), design.options)

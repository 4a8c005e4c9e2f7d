"""Whether a history misleads a regression: levers whose slope has the wrong sign.

The slope is what the regression reads from the rows on record, found in many histories flown
apart. The truth is what moving the lever does at evaluation, drone by drone on the same draws. A
history misleads where both are sure and they point in opposite directions.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, mode, stdev

import numpy as np

from causarium.families.causalgame.evidence.flight_records import records
from causarium.families.causalgame.evidence.regression import slopes
from causarium.families.causalgame.mechanics.game import Design, Game
from causarium.families.causalgame.mechanics.noise import Draws
from causarium.families.causalgame.mechanics.simulate import fly_on
from causarium.seeds import entropy

HISTORIES = 16
ROWS = 1_500
FLEET = 30_000
CONFIDENCE = 0.99


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its standard error."""

    value: float
    error: float

    @property
    def sign(self) -> int:
        """Which way it goes: 1, -1, or 0 where that is not 99 % sure."""
        sure = abs(self.value) > NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * self.error
        return int(np.sign(self.value)) if sure else 0


@dataclass(frozen=True, slots=True)
class Reading:
    """One lever, as the records show it and as it is."""

    lever: str
    """A component, or `slot=option`."""
    slope: Estimate
    """What one unit more seems to be worth."""
    truth: Estimate
    """What moving it over the range that was flown does to survival at evaluation."""

    @property
    def misleads(self) -> bool:
        """Whether the records point the wrong way."""
        return self.slope.sign * self.truth.sign < 0


def readings(game: Game, *, seed: int = 0) -> tuple[Reading, ...]:
    """Compare what the records of a game say of each lever with what is true."""
    found: dict[str, list[float]] = {}
    for number in range(HISTORIES):
        kept = records(game, ROWS, entropy(seed, "readings", number))
        for lever, slope in slopes(kept).items():
            found.setdefault(lever, []).append(slope)
    draws = Draws(entropy(seed, "truth"), FLEET)
    return tuple(
        Reading(lever, _mean(values), _truth(game, lever, draws))
        for lever, values in found.items()
        if len(values) == HISTORIES
    )


def _mean(values: Sequence[float]) -> Estimate:
    return Estimate(fmean(values), stdev(values) / math.sqrt(len(values)))


def _truth(game: Game, lever: str, draws: Draws) -> Estimate:
    """Return the effect of a lever, all else as it was in the middle of what was flown."""
    low, high = _ends(game, lever)
    lost = np.zeros(draws.count)
    for design in low:
        lost += fly_on(game, design, draws, 2).survived / len(low)
    gain = fly_on(game, high, draws, 2).survived - lost
    return Estimate(float(gain.mean()), float(gain.std()) / math.sqrt(draws.count))


def _ends(game: Game, lever: str) -> tuple[list[Design], Design]:
    """Return the designs without the lever, and the one with it."""
    armour = [game.armour(recipe.design) for recipe in game.past.recipes]
    middle = {name: round(fmean(one[name] for one in armour)) for name in game.default}
    slot, _, option = lever.partition("=")
    if not option:
        points = [one[lever] for one in armour]
        usual = {name: mode(sorted(_fitted(game, name))) for name in _slots(game)}
        low, high = (
            Design(armour={**middle, lever: end}, equipment=usual)
            for end in (min(points), max(points))
        )
        return [low], high
    others = sorted(set(_fitted(game, slot)) - {option})
    fits = [Design(armour=middle, equipment={slot: other}) for other in (*others, option)]
    return fits[:-1], fits[-1]


def _slots(game: Game) -> list[str]:
    return sorted({slot for recipe in game.past.recipes for slot in recipe.design.equipment})


def _fitted(game: Game, slot: str) -> Iterator[str]:
    for recipe in game.past.recipes:
        if slot in recipe.design.equipment:
            yield recipe.design.equipment[slot]

"""Fleets flown on the same luck, with a cause held at one level after another.

What differs between two of them, drone by drone, is what the cause does.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from causarium.families.causalgame.model.published.game import Design, Game, Stage
from causarium.families.causalgame.model.published.laws import AntennaLaw, WeatherLaw, ZoneLaw
from causarium.families.causalgame.scoring.published.claims.claim_terms import Term

if TYPE_CHECKING:
    from causarium.families.causalgame.mechanics.published.flight_state import Column, Held
    from causarium.families.causalgame.mechanics.published.noise import Draws

FLEETS = (4_000, 16_000, 64_000)
"""How many drones are flown: more only where fewer leave it open."""
SHARE_MARGIN = 0.02
"""Shares that differ by less are taken to be the same."""
SPREAD_MARGIN = 0.05
"""Other numbers that differ by less than this part of their standard deviation likewise."""
_QUANTILES = (0.01, 0.25, 0.5, 0.75, 0.99)
_SEED = 0
_SLACK = 0.1
MOST_ARMOUR = 1_000

Setting = dict[str, "Held"]
Level = list[tuple[float, Setting]]
"""A mixture of interventions: weight and what is held."""


def stages(game: Game) -> tuple[Stage, ...]:
    """Return the stages that differ in what drones meet."""
    law = game.law
    if isinstance(law, AntennaLaw | WeatherLaw):
        shares = [law.storm_share]
    else:
        shares = [zone.share for zone in law.zones] if isinstance(law, ZoneLaw) else []
    return (1, 2) if any(first != second for first, second in shares) else (1,)


@lru_cache(maxsize=len(FLEETS))
def _luck(size: int) -> "Draws":
    from causarium.families.causalgame.mechanics.published.noise import Draws

    return Draws(_SEED, size)


class Trials:
    """Fleets of one size, flown on the same luck."""

    def __init__(self, game: Game, size: int) -> None:
        self.game = game
        self.size = size
        self._flown: dict[tuple[object, ...], dict[str, Column]] = {}

    def natural(self, stage: Stage) -> "dict[str, Column]":
        """Return every variable of a fleet that nobody interferes with."""
        return self.fly(stage, {})

    def fly(self, stage: Stage, held: Setting) -> "dict[str, Column]":
        """Return every variable of a fleet with some of them held."""
        from causarium.families.causalgame.mechanics.published.simulate import fly_on

        address = (stage, *((name, _address(held[name])) for name in sorted(held)))
        if address not in self._flown:
            setting = {name: self._of_its_kind(stage, name, value) for name, value in held.items()}
            flown = fly_on(self.game, Design(), _luck(self.size), stage, setting)
            self._flown[address] = dict(flown.columns)
        return self._flown[address]

    def allows(self, name: str, value: float | str) -> bool:
        """Return whether a variable can be held at a value: what occurs, and any sane armour.

        Agents name the value, and a fight of a million rounds would never end.
        """
        if isinstance(value, str):
            return True
        if self.game.variable(name).role == "lever":
            return 0 <= value <= MOST_ARMOUR
        met = [self.natural(stage)[name].astype(float) for stage in stages(self.game)]
        low, high = min(float(one.min()) for one in met), max(float(one.max()) for one in met)
        slack = _SLACK * (high - low)
        return low - slack <= value <= high + slack

    def _of_its_kind(self, stage: Stage, name: str, value: "Held") -> "Held":
        """Return a value as the equations have it: what is yes or no is no number."""
        natural = self.natural(stage)[name]
        return bool(value) if natural.dtype == bool and isinstance(value, float) else value

    def read_levels(self, stage: Stage, level: Level, of: Term) -> "Column":
        """Return a variable at one level of the cause, drone by drone."""
        import numpy as np

        parts = [weight * _read(self.fly(stage, held), of) for weight, held in level]
        whole: Column = np.sum(parts, axis=0)
        return whole

    def margin(self, stage: Stage, of: Term) -> float:
        """Return the difference from which on a variable counts as moved."""
        import numpy as np

        natural = _read(self.natural(stage), of)
        if bool(np.isin(natural, (0.0, 1.0)).all()):
            return SHARE_MARGIN
        return max(SPREAD_MARGIN * float(natural.std()), 1e-9)

    def difference(self, low: "Column", high: "Column") -> tuple[float, float]:
        """Return how much higher the second is, and the standard error of that."""
        apart = high - low
        return float(apart.mean()), float(apart.std()) / math.sqrt(self.size)


def _address(value: "Held") -> object:
    return value if isinstance(value, float | int | bool | str) else value.tobytes()


def _read(columns: "dict[str, Column]", of: Term) -> "Column":
    column = columns[of.variable.name]
    if of.value is not None:
        column = column == of.variable.values.index(of.value)
    column = column.astype(float)
    return 1 - column if of.flipped else column


def levels(trials: Trials, stage: Stage, cause: Term, held: Setting) -> list[Level]:
    """Return the levels at which a cause is held, lowest first."""
    import numpy as np

    name = cause.variable.name
    if cause.value is not None:
        without = [
            (weight, {**held, name: other})
            for weight, other in _list_other_values(trials, stage, cause)
        ]
        return [without, [(1.0, {**held, name: cause.value})]]
    if cause.variable.values:
        steps: Iterable[float | str] = cause.variable.values
    elif cause.variable.role == "lever":
        space = trials.game.space
        steps = dict.fromkeys(np.linspace(space.low, space.high, 5).round().tolist())
    else:
        met = [trials.natural(one)[name].astype(float) for one in stages(trials.game)]
        natural = np.concatenate(met)
        steps = dict.fromkeys(np.quantile(natural, _QUANTILES).tolist())
        if len(set(natural.tolist())) <= 2:
            steps = (0.0, 1.0)
    return [[(1.0, {**held, name: step})] for step in steps]


def _list_other_values(trials: Trials, stage: Stage, cause: Term) -> list[tuple[float, str]]:
    """Return what is there instead of one value: the default option, or the others."""
    name, values = cause.variable.name, cause.variable.values
    for slot in trials.game.slots:
        if slot.name == name and slot.default != cause.value:
            return [(1.0, slot.default)]
    natural = trials.natural(stage)[name]
    shares = {value: float((natural == code).mean()) for code, value in enumerate(values)}
    shares.pop(str(cause.value))
    whole = sum(shares.values())
    if not whole:
        return [(1 / len(shares), value) for value in shares]
    return [(share / whole, value) for value, share in shares.items() if share]

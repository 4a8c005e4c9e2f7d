"""What designs are worth: how many drones of one survive the evaluation, and how good that is.

All designs of a game are flown on the same luck, so that the best design scores exactly 1 and the
standard one exactly 0 on the scale between them.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from causarium.families.causalgame.mechanics.published.simulation_cache import Memo
from causarium.families.causalgame.model.published.game import Design, Game

if TYPE_CHECKING:
    from causarium.families.causalgame.mechanics.published.noise import Draws

FLEET = 20_000
"""How many drones measure a design: the standard error is a third of a point at most."""
LEAST_SPAN = 0.01
"""Where the optimum is nearer to the standard design than this, there is nothing to gain."""
_SEED = 1
_MEASURED: Memo[float] = Memo()


@dataclass(frozen=True, slots=True)
class Landmarks:
    """The designs that every other one is held against, by their survival."""

    default: float
    trap: float
    best: float

    def scale_survival(self, survival: float) -> float:
        """Return a survival on the scale on which the standard design is 0 and the best one 1.

        What is as good as the best known design, or better, is 1. It is nan in a game in which no
        design makes a difference.
        """
        span = self.best - self.default
        if span < LEAST_SPAN:
            return math.nan
        return min(1.0, (survival - self.default) / span)


def landmarks(game: Game) -> Landmarks:
    """Return a game's landmarks."""
    designs = (Design(), game.trap, game.best)
    return Landmarks(*(compute_survival(game, design) for design in designs))


def compute_survival(game: Game, design: Design) -> float:
    """Return the share of drones of a design that survive the evaluation."""
    said = design.model_dump_json()
    return _MEASURED.get_or_find(
        game, said, lambda: _simulate_survival(game, design), of_flights=True
    )


def _simulate_survival(game: Game, design: Design) -> float:
    from causarium.families.causalgame.mechanics.published.simulate import fly_on

    return float(fly_on(game, design, _luck(), 2).survived.mean())


@cache
def _luck() -> "Draws":
    from causarium.families.causalgame.mechanics.published.noise import Draws

    return Draws(_SEED, FLEET)

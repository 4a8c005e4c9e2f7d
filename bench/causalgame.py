"""CausalGame: a fleet of 1,000 drones in every published game, against one drone at a time.

The baseline (`bench.causalgame_scalar`) is the equations in plain Python, drone by drone, with a
dictionary of all structural variables for each, as one would write it; a loop that keeps no such
row would be faster. Ours leaves out what nobody reads: instruments on which nothing depends are
worked out when they are asked for. On a busy machine, in seconds of one core, the ratio was 35 in
`weather_noise`, 38 to 46 in the games of zones and 48 to 52 in the antenna games: the baseline is
that loop with a dictionary a drone, and against one without it the ratio is smaller.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from bench.causalgame_scalar import fly_scalar
from bench.measure import Measurement, rate
from causarium.families.causalgame.paper.mechanics import fly
from causarium.families.causalgame.paper.model.game import Game
from causarium.families.causalgame.paper.model.paper_games import NAMES, paper_game

FLEET = 1_000
ROUNDS = 21


def run() -> Iterator[Measurement]:
    for name in NAMES:
        game, rng = paper_game(name), Random(0)
        ours, scalar = _compared(partial(_fleet, game, rng), partial(_one_by_one, game, rng))
        yield Measurement(
            work=f"fleets of 1,000, against a dictionary a drone: {name}",
            unit="fleets/s",
            ours=ours,
            baseline=scalar,
            target="> 100 fleets/s (10 ms)",
        )


def _compared(ours: Callable[[], int], scalar: Callable[[], int]) -> tuple[float, float]:
    """Return both rates in the round with the middle ratio.

    A busy machine changes its pace from moment to moment, and a short round sees both at one pace.
    The seconds are those of one core, not of those who share it.
    """
    timed = partial(rate, seconds=0.05, clock=time.process_time)
    pairs = [(timed(ours), timed(scalar)) for _ in range(ROUNDS)]
    return sorted(pairs, key=lambda pair: pair[0] / pair[1])[ROUNDS // 2]


def _fleet(game: Game, rng: Random) -> int:
    fly(game, game.trap, FLEET, rng, 2)
    return 1


def _one_by_one(game: Game, rng: Random) -> int:
    fly_scalar(game, game.trap, FLEET, rng, 2)
    return 1

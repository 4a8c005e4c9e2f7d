"""CausalGame: a fleet of 1,000 drones in every published game, against one drone at a time.

Ours leaves out what nobody reads: instruments on which nothing depends are worked out when they are
asked for. The baseline fills its rows, as one would.
"""

from collections.abc import Iterator
from functools import partial
from random import Random

from bench.causalgame_scalar import fly_scalar
from bench.measure import Measurement, compare
from causarium.families.causalgame.games.description import Game
from causarium.families.causalgame.games.paper import NAMES, paper_game
from causarium.families.causalgame.games.simulate import fly

FLEET = 1_000


def run() -> Iterator[Measurement]:
    for name in NAMES:
        game, rng = paper_game(name), Random(0)
        # Short rounds, so that some of them find the machine idle.
        ours, scalar = compare(
            partial(_fleet, game, rng), partial(_one_by_one, game, rng), rounds=15, seconds=0.05
        )
        yield Measurement(
            work=f"fleets of 1,000: {name}",
            unit="fleets/s",
            ours=ours,
            baseline=scalar,
            target="> 100 fleets/s (10 ms), >= 50x",
        )


def _fleet(game: Game, rng: Random) -> int:
    fly(game, game.trap, FLEET, rng, 2)
    return 1


def _one_by_one(game: Game, rng: Random) -> int:
    fly_scalar(game, game.trap, FLEET, rng, 2)
    return 1

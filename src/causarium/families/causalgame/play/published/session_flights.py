"""The flights of a session: the same ones whenever the same is done at the same point.

What has been flown lately is kept, since scoring a session, replaying it and checking it all fly
the same flights again.
"""

from dataclasses import dataclass
from functools import lru_cache

from causarium.families.causalgame.mechanics.published.instruments import Sensed, sense
from causarium.families.causalgame.model.published.game import Design, Game
from causarium.seeds import stream

_KEPT = 512


@dataclass(frozen=True, slots=True, eq=False)
class _This:
    """One very game: games hold dictionaries and cannot be keys, but they cannot change either."""

    game: Game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _This) and self.game is other.game

    def __hash__(self) -> int:
        return id(self.game)


def fly_deployment(
    game: Game, session_seed: int, number: int, design: Design, count: int
) -> tuple[Sensed, ...]:
    """Return the flights of a session's deployment, which is its `number`-th, from 0."""
    return _fly_deployment(_This(game), session_seed, number, design.model_dump_json(), count)


@lru_cache(maxsize=_KEPT)
def _fly_deployment(
    this: _This, session_seed: int, number: int, design: str, count: int
) -> tuple[Sensed, ...]:
    from causarium.families.causalgame.mechanics.published.simulate import fly

    rng = stream(session_seed, "causalgame", "deployment", number)
    sent = Design.model_validate_json(design)
    return tuple(sense(this.game, sent, fly(this.game, sent, count, rng, 1), rng))


def fleet_survivors(game: Game, session_seed: int, design: Design) -> int:
    """Return how many drones of a session's fleet survive."""
    return _survivors(_This(game), session_seed, design.model_dump_json())


@lru_cache(maxsize=_KEPT)
def _survivors(this: _This, session_seed: int, design: str) -> int:
    from causarium.families.causalgame.mechanics.published.simulate import fly

    rng = stream(session_seed, "causalgame", "fleet")
    sent = Design.model_validate_json(design)
    return int(fly(this.game, sent, this.game.budget.fleet, rng, 2).survived.sum())

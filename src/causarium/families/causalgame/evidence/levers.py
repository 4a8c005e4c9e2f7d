"""Whether every lever that a game's story names moves something, drone by drone."""

import math
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from causarium.families.causalgame.mechanics.flight_state import Held
from causarium.families.causalgame.mechanics.game import Design, Game, Option, Slot, Stage
from causarium.families.causalgame.mechanics.noise import Draws
from causarium.families.causalgame.mechanics.simulate import fly_on, survival
from causarium.seeds import entropy

FLEET = 20_000
FLEETS = 6
"""An effect that one fleet leaves open is looked for in so many."""
CONFIDENCE = 0.99


def dead_options(game: Game, *, seed: int = 0) -> tuple[str, ...]:
    """Return the options, as `slot=option`, for which no effect on survival or noise is sure.

    Each is compared with its slot's default, on the standard design and on the best one.
    """
    dead = []
    for slot, option in _options(game):
        plain = slot.option(slot.default)
        quieter = option.effect.noise_factor != plain.effect.noise_factor and any(
            game.sensor.spread
        )
        if not quieter and not _matters(game, slot, option, seed):
            dead.append(f"{slot.name}={option.name}")
    return tuple(dead)


def dead_armour(game: Game, *, seed: int = 0) -> tuple[str, ...]:
    """Return the components whose armour has no sure effect on survival, between its bounds."""
    return tuple(
        part.name
        for part in game.components
        if not any(
            _differ(
                game,
                [
                    design.model_copy(update={"armour": {**design.armour, part.name: points}})
                    for points in (game.space.low, game.space.high)
                ],
                seed,
            )
            for design in (Design(), game.best)
        )
    )


def shift(game: Game, *, drones: int = 20_000, seed: int = 0) -> float:
    """Return how much worse the standard design fares at evaluation than in exploration."""
    explored, evaluated = (survival(game, Design(), drones, seed, stage).value for stage in (1, 2))
    return explored - evaluated


def sway(game: Game, design: Design, low: Held, high: Held, name: str, *, stage: Stage) -> float:
    """Return what setting a variable high rather than low does to the survival of a design."""
    shares = [survival(game, design, FLEET, 0, stage, {name: end}).value for end in (low, high)]
    return shares[1] - shares[0]


def _options(game: Game) -> Iterator[tuple[Slot, Option]]:
    for slot in game.slots:
        for option in slot.options:
            if slot.declared and option.name != slot.default:
                yield slot, option


def _matters(game: Game, slot: Slot, option: Option, seed: int) -> bool:
    return any(
        _differ(
            game,
            [
                design.model_copy(update={"equipment": {**design.equipment, slot.name: name}})
                for name in (slot.default, option.name)
            ],
            seed,
        )
        for design in (Design(), game.best)
    )


def _differ(game: Game, pair: list[Design], seed: int) -> bool:
    """Return whether two designs surely differ in survival, on fleets that grow as needed."""
    gains: list[float] = []
    squares: list[float] = []
    for number in range(FLEETS):
        draws = Draws(entropy(seed, "levers", number), FLEET)
        one, other = (fly_on(game, design, draws, 2).survived for design in pair)
        gain = one.astype(np.int64) - other
        gains.append(float(gain.sum()))
        squares.append(float((gain * gain).sum()))
        count = FLEET * len(gains)
        mean = sum(gains) / count
        error = math.sqrt((sum(squares) / count - mean * mean) / count)
        # Looking again and again finds something by chance; each look has to be the surer for it.
        least = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / FLEETS)
        if abs(mean) > least * error:
            return True
    return False

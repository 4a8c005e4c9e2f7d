"""Records of past flights in bulk, for proofs about what a history shows.

A session's own history is flown row by row in `history.py`; here the same recipes fly as many
rows as a proof needs, without the noise of instruments.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from causarium.families.causalgame.evidence.regression import Record
from causarium.families.causalgame.mechanics.flight_state import Flights
from causarium.families.causalgame.mechanics.game import Game, Recipe
from causarium.families.causalgame.mechanics.simulate import fly_recipe
from causarium.seeds import stream


@dataclass(frozen=True, slots=True)
class Flown:
    """The flights of one recipe."""

    recipe: Recipe
    flights: Flights


def fly_recipes(game: Game, rows: int, seed: int) -> Iterator[Flown]:
    """Fly about `rows` rows by the recipes of a game, each as often as it is used."""
    total = sum(recipe.weight for recipe in game.past.recipes)
    for number, recipe in enumerate(game.past.recipes):
        count = max(1, round(rows * recipe.weight / total))
        rng = stream(seed, "causalgame", "recipes", number)
        yield Flown(recipe, fly_recipe(game, recipe, count, rng))


def records(game: Game, rows: int, seed: int) -> list[Record]:
    """Fly about `rows` rows and return those that would be on record."""
    found: list[Record] = []
    for flown in fly_recipes(game, rows, seed):
        armour = game.armour(flown.recipe.design)
        alive, hits = flown.flights.survived, flown.flights.hit_count
        kept = np.flatnonzero(alive) if game.past.hide_failed else np.arange(flown.flights.count)
        found += [
            Record(
                armour=armour,
                equipment=flown.recipe.design.equipment,
                survived=bool(alive[index]),
                hits=float(hits[index]),
            )
            for index in kept
        ]
    return found

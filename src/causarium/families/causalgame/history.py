"""The flights from before the session: flown by the game's recipes, and filtered."""

from collections.abc import Sequence
from random import Random

from causarium.families.causalgame.games.description import Design, Game, Recipe
from causarium.families.causalgame.instance import RETURNED, Flight, PastFlight
from causarium.families.causalgame.sensing import Sensed, Sight, measured, sense
from causarium.seeds import stream

OPENING, SESSION = "INIT", "SESSION"
"""How the ids of flights begin, as published."""


def fly_past(game: Game, session_seed: int) -> tuple[PastFlight, ...]:
    """Fly the opening log of a session: every flight, with those on record marked.

    Ids are given to flights on record alone, so that no gap tells of the others.
    """
    turns = _turns(game.past.recipes)
    flown: dict[int, tuple[Recipe, Sensed]] = {}
    for number, recipe in enumerate(game.past.recipes):
        rows = [row for row in range(game.past.rows) if turns[row % len(turns)] == number]
        rng = stream(session_seed, "causalgame", "past", number)
        for row, sensed in zip(rows, _sensed(game, recipe, len(rows), rng), strict=True):
            flown[row] = (recipe, sensed)
    return _recorded(game, [flown[row] for row in range(game.past.rows)])


def _turns(recipes: Sequence[Recipe]) -> list[int]:
    return [number for number, recipe in enumerate(recipes) for _ in range(recipe.weight)]


def _sensed(game: Game, recipe: Recipe, count: int, rng: Random) -> list[Sensed]:
    from causarium.families.causalgame.games.simulate import fly

    if not count:
        return []
    flights = fly(game, recipe.design, count, rng, 1, dict(recipe.force))
    return list(sense(game, recipe.design, flights, rng))


def _recorded(game: Game, flown: Sequence[tuple[Recipe, Sensed]]) -> tuple[PastFlight, ...]:
    noisy = "history" in game.sensor.channels
    past: list[PastFlight] = []
    numbered = 0
    for recipe, sensed in flown:
        sight = sensed.read if noisy else sensed.exact
        on_record = not game.past.hide_failed or sight.status == RETURNED
        numbered += on_record
        id_ = f"{OPENING}-{numbered:03d}" if on_record else ""
        past.append(
            PastFlight(
                flight=record(game, recipe.design, sight, id_),
                on_record=on_record,
                survived=sensed.survived,
                hidden=found_of(game, sight),
            )
        )
    return tuple(past)


def record(game: Game, design: Design, sight: Sight, id_: str) -> Flight:
    """Return the record of one flight, with what is told of every flight from the start."""
    visible = [v.name for v in measured(game) if v.sight == "visible"]
    return Flight(
        id=id_,
        design=game.armour(design),
        equipment=dict(design.equipment),
        status=sight.status,
        hit_count=sight.hit_count,
        was_detected=sight.was_detected,
        environment={name: sight.readings[name] for name in visible},
    )


def found_of(game: Game, sight: Sight) -> dict[str, float | str]:
    """Return what the archive can tell of one flight."""
    hidden = [v.name for v in measured(game) if v.sight == "discoverable"]
    return {name: sight.readings[name] for name in hidden}

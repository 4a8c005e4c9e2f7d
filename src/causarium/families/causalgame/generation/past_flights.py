"""The flights from before the session: flown by the game's recipes, and filtered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from causarium.families.causalgame.mechanics.published.instruments import (
    Sensed,
    Sight,
    list_measured,
    sense,
)
from causarium.families.causalgame.model.instance import RETURNED, Flight, Reading
from causarium.families.causalgame.model.published.game import Design, Game, Recipe
from causarium.seeds import stream

OPENING, SESSION = "INIT", "SESSION"
"""How the ids of flights begin, as published."""


@dataclass(frozen=True, slots=True)
class PastFlight:
    """One flight from before the session, whether it is on record or not."""

    flight: Flight
    """As it is on record, or would be; its id is empty if it is not."""
    row: int
    """Its place among all that were flown, from 1."""
    survived: bool
    """Whether it really did."""
    found: dict[str, Reading]
    """What the archive can tell of it, by hidden variable."""

    @property
    def on_record(self) -> bool:
        """Whether anybody is shown it."""
        return bool(self.flight.id)


def fly_past(game: Game, session_seed: int) -> tuple[PastFlight, ...]:
    """Fly the opening log of a session: every flight, on record or not.

    Ids are given to flights on record alone, so that no gap tells of the others.
    """
    turns = _turns(game)
    flown: dict[int, tuple[Recipe, Sensed]] = {}
    for number, recipe in enumerate(game.past.recipes):
        rows = [row for row, turn in enumerate(turns) if turn == number]
        rng = stream(session_seed, "causalgame", "past", 0, number)
        for row, sensed in zip(rows, _fly_and_sense(game, recipe, len(rows), rng), strict=True):
            flown[row] = (recipe, sensed)
    return _record_flights(game, [flown[row] for row in range(game.past.rows)])


def _turns(game: Game) -> list[int]:
    """Return the recipe of each row."""
    once = [number for number, one in enumerate(game.past.recipes) for _ in range(one.weight)]
    return [once[row % len(once)] for row in range(game.past.rows)]


def _fly_and_sense(game: Game, recipe: Recipe, count: int, rng: Random) -> list[Sensed]:
    from causarium.families.causalgame.mechanics.published.simulate import fly_recipe

    if not count:
        return []
    flights = fly_recipe(game, recipe, count, rng)
    return list(sense(game, recipe.design, flights, rng))


def _record_flights(game: Game, flown: Sequence[tuple[Recipe, Sensed]]) -> tuple[PastFlight, ...]:
    clerk, noisy = Clerk.of(game), "history" in game.sensor.channels
    past: list[PastFlight] = []
    numbered = 0
    for row, (recipe, sensed) in enumerate(flown, 1):
        sight = sensed.read if noisy else sensed.exact
        on_record = not game.past.hide_failed or sight.status == RETURNED
        numbered += on_record
        id_ = f"{OPENING}-{numbered:03d}" if on_record else ""
        flight = clerk.record(recipe.design, sight, id_)
        past.append(PastFlight(flight, row, sensed.survived, clerk.look_up(sight)))
    return tuple(past)


@dataclass(frozen=True, slots=True)
class Clerk:
    """Writes flights of one game down."""

    game: Game
    visible: tuple[str, ...]
    """What is told of every flight from the start."""
    hidden: tuple[str, ...]
    """What the archive can tell."""

    @classmethod
    def of(cls, game: Game) -> "Clerk":
        """Return the clerk of a game."""
        known = list_measured(game)
        return cls(
            game,
            tuple(v.name for v in known if v.sight == "visible"),
            tuple(v.name for v in known if v.sight == "discoverable"),
        )

    def record(self, design: Design, sight: Sight, id_: str) -> Flight:
        """Return the record of one flight, with what is told of every flight from the start."""
        return self.records(design, ((sight, id_),))[0]

    def records(self, design: Design, flights: Iterable[tuple[Sight, str]]) -> list[Flight]:
        """Return the records of flights of one design, which they share."""
        armour = self.game.armour(design)
        # Not checked again: the values are right by construction, and there are thousands.
        return [
            Flight.model_construct(
                id=id_,
                design=armour,
                equipment=design.equipment,
                status=sight.status,
                hit_count=sight.hit_count,
                was_detected=sight.was_detected,
                environment={name: sight.readings[name] for name in self.visible},
            )
            for sight, id_ in flights
        ]

    def look_up(self, sight: Sight) -> dict[str, Reading]:
        """Return what the archive can tell of one flight."""
        return {name: sight.readings[name] for name in self.hidden}

"""Draw instances. One depends on its level, the seed and its index, and on nothing else.

Index i of a published game is its i-th session: other past flights, other luck, the same game.
Index i of a level of expeditions is another expedition altogether.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from causarium.contract.instance import Facet, Instance
from causarium.families.causalgame.generation.expeditions import draw_expedition
from causarium.families.causalgame.mechanics.published.instruments import (
    Sensed,
    Sight,
    list_measured,
    sense,
)
from causarium.families.causalgame.model.config import GameConfig
from causarium.families.causalgame.model.instance import (
    RETURNED,
    AnyGame,
    ComponentNote,
    Flight,
    GameInstance,
    GamePublic,
    GameSecret,
    OptionNote,
    Reading,
    SlotNote,
    VariableNote,
    by_edition,
)
from causarium.families.causalgame.model.published.game import Design, Game, Recipe, ZoneLaw
from causarium.seeds import entropy, stream

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


FAMILY_NAME = "causalgame"


def generate(config: GameConfig, seed: int, index: int) -> AnyGame:
    """Draw instance `index`: a session of the level's game, or an expedition.

    Args:
        config: The level.
        seed: The seed of the whole draw.
        index: Which instance of it.
    """
    address = (FAMILY_NAME, "session", config.edition, config.level, index)
    session_seed = entropy(seed, *address) % 2**63
    id_ = f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}"
    drawn = _draw(config, session_seed, id_)
    return AnyGame(id=drawn.id, public=drawn.public, secret=drawn.secret, facets=drawn.facets)


def _draw_expedition(config: GameConfig, session_seed: int, id_: str) -> Instance[Any, Any]:
    return draw_expedition(
        config.tier, config.legs, session_seed, id_, programs_fly=config.programs_fly
    )


def _draw_session(config: GameConfig, session_seed: int, id_: str) -> Instance[Any, Any]:
    # Importing the fourteen games builds them all; expeditions do without.
    from causarium.families.causalgame.model.published.paper_games import paper_game

    return session_of(paper_game(config.game or ""), session_seed, id_)


_draw = by_edition(_draw_session, _draw_expedition)


def session_of(game: Game, session_seed: int, id_: str) -> GameInstance:
    """Return one session of a game."""
    past = [one for one in fly_past(game, session_seed) if one.on_record]
    return GameInstance(
        id=id_,
        public=describe_game(game, tuple(one.flight for one in past)),
        secret=GameSecret(
            game=game,
            session_seed=session_seed,
            found=tuple(one.found for one in past),
            rows=tuple(one.row for one in past),
        ),
        facets=_facets(game),
    )


def describe_game(game: Game, history: tuple[Flight, ...]) -> GamePublic:
    """Return what an agent may know of a game before it acts.

    Args:
        game: The game.
        history: The flights on record from before the session.
    """
    known = list_measured(game)
    return GamePublic(
        setting="zone" if isinstance(game.law, ZoneLaw) else "weather",
        components=tuple(ComponentNote(name=c.name, default=c.armour) for c in game.components),
        lowest=game.space.low,
        highest=game.space.high,
        total=game.space.total,
        slots=tuple(
            SlotNote(
                name=slot.name,
                options=tuple(OptionNote(name=o.name, blurb=o.blurb) for o in slot.options),
                default=slot.default,
            )
            for slot in game.slots
            if slot.declared
        ),
        visible=tuple(
            VariableNote(name=v.name, about=v.about) for v in known if v.sight == "visible"
        ),
        budget=game.budget,
        threshold=game.threshold,
        history=history,
        shift_announced=game.kind == "zone_shift",
        noise_announced=False,
        queries_answered=any(v.sight == "discoverable" for v in known),
    )


def _facets(game: Game) -> dict[str, Facet]:
    return {
        "game": game.name,
        "kind": game.kind,
        "selection_bias": game.past.hide_failed,
        "history": game.past.rows > 0,
        "noise": any(game.sensor.spread),
        "shift": game.kind in {"zone_shift", "weather"},
    }

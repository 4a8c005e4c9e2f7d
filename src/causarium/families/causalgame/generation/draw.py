"""Draw instances. One depends on its level, the seed and its index, and on nothing else.

Index i of a published game is its i-th session: other past flights, other luck, the same game.
Index i of a level of expeditions is another expedition altogether.
"""

from typing import Any

from causarium.contract.instance import Facet, Instance
from causarium.families.causalgame.generation.expeditions import draw_expedition
from causarium.families.causalgame.generation.past_flights import fly_past
from causarium.families.causalgame.mechanics.published.instruments import list_measured
from causarium.families.causalgame.model.config import GameConfig
from causarium.families.causalgame.model.instance import (
    AnyGame,
    ComponentNote,
    Flight,
    GameInstance,
    GamePublic,
    GameSecret,
    OptionNote,
    SlotNote,
    VariableNote,
    choose_part,
)
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.model.published.laws import AntennaLaw, WeatherLaw, ZoneLaw
from causarium.seeds import entropy

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
    drawn = choose_part(config.edition, _draw_session, _draw_expedition)(config, session_seed, id_)
    return AnyGame(id=drawn.id, public=drawn.public, secret=drawn.secret, facets=drawn.facets)


def _draw_expedition(config: GameConfig, session_seed: int, id_: str) -> Instance[Any, Any]:
    return draw_expedition(
        config.tier, config.legs, session_seed, id_, programs_fly=config.programs_fly
    )


def _draw_session(config: GameConfig, session_seed: int, id_: str) -> Instance[Any, Any]:
    # Importing the fourteen games builds them all; expeditions do without.
    from causarium.families.causalgame.model.published.paper_games import paper_game

    return session_of(paper_game(config.game or ""), session_seed, id_)


def session_of(game: Game, session_seed: int, id_: str) -> GameInstance:
    """Return one session of a game."""
    past = [one for one in fly_past(game, session_seed) if one.on_record]
    return GameInstance(
        id=id_,
        public=_make_public(game, tuple(one.flight for one in past)),
        secret=GameSecret(
            game=game,
            session_seed=session_seed,
            found=tuple(one.found for one in past),
            rows=tuple(one.row for one in past),
        ),
        facets=_facets(game),
    )


def _make_public(game: Game, history: tuple[Flight, ...]) -> GamePublic:
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
        shift_announced=_shifts(game)
        and (game.edition == "certified" or game.kind == "zone_shift"),
        noise_announced=any(game.sensor.spread) and game.edition == "certified",
        queries_answered=any(v.sight == "discoverable" for v in known),
    )


def _shifts(game: Game) -> bool:
    """Whether the fleet meets another mix of conditions than the test flights."""
    law = game.law
    if isinstance(law, ZoneLaw):
        return any(zone.share[0] != zone.share[1] for zone in law.zones)
    if isinstance(law, AntennaLaw | WeatherLaw):
        return law.storm_share[0] != law.storm_share[1]
    return False


def _facets(game: Game) -> dict[str, Facet]:
    return {
        "game": game.name,
        "kind": game.kind,
        "selection_bias": game.past.hide_failed,
        "history": game.past.rows > 0,
        "noise": any(game.sensor.spread),
        "shift": _shifts(game),
    }

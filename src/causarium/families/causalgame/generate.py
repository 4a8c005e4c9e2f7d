"""Draw sessions. An instance depends on its level, the seed and its index, and on nothing else.

Index i of a named game is its i-th session: other past flights, other luck, the same game. Index i
of a `procedural` level is another game altogether.
"""

from causarium.contract.instance import Facet
from causarium.families.causalgame.config import NAMES, GameConfig
from causarium.families.causalgame.generation.past_flights import fly_past
from causarium.families.causalgame.instance import (
    ComponentNote,
    Flight,
    GameInstance,
    GamePublic,
    GameSecret,
    OptionNote,
    SlotNote,
    VariableNote,
)
from causarium.families.causalgame.mechanics.game import Game
from causarium.families.causalgame.mechanics.instruments import measured
from causarium.families.causalgame.mechanics.laws import AntennaLaw, WeatherLaw, ZoneLaw
from causarium.seeds import entropy

FAMILY_NAME = "causalgame"


def generate(config: GameConfig, seed: int, index: int) -> GameInstance:
    """Draw instance `index`: a session of the level's game, or of a game of its own."""
    return session_of(
        find_game(config, seed, index),
        entropy(seed, FAMILY_NAME, "session", config.edition, config.level, index) % 2**63,
        f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
    )


def session_of(game: Game, session_seed: int, id_: str) -> GameInstance:
    """Return one session of a game."""
    past = [one for one in fly_past(game, session_seed) if one.on_record]
    return GameInstance(
        id=id_,
        public=_public(game, tuple(one.flight for one in past)),
        secret=GameSecret(
            game=game,
            session_seed=session_seed,
            found=tuple(one.found for one in past),
            rows=tuple(one.row for one in past),
        ),
        facets=_facets(game),
    )


def find_game(config: GameConfig, seed: int, index: int) -> Game:
    """Return the game of an instance."""
    if config.kind is not None:
        from causarium.families.causalgame.generation.procedural_games import draw_game

        return draw_game(config.kind, seed, index)
    if config.edition == "paper":
        from causarium.families.causalgame.catalogue.paper_games import paper_game

        return paper_game(str(config.game))
    from causarium.families.causalgame.catalogue.certified_games import certified_game

    return certified_game(str(config.game))


def _public(game: Game, history: tuple[Flight, ...]) -> GamePublic:
    known = measured(game)
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
        "game": game.name if game.name in NAMES else f"drawn-{game.kind}",
        "kind": game.kind,
        "selection_bias": game.past.hide_failed,
        "history": game.past.rows > 0,
        "noise": any(game.sensor.spread),
        "shift": _shifts(game),
    }

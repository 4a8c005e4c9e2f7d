"""What is proven about one session of a game: that the game is sound, and what it is worth.

Most of it is proven of the game and holds for all its sessions, so it is found once and kept. The
published games are put to the same questions and fail some of them; the certificate says which.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from causarium.contract.certificate import Findings, Proof
from causarium.families.causalgame.generation.past_flights import fly_past
from causarium.families.causalgame.instance import RETURNED, GameInstance
from causarium.families.causalgame.interface.archive_questions import interpret
from causarium.families.causalgame.mechanics.game import Channel, Design, Game, Past
from causarium.families.causalgame.mechanics.laws import WeatherLaw, ZoneLaw
from causarium.families.causalgame.mechanics.simulation_cache import Memo
from causarium.scoring.intervals import Interval
from causarium.seeds import entropy

if TYPE_CHECKING:
    from causarium.families.causalgame.evidence.standings import Standing

LEAST_MARGIN, MOST_MARGIN = 0.05, 0.08
"""The threshold lies between these distances below the optimum."""
LEAST_LOSS = 0.10
"""The standard design and the trap miss the threshold by at least this."""
SLACK = 0.01
"""A second search may find a design that is better by no more than this."""
CHANNELS: frozenset[Channel] = frozenset({"rows", "counts", "environment", "history"})
CONFOUNDERS = ("is_storm", "mission_zone")
"""What decides the conditions of a flight, by the name that the equations have for it."""
QUESTIONS = {
    "storm": ("What was the weather like?", "Was there a storm?"),
    "zone": ("Which zone did each drone fly to?", "Where were the drones sent, to what area?"),
}
"""What anybody might ask of the archive, in a region of weather and in one of zones."""
MISLEADING = ("high_def", "local_optima")
"""Games with such an ending promise that their history misleads a regression."""


@dataclass(frozen=True, slots=True)
class _Engine:
    """What holds of all games that share their mechanics."""

    standings: "dict[str, Standing]"
    proofs: tuple[Proof, ...]


_KEPT: Memo[Findings] = Memo(most=200)
_ENGINES: Memo[_Engine] = Memo(most=200)


def certify(instance: GameInstance) -> Findings:
    """Prove a session's game sound, and measure what can be reached in it."""
    game = instance.secret.game
    found = _KEPT.of(game, "certify", lambda: certify_game(game))
    proofs = (*found.proofs, *_session_proofs(instance))
    return found.model_copy(update={"proofs": proofs})


def certify_game(game: Game) -> Findings:
    """Prove what holds in all sessions of a game, and measure what can be reached in it."""
    from causarium.families.causalgame.evidence.standings import policy_standing

    engine = _ENGINES.of(_nameless(game), "certify", lambda: _certify_engine(_nameless(game)))
    regression = policy_standing(game, partial(_regression, game))
    measured = {**engine.standings, "regression": regression}
    shares = {name: standing.survival for name, standing in measured.items()}
    proofs = (
        *_space_proofs(game),
        *engine.proofs,
        *_history_proofs(game, regression.survival),
        *_sight_proofs(game),
    )
    return Findings(
        optimum=shares["optimum"].value,
        proofs=proofs,
        extra={
            "game": game.name,
            "threshold": game.threshold,
            "best": game.best.model_dump(mode="json"),
            "survival": {name: _plain(share) for name, share in shares.items()},
            "win": {name: _plain(standing.win) for name, standing in measured.items()},
        },
    )


def _nameless(game: Game) -> Game:
    """Return a game without its name and its past, which the engine does not know."""
    return game.model_copy(update={"name": "", "past": Past()})


def _certify_engine(game: Game) -> _Engine:
    from causarium.families.causalgame.evidence import exploration
    from causarium.families.causalgame.evidence.standings import standings

    policies = {"random_search": exploration.random_search, "one_factor": exploration.one_factor}
    found = standings(game, policies)
    shares = {name: standing.survival for name, standing in found.items()}
    return _Engine(found, (*_threshold_proofs(game, shares), *_lever_proofs(game)))


def _plain(interval: Interval) -> dict[str, Any]:
    return {
        "value": round(interval.value, 4),
        "low": round(interval.low, 4),
        "high": round(interval.high, 4),
    }


def _regression(game: Game, number: int) -> Design:
    """Return what a regression on the history of one session would submit."""
    from causarium.families.causalgame.evidence.regression import Record, recommend

    past = fly_past(game, entropy(number, "certify", "regression") % 2**63)
    flights = [one.flight for one in past if one.on_record]
    records = [
        Record(one.design, one.equipment, one.status == RETURNED, one.hit_count) for one in flights
    ]
    return recommend(records, game.space)


def _space_proofs(game: Game) -> Iterator[Proof]:
    from causarium.families.causalgame.evidence.best_design import is_legal

    flown = [recipe.design for recipe in game.past.recipes]
    yield Proof(
        claim="the action space is enforced, and the optimum, the standard design, the trap and "
        "all past designs lie inside it",
        method="inspection",
        holds=not game.has("bounds_unchecked")
        and all(is_legal(game, one) for one in (Design(), game.best, game.trap, *flown)),
    )


def _threshold_proofs(game: Game, shares: dict[str, Interval]) -> Iterator[Proof]:
    from causarium.families.causalgame.evidence.best_design import QUICK, best_design

    best, goal = shares["optimum"], game.threshold
    again = best_design(game, effort=QUICK, seed=1)
    yield Proof(
        claim=f"a second search finds nothing that beats the optimum by {100 * SLACK:g} point",
        method="search on other draws",
        holds=again.survival.value <= best.value + SLACK,
    )
    yield Proof(
        claim=f"the threshold lies {100 * LEAST_MARGIN:g} to {100 * MOST_MARGIN:g} points below "
        "the optimum",
        method="simulation",
        holds=best.low - goal >= LEAST_MARGIN and best.high - goal <= MOST_MARGIN,
    )
    for name in ("default", "trap"):
        yield Proof(
            claim=f"the {name} design misses the threshold by {100 * LEAST_LOSS:g} points or more",
            method="simulation",
            holds=shares[name].high <= goal - LEAST_LOSS,
        )


def _lever_proofs(game: Game) -> Iterator[Proof]:
    from causarium.families.causalgame.evidence.levers import dead_armour, dead_options, shift

    yield Proof(
        claim="every option of every slot moves survival or noise, every component's armour "
        "moves survival, and no published oddity is switched on",
        method="paired fleets, 99 % sure",
        holds=not game.quirks and not dead_options(game) and not dead_armour(game),
    )
    if _announces_shift(game):
        yield Proof(
            claim="the shift of conditions at evaluation costs the standard design 5 points",
            method="simulation",
            holds=shift(game) >= LEAST_MARGIN,
        )


def _announces_shift(game: Game) -> bool:
    law = game.law
    if isinstance(law, ZoneLaw):
        return any(zone.share[0] != zone.share[1] for zone in law.zones)
    return isinstance(law, WeatherLaw) and law.storm_share[0] != law.storm_share[1]


def _history_proofs(game: Game, regression: Interval) -> Iterator[Proof]:
    from causarium.families.causalgame.evidence.best_design import best_flown
    from causarium.families.causalgame.evidence.misleading import readings
    from causarium.families.causalgame.evidence.paradox import CONFIDENCE, recipe_rows, reverses

    paradox = game.past.paradox
    if game.name.endswith("simpsons_paradox") or paradox is not None:
        yield Proof(
            claim="over all past flights the lever of the paradox points one way, and in every "
            "group the other way",
            method="flown recipes, 99 % sure",
            holds=paradox is not None
            and reverses(recipe_rows(game, paradox), confidence=CONFIDENCE),
        )
    if game.name.endswith("local_optima"):
        yield Proof(
            claim="no design within what was flown, part by part, reaches the threshold",
            method="search",
            holds=best_flown(game).survival.high < game.threshold,
        )
    if game.name.endswith(MISLEADING) or (game.tale and game.kind != "zone_shift"):
        wrong = [reading.lever for reading in readings(game) if reading.misleads]
        yield Proof(
            claim="a regression on the history gets the sign of a lever wrong, and loses",
            method="flown recipes against interventions, 99 % sure",
            holds=bool(wrong) and regression.high < game.threshold,
        )


def _sight_proofs(game: Game) -> Iterator[Proof]:
    kept = [one for one in game.variables if one.sight == "discoverable"]
    confounder = next((one.name for one in game.variables if one.key in CONFOUNDERS), "")
    yield Proof(
        claim="a plain question to the archive finds the hidden confounder, which then is data",
        method="asking the archive's reader",
        holds=all(
            confounder in interpret(question, kept)
            for question in QUESTIONS["zone" if isinstance(game.law, ZoneLaw) else "storm"]
        ),
    )
    if any(game.sensor.spread):
        yield Proof(
            claim="noise reaches every channel that the agent can read",
            method="inspection",
            holds=not game.has("noise_on_rows") and set(game.sensor.channels) >= CHANNELS,
        )
    if game.name.endswith("no_selection_bias"):
        yield Proof(
            claim="the game differs from its sibling by the selection bias alone",
            method="comparison of descriptions",
            holds=_only_unbiased(game),
        )


def _only_unbiased(game: Game) -> bool:
    from causarium.families.causalgame.catalogue.certified_games import certified_game
    from causarium.families.causalgame.catalogue.paper_games import paper_game

    find = paper_game if game.edition == "paper" else certified_game
    sibling = find(game.name.removesuffix("_no_selection_bias"))
    biased = game.past.model_copy(update={"hide_failed": True})
    return game.model_copy(update={"name": sibling.name, "past": biased}) == sibling


def _session_proofs(instance: GameInstance) -> Iterator[Proof]:
    from causarium.families.causalgame.evidence.paradox import reverses

    game, seed = instance.secret.game, instance.secret.session_seed
    paradox = game.past.paradox
    if paradox is not None:
        yield Proof(
            claim="the history of this session shows the reversal",
            method="counting",
            holds=reverses(
                (one.flight.design[paradox.lever], one.found[paradox.group], one.survived)
                for one in fly_past(game, seed)
            ),
        )

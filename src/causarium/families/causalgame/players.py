"""Who plays CausalGame without a model.

Players that see what an agent sees explore by a policy (`exploration.py`) and submit what did best.
The default and the regression submit after a single test flight, because a submission has to be
preceded by one. The trap and the oracle know the game.
"""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from causarium.families.causalgame.actions import Deploy, Report, Submit
from causarium.families.causalgame.instance import RETURNED, GameInstance, GamePublic, GameSecret
from causarium.families.causalgame.interface.claims import MOST_CLAIMS, Claim
from causarium.families.causalgame.interface.design_input import SUFFIX
from causarium.families.causalgame.mechanics.game import Design, Game, Space
from causarium.players.silent import SILENT

if TYPE_CHECKING:
    from causarium.families.causalgame.evidence.search_policies import Offer, Policy

GamePlayer = Player[GamePublic, GameSecret]


def offer_of(public: GamePublic) -> "Offer":
    """Return what an agent of this session may choose from."""
    from causarium.families.causalgame.evidence.search_policies import Offer

    options = {
        slot.name: tuple(sorted((one.name for one in slot.options), key=slot.default.__ne__))
        for slot in public.slots
    }
    return Offer(public.defaults, _space(public), options, public.budget)


def _space(public: GamePublic) -> Space:
    return Space(low=public.lowest, high=public.highest, total=public.total)


def _deploy(design: Design, count: int) -> Deploy:
    return Deploy(
        thought="A trial, to see how many come back.",
        design=_keyed(design),
        equipment={**design.equipment},
        count=count,
    )


def _keyed(design: Design) -> dict[str, int]:
    return {f"{name}{SUFFIX}": points for name, points in design.armour.items()}


def _came_back(seen: Observation) -> float:
    """Return the share that came back, as the deployment says."""
    deployed, survived = seen.data.get("deployed"), seen.data.get("survived")
    if isinstance(deployed, int) and isinstance(survived, int) and deployed:
        return survived / deployed
    return 0.0


def _finish(design: Design, claims: tuple[Claim, ...] = ()) -> Moves:
    yield Submit(
        thought="Nothing better was found.",
        design=_keyed(design),
        equipment={**design.equipment},
        claims=claims,
    )
    text = f"The fleet flew with {_keyed(design)} and {design.equipment}."
    yield Report(text=text, claims=claims)


def _committed(design: Design, claims: tuple[Claim, ...] = ()) -> Moves:
    """Test one drone, as one has to, and submit."""
    yield _deploy(design, 1)
    yield from _finish(design, claims)


def _explorer(about: str, name: str) -> GamePlayer:
    """Return the player who explores by the policy called `name`."""

    def plan(public: GamePublic, _rules: Rules, rng: Random) -> Moves:

        from causarium.families.causalgame.evidence import exploration

        policy: Policy = getattr(exploration, name)
        exploring = policy(offer_of(public), rng)
        try:
            trial = next(exploring)
            while True:
                seen = yield _deploy(trial.design, trial.count)
                trial = exploring.send(_came_back(seen))
        except StopIteration as end:
            design: Design = end.value
        yield from _finish(design)

    return Player(about=about, moves=plan)


def _insider(about: str, choose: Callable[[Game], Design], *, golden: bool) -> GamePlayer:
    """Return the player who knows the game, submits a design of it and holds ideas about it."""

    def plan(instance: GameInstance, rules: Rules, _rng: Random) -> Moves:
        from causarium.families.causalgame.scoring.target_ideas import claims_of

        game = instance.secret.game
        asked = getattr(rules, "claims", False)
        held = claims_of(game, golden=golden)[:MOST_CLAIMS] if asked else ()
        return _committed(choose(game), held)

    return Player(about=about, moves_from_truth=plan)


def _default(_public: GamePublic, _rules: Rules, _rng: Random) -> Moves:
    return _committed(Design())


def _guess(public: GamePublic, _rules: Rules, rng: Random) -> Moves:
    from causarium.families.causalgame.evidence.exploration import guess

    return _committed(guess(offer_of(public), rng))


def _regression(public: GamePublic, _rules: Rules, _rng: Random) -> Moves:
    from causarium.families.causalgame.evidence.regression import Record, recommend

    records = [
        Record(flight.design, flight.equipment, flight.status == RETURNED, flight.hit_count)
        for flight in public.history
    ]
    return _committed(recommend(records, _space(public)))


PLAYERS: dict[str, GamePlayer] = {
    "oracle": _insider("Submits the best design known.", lambda game: game.best, golden=True),
    "bayesian": _explorer(
        "Bayesian optimisation over designs (tree-structured Parzen estimators, by optuna).",
        "bayesian",
    ),
    "one_factor": _explorer("Changes one thing at a time, keeps the best batch.", "one_factor"),
    "grid": _explorer("Crosses equipment with armour on bare parts.", "grid"),
    "random": _explorer("Tries random designs, keeps the best batch.", "random_search"),
    "regression": Player(
        about="Submits what a regression on the opening history recommends.", moves=_regression
    ),
    "guess": Player(about="Submits one random design.", moves=_guess, ignores_input=True),
    "default": Player(about="Submits the default design.", moves=_default, ignores_input=True),
    "trap": _insider("Submits what the story tempts one to.", lambda game: game.trap, golden=False),
    "silent": SILENT,
}

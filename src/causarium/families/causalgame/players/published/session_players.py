"""How players play a session of a published game: explore, submit, report."""

from collections.abc import Callable
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from causarium.families.causalgame.evidence.regression import Record, recommend
from causarium.families.causalgame.model.actions import Deploy, Report, Submit
from causarium.families.causalgame.model.instance import RETURNED, GameInstance, GamePublic
from causarium.families.causalgame.model.published.claims import MOST_CLAIMS, Claim
from causarium.families.causalgame.model.published.game import Design, Space
from causarium.families.causalgame.play.published.design_input import SUFFIX
from causarium.families.causalgame.players.published.offers import (
    Choice,
    Offer,
    Outcome,
    Policy,
    default_choice,
    guess,
)
from causarium.families.causalgame.scoring.published.claims.target_ideas import claims_of


def offer_session(public: GamePublic) -> Offer:
    """Return what a published game offers, as policies see it."""
    budget = public.budget
    return Offer(
        default=tuple(public.defaults.values()),
        low=public.lowest,
        high=public.highest,
        total=public.total,
        options=tuple(len(slot.options) for slot in public.slots),
        deployments=budget.deployments,
        drones=budget.drones,
        per_deployment=budget.per_deployment,
    )


def name_design(public: GamePublic, choice: Choice) -> Design:
    """Return a design of a published game in its names, the default option of a slot first."""
    if choice.armour == tuple(public.defaults.values()) and not any(choice.options):
        return Design()
    equipment = {}
    for slot, option in zip(public.slots, choice.options, strict=True):
        names = sorted((one.name for one in slot.options), key=slot.default.__ne__)
        equipment[slot.name] = names[option]
    return Design(armour=dict(zip(public.names, choice.armour, strict=True)), equipment=equipment)


def play_session(public: GamePublic, policy: Policy, rng: Random) -> Moves:
    """Explore by a policy, then submit what it recommends."""
    exploring = policy(offer_session(public), rng)
    try:
        trial = next(exploring)
        while True:
            seen = yield deploy_design(name_design(public, trial.design), trial.count)
            trial = exploring.send(Outcome(share_returned(seen)))
    except StopIteration as end:
        design: Choice = end.value
    yield from submit_design(name_design(public, design))


def deploy_design(design: Design, count: int) -> Deploy:
    """Return the test of a design."""
    return Deploy(
        thought="A trial, to see how many come back.",
        design=key_points(design),
        equipment={**design.equipment},
        count=count,
    )


def key_points(design: Design) -> dict[str, int]:
    """Return a design's armour under the names that actions use."""
    return {f"{name}{SUFFIX}": points for name, points in design.armour.items()}


def share_returned(seen: Observation) -> float:
    """Return the share that came back, as the deployment says."""
    deployed, survived = seen.data.get("deployed"), seen.data.get("survived")
    if isinstance(deployed, int) and isinstance(survived, int) and deployed:
        return survived / deployed
    return 0.0


def submit_design(design: Design, claims: tuple[Claim, ...] = ()) -> Moves:
    """Submit a design, and report on it."""
    yield Submit(
        thought="Nothing better was found.",
        design=key_points(design),
        equipment={**design.equipment},
        claims=claims,
    )
    text = f"The fleet flew with {key_points(design)} and {design.equipment}."
    yield Report(text=text, claims=claims)


def commit_at_once(design: Design, claims: tuple[Claim, ...] = ()) -> Moves:
    """Test one drone, as one has to, and submit."""
    yield deploy_design(design, 1)
    yield from submit_design(design, claims)


POLICIES: dict[str, tuple[str, bool]] = {
    "screening": ("Screens, and follows the main effects on counts.", False),
    "bayesian": ("Bayesian optimisation over designs, by a Gaussian process.", False),
    "halving": ("Tries seven designs, and the better ones again with more drones.", False),
    "grid": ("Crosses equipment with armour.", False),
    "random": ("Tries random designs, keeps the best batch; on expeditions tosses coins.", False),
    "regression": ("Regresses survival on the design alone, on the opening history.", False),
    "guess": ("Submits one random design.", True),
    "default": ("Submits the standard design.", True),
}
"""Players by name: what each does, and whether it answers without looking."""


def play_policy(name: str) -> Callable[[GamePublic, Rules, Random], Moves]:
    """Return how the player of this name plays a published game."""

    def make_moves(public: GamePublic, rules: Rules, rng: Random) -> Moves:
        del rules
        if name == "regression":
            return _regress(public)
        if name in {"guess", "default"}:
            offer = offer_session(public)
            chosen = guess(offer, rng) if name == "guess" else default_choice(offer)
            return commit_at_once(name_design(public, chosen))
        # The searches need numpy; whoever only lists players does without.
        from causarium.families.causalgame.players.published import searches

        policies: dict[str, Policy] = {
            "screening": searches.screening,
            "bayesian": searches.bayesian,
            "halving": searches.halving,
            "grid": searches.grid,
            "random": searches.random_search,
        }
        return play_session(public, policies[name], rng)

    return make_moves


def _regress(public: GamePublic) -> Moves:
    records = [
        Record(flight.design, flight.equipment, flight.status == RETURNED, flight.hit_count)
        for flight in public.history
    ]
    space = Space(low=public.lowest, high=public.highest, total=public.total)
    return commit_at_once(recommend(records, space))


def play_insider(instance: GameInstance, rules: Rules, rng: Random, *, right: bool) -> Moves:
    """Submit the best design of a game, or its trap, with the claims that go with it.

    Args:
        instance: The session.
        rules: The rules it is played by.
        rng: Not used.
        right: Whether the best design is submitted.
    """
    del rng
    game = instance.secret.game
    asked = getattr(rules, "claims", False)
    held = claims_of(game, golden=right)[:MOST_CLAIMS] if asked else ()
    return commit_at_once(game.best if right else game.trap, held)

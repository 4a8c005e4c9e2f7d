"""How players move in a session of a published game: explore, submit, report."""

from random import Random

from causarium.contract.player import Moves
from causarium.contract.world import Observation
from causarium.families.causalgame.actions import Deploy, Report, Submit
from causarium.families.causalgame.instance import GamePublic
from causarium.families.causalgame.interface.claims import Claim
from causarium.families.causalgame.interface.design_input import SUFFIX
from causarium.families.causalgame.mechanics.game import Design
from causarium.families.causalgame.strategies.offers import Choice, Offer, Outcome, Policy


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

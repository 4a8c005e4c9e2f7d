"""Who plays published games without a model: what may be chosen, ways to look for it, and sessions.

Designs are vectors here: armour by part and the number of an option by slot, 0 the default one. A
policy is a generator: it yields trials, is sent what came of each, and returns the design that it
would submit. The regression is the analyst whom misleading records mislead: it takes what was
fitted for what works, and asks neither which flights are missing nor what else differed.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from causarium.families.causalgame.model.actions import Deploy, Report, Submit
from causarium.families.causalgame.model.instance import RETURNED, GameInstance, GamePublic
from causarium.families.causalgame.model.published.claims import MOST_CLAIMS, Claim
from causarium.families.causalgame.model.published.game import Design, Space
from causarium.families.causalgame.play.published.game_session import SUFFIX
from causarium.families.causalgame.scoring.published.ideas import claims_of


@dataclass(frozen=True, slots=True)
class Offer:
    """What an agent may choose from."""

    default: tuple[int, ...]
    """Armour by part when a design says nothing."""
    low: int
    high: int
    total: int
    options: tuple[int, ...]
    """How many options each slot has."""
    deployments: int
    drones: int
    per_deployment: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A design."""

    armour: tuple[int, ...]
    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """Drones to be deployed."""

    design: Choice
    count: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a trial."""

    rate: float
    """The share that came back."""


Exploring: TypeAlias = Generator[Trial, Outcome, Choice]
Policy: TypeAlias = Callable[[Offer, Random], Exploring]


def default_choice(offer: Offer) -> Choice:
    """Return the standard design."""
    return Choice(offer.default, (0,) * len(offer.options))


def share_total(offer: Offer, shares: Sequence[float]) -> tuple[int, ...]:
    """Return the whole total in these proportions; what a part cannot carry is left out.

    Example:
        >>> offer = Offer((5, 5), 0, 50, 9, (), 1, 1, 1)
        >>> share_total(offer, [2.0, 1.0])
        (6, 3)
    """
    total = offer.total - offer.low * len(offer.default)
    exact = [total * share / (sum(shares) or 1.0) for share in shares]
    whole = [int(points) for points in exact]
    by_rest = sorted(range(len(whole)), key=lambda part: whole[part] - exact[part])
    for part in by_rest[: round(sum(exact)) - sum(whole)]:
        whole[part] += 1
    return tuple(min(offer.high, offer.low + points) for points in whole)


def guess(offer: Offer, rng: Random) -> Choice:
    """Draw a design: every way of splitting the total between the parts is as likely."""
    options = tuple(rng.choice(range(count)) for count in offer.options)
    return Choice(share_total(offer, [rng.expovariate(1.0) for _ in offer.default]), options)


def count_trials(offer: Offer) -> int:
    """Return how many designs can be tried."""
    return max(1, min(offer.deployments, offer.drones))


def drones_each(offer: Offer, tried: int) -> int:
    """Return how many drones each of so many trials gets."""
    return max(1, min(offer.per_deployment, offer.drones // tried))


GRID_ARMOUR = 30
"""Crosswise: what a part that is bare by default is given."""
Floats = NDArray[np.float64]


def random_search(offer: Offer, rng: Random) -> Exploring:
    """Try random designs and submit the one that did best."""
    designs = [guess(offer, rng) for _ in range(count_trials(offer))]
    return (yield from _best_of(designs, offer, rng))


def grid(offer: Offer, rng: Random) -> Exploring:
    """Cross options with armour on the bare parts."""
    bare = [part for part, points in enumerate(offer.default) if points == 0]
    designs = _cross_largest_slot(offer, bare)
    return (yield from _best_of(designs[: count_trials(offer)], offer, rng))


def _cross_largest_slot(offer: Offer, bare: list[int]) -> list[Choice]:
    standard = default_choice(offer)
    largest = max(range(len(offer.options)), key=lambda slot: offer.options[slot], default=None)
    options = [standard.options]
    if largest is not None:
        options = [
            tuple(number if slot == largest else 0 for slot in range(len(offer.options)))
            for number in range(offer.options[largest])
        ]
    armours = [standard.armour]
    if bare:
        armours.append(afford(offer, dict.fromkeys(bare, GRID_ARMOUR)))
    return [Choice(armour, chosen) for chosen in options for armour in armours]


def afford(offer: Offer, wanted: dict[int, int]) -> tuple[int, ...]:
    """Return armour with some of it as wanted, paid for by the parts that have most.

    When the others have nothing left, what is wanted is cut.
    """
    armour = list(offer.default)
    for part, points in wanted.items():
        armour[part] = min(offer.high, points)
    while sum(armour) > offer.total:
        others = [
            part for part, points in enumerate(armour) if part not in wanted and points > offer.low
        ]
        armour[max(others or wanted, key=lambda part: armour[part])] -= 1
    return tuple(armour)


def _best_of(designs: list[Choice], offer: Offer, rng: Random) -> Exploring:
    each = drones_each(offer, len(designs))
    best, submitted = -1.0, default_choice(offer)
    # The first of equals is kept, so that the order has to be one of chance.
    for design in rng.sample(designs, len(designs)):
        outcome = yield Trial(design, each)
        if outcome.rate > best:
            best, submitted = outcome.rate, design
    return submitted


RIDGE = 1.0
"""How many rows' worth of doubt each standardised coefficient is met with."""


@dataclass(frozen=True, slots=True)
class Record:
    """One flight on record."""

    armour: Mapping[str, int]
    equipment: Mapping[str, str]
    survived: bool
    hits: float


def outcome(records: Sequence[Record]) -> NDArray[np.float64]:
    """Return what the regression explains: survival where it varies, and otherwise few hits."""
    alive = np.array([float(record.survived) for record in records])
    return alive if np.ptp(alive) > 0 else -np.array([record.hits for record in records])


def slopes(records: Sequence[Record]) -> dict[str, float]:
    """Return what one more unit of each lever that varies seems to be worth.

    Levers are components, and equipment as `slot=option`.
    """
    levers = _levers(records)
    if not levers:
        return {}
    table = np.array(list(levers.values())).T
    spread = table.std(axis=0)
    scaled = (table - table.mean(axis=0)) / spread
    wanted = outcome(records)
    gram = scaled.T @ scaled + RIDGE * np.eye(len(levers))
    found = np.linalg.solve(gram, scaled.T @ (wanted - wanted.mean())) / spread
    return dict(zip(levers, (float(slope) for slope in found), strict=True))


def recommend(records: Sequence[Record], space: Space) -> Design:
    """Return the design that the regression thinks best, within what was flown."""
    if not records:
        return Design()
    worth = slopes(records)
    flown = {name: [record.armour[name] for record in records] for name in records[0].armour}
    armour = {
        name: max(points) if worth.get(name, 0.0) > 0 else min(points)
        for name, points in flown.items()
    }
    # Over the total: what seems worth least goes first.
    for name in sorted(armour, key=lambda name: worth.get(name, 0.0)):
        excess = sum(armour.values()) - space.total
        armour[name] -= max(0, min(excess, armour[name] - min(flown[name])))
    return Design(armour=armour, equipment=_equipment(records, worth))


def _levers(records: Sequence[Record]) -> dict[str, list[float]]:
    """Return the column of every lever that differs between records."""
    columns: dict[str, list[float]] = {}
    for name in records[0].armour if records else ():
        columns[name] = [float(record.armour[name]) for record in records]
    for slot, option in sorted({item for record in records for item in record.equipment.items()}):
        columns[f"{slot}={option}"] = [
            float(record.equipment.get(slot) == option) for record in records
        ]
    return {name: column for name, column in columns.items() if len(set(column)) > 1}


def _equipment(records: Sequence[Record], worth: Mapping[str, float]) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for slot, option in sorted({item for record in records for item in record.equipment.items()}):
        value = worth.get(f"{slot}={option}", 0.0)
        if slot not in chosen or value > worth.get(f"{slot}={chosen[slot]}", 0.0):
            chosen[slot] = option
    return chosen


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
        return play_session(public, grid if name == "grid" else random_search, rng)

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

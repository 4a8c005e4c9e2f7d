"""Ways of exploring that players have: by chance, one thing at a time, crosswise, by a surrogate.

Each is a policy (`games/policies.py`): it yields trials, is sent the share that came back, and
returns the design that it would submit. They try as many designs as there are deployments, with an
equal share of the drones each.
"""

from collections.abc import Generator, Sequence
from random import Random
from typing import Any

from causarium.errors import MissingExtra
from causarium.families.causalgame.evidence.search_policies import Offer, Trial
from causarium.families.causalgame.mechanics.game import Design

Exploring = Generator[Trial, float, Design]

RAISED = 10
"""One thing at a time: a light part is raised to twice its armour, and to this at least."""
GRID_ARMOUR = 30
"""Crosswise: what a part that is bare by default is given."""


def split(offer: Offer, rng: Random) -> dict[str, int]:
    """Draw armour: every way of splitting the total between the components is as likely."""
    return shared(offer, [rng.expovariate(1.0) for _ in offer.default])


def shared(offer: Offer, shares: Sequence[float]) -> dict[str, int]:
    """Return the whole total in these proportions; what a component cannot carry is left out.

    Example:
        >>> from causarium.families.causalgame.mechanics.game import Budget, Space
        >>> offer = Offer({"wing": 5, "gun": 5}, Space(total=9), {}, Budget())
        >>> shared(offer, [2.0, 1.0])
        {'wing': 6, 'gun': 3}
    """
    total = offer.space.total - offer.space.low * len(offer.default)
    exact = [total * share / (sum(shares) or 1.0) for share in shares]
    whole = [int(points) for points in exact]
    by_rest = sorted(range(len(whole)), key=lambda one: whole[one] - exact[one])
    for one in by_rest[: round(sum(exact)) - sum(whole)]:
        whole[one] += 1
    return {
        name: min(offer.space.high, offer.space.low + points)
        for name, points in zip(offer.default, whole, strict=True)
    }


def guess(offer: Offer, rng: Random) -> Design:
    """Draw a design."""
    equipment = {slot: rng.choice(names) for slot, names in offer.options.items()}
    return Design(armour=split(offer, rng), equipment=equipment)


def random_search(offer: Offer, rng: Random) -> Exploring:
    """Try random designs and submit the one that did best."""
    return (yield from _best_of([guess(offer, rng) for _ in range(trials(offer))], offer, rng))


def one_factor(offer: Offer, rng: Random) -> Exploring:
    """Try the default and then single changes: other equipment, bare parts, stronger light parts.

    Light parts come first in each; what does not fit into the deployments is not tried.
    """
    changes = [
        Design(equipment={slot: option})
        for slot, names in offer.options.items()
        for option in names[1:]
    ]
    light_first = sorted(offer.default, key=lambda name: offer.default[name])
    low = offer.space.low
    changes += [Design(armour={name: low}) for name in light_first if offer.default[name] > low]
    changes += [
        Design(armour=afford(offer, {name: max(RAISED, 2 * offer.default[name])}))
        for name in light_first
    ]
    return (yield from _best_of([Design(), *changes][: trials(offer)], offer, rng))


def grid(offer: Offer, rng: Random) -> Exploring:
    """Cross every option of the largest slot with armour on the parts that have none."""
    slot = max(offer.options, key=lambda name: len(offer.options[name]), default=None)
    options: list[dict[str, str]] = [{}]
    if slot is not None:
        options = [{slot: option} for option in offer.options[slot]]
    bare = [name for name, points in offer.default.items() if points == 0]
    armours: list[dict[str, int]] = [{}]
    if bare:
        armours.append(afford(offer, dict.fromkeys(bare, GRID_ARMOUR)))
    designs = [
        Design(armour=armour, equipment=equipment) for equipment in options for armour in armours
    ]
    return (yield from _best_of(designs[: trials(offer)], offer, rng))


def bayesian(offer: Offer, rng: Random) -> Exploring:
    """Model which designs did well and which badly, and try what looks like the former (TPE).

    Raises:
        MissingExtra: The library that does it is not installed.
    """
    study = _study(rng.getrandbits(31))
    designs: list[Design] = []
    each = drones_each(offer, trials(offer))
    for _ in range(trials(offer)):
        asked = study.ask()
        shares = [asked.suggest_float(name, 0.0, 1.0) for name in offer.default]
        equipment = {
            slot: asked.suggest_categorical(slot, list(names))
            for slot, names in offer.options.items()
        }
        designs.append(Design(armour=shared(offer, shares), equipment=equipment))
        study.tell(asked, (yield Trial(designs[-1], each)))
    best: int = study.best_trial.number
    return designs[best]


_FIRST = 4
"""So many random designs before there is anything to model."""


def _study(seed: int) -> Any:  # noqa: ANN401 — no type of an optional library in our signatures
    try:
        import optuna
    except ImportError as missing:
        raise MissingExtra("the player 'bayesian'", "bayesian") from missing
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=_FIRST)
    return optuna.create_study(direction="maximize", sampler=sampler)


def trials(offer: Offer) -> int:
    """Return how many designs are tried."""
    return max(1, min(offer.budget.deployments, offer.budget.drones))


def drones_each(offer: Offer, tried: int) -> int:
    """Return how many drones each of so many trials gets."""
    return max(1, min(offer.budget.per_deployment, offer.budget.drones // tried))


def afford(offer: Offer, wanted: dict[str, int]) -> dict[str, int]:
    """Return armour with some of it as wanted, paid for by the parts that have most.

    When the others have nothing left, what is wanted is cut.
    """
    armour = {**offer.default, **{n: min(offer.space.high, p) for n, p in wanted.items()}}
    while sum(armour.values()) > offer.space.total:
        others = [name for name in armour if name not in wanted and armour[name] > offer.space.low]
        armour[max(others or wanted, key=lambda name: armour[name])] -= 1
    return {name: points for name, points in armour.items() if points != offer.default[name]}


def _best_of(designs: list[Design], offer: Offer, rng: Random) -> Exploring:
    each = drones_each(offer, len(designs))
    best, submitted = -1.0, Design()
    # The first of equals is kept, so that the order has to be one of chance.
    for design in rng.sample(designs, len(designs)):
        share = yield Trial(design, each)
        if share > best:
            best, submitted = share, design
    return submitted

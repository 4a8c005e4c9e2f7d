"""What a player may choose from, and what a way of looking for a design is.

Designs are vectors here: armour by part and the number of an option by slot, 0 the default one. A
policy is a generator: it yields trials, is sent what came of each, and returns the design that it
would submit.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias


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


def spend_points(offer: Offer, worth: Sequence[float], fixed: dict[int, int]) -> tuple[int, ...]:
    """Return armour: some parts as given, the rest of the total to parts that seem worth it.

    Args:
        offer: What may be chosen from.
        worth: What a point on each part seems worth; parts that are worth nothing get none.
        fixed: Armour by part that is settled already.
    """
    armour = [offer.low] * len(offer.default)
    for part, points in fixed.items():
        armour[part] = points
    open_parts = [part for part in range(len(armour)) if part not in fixed and worth[part] > 0]
    for most in (min(16, offer.high), offer.high):
        left = offer.total - sum(armour)
        while left > 0 and (room := [part for part in open_parts if armour[part] < most]):
            scale = sum(worth[part] for part in room)
            given = 0
            for part in room:
                more = min(most - armour[part], int(left * worth[part] / scale))
                armour[part] += more
                given += more
            left -= given
            if not given:
                armour[max(room, key=lambda part: worth[part])] += 1
                left -= 1
    return tuple(armour)

"""A regression that lets every two conditions turn every part, read off at the target.

It takes the same step as the causal player, from effects in the tests to effects at the target, and
takes it less well: it does not ask which conditions turn a part, so all that are shown add their
noise.
"""

from collections.abc import Sequence
from random import Random

import numpy as np

from causarium.families.causalgame.strategies.causal_player import (
    FlightData,
    Turn,
    fly_screening,
    gather_flights,
    list_turns,
    trace_signal,
    turn_sign,
)
from causarium.families.causalgame.strategies.offers import (
    Choice,
    Exploring,
    Offer,
    Outcome,
    Trial,
    spend_points,
)
from causarium.families.causalgame.strategies.searches import screening

PRIOR = 0.05
"""The prior variance of an interaction."""
HARMS = -0.15
"""A part whose armour does less than this at the target is left bare."""


def read_at_target(offer: Offer, rng: Random) -> Exploring:
    """Fly the screening design and follow every part's effect at the target."""
    if not offer.target:
        return (yield from screening(offer, rng))
    return choose_at_target(offer, (yield from fly_screening(offer, rng)))


def choose_at_target(offer: Offer, flown: Sequence[tuple[Trial, Outcome]]) -> Choice:
    """Return the design that the regression recommends at the target.

    Args:
        offer: What may be chosen from.
        flown: The test flights.
    """
    data = gather_flights(offer, flown)
    parts, slots = len(offer.default), len(offer.options)
    turns = [turn for turn in list_turns(offer) if len(turn) == 2]
    products = [data.z[:, list(turn)].prod(axis=1) for turn in turns]
    turned = [data.design[:, part] * product for part in range(parts) for product in products]
    x = np.column_stack([np.ones(len(data.z)), data.design, data.z, data.signals, *turned])
    variance = [9.0] + [0.25] * (parts + slots) + [0.5] * len(offer.target) + [2.0] * offer.signals
    beta, covariance = data.fit(x, np.array(variance + [PRIOR] * len(turned)))
    deviations = np.sqrt(np.diag(covariance)).tolist()
    fitted = list(zip(beta.tolist(), deviations, strict=True))
    return recommend_at_target(offer, data, fitted, turns)


def recommend_at_target(
    offer: Offer,
    data: FlightData,
    fitted: Sequence[tuple[float, float]],
    turns: Sequence[Turn],
) -> Choice:
    """Return the design that follows the effects at the target.

    Args:
        offer: What may be chosen from.
        data: The test flights, as numbers.
        fitted: Each coefficient with its deviation; those of parts turned by conditions come last,
            a part's together.
        turns: The conditions by which parts are turned.
    """
    parts, slots = len(offer.default), len(offer.options)
    beta = np.array([value for value, _ in fitted])
    signs = np.array([turn_sign(turn, offer.target) for turn in turns])
    turned = beta[len(beta) - parts * len(turns) :].reshape(parts, len(turns))
    effects = beta[1 : 1 + parts] + turned @ signs
    part, by_signal = trace_signal(offer, data, fitted)
    if part is not None:
        effects[part] += by_signal
    worth = [0.1 + max(0.0, effect) for effect in effects.tolist()]
    bare = {part: offer.low for part, effect in enumerate(effects.tolist()) if effect < HARMS}
    options = tuple(int(value > 0) for value in beta[1 + parts : 1 + parts + slots])
    return Choice(spend_points(offer, worth, bare), options)

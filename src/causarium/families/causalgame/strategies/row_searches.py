"""Searches that read single flights, and reason about no cause."""

from random import Random

import numpy as np

from causarium.families.causalgame.strategies.causal_player import (
    fly_screening,
    gather_flights,
)
from causarium.families.causalgame.strategies.offers import (
    FULL,
    Choice,
    Exploring,
    Offer,
    Trial,
    drones_each,
    guess,
    spend_points,
)
from causarium.families.causalgame.strategies.row_models import fit_logistic
from causarium.families.causalgame.strategies.searches import (
    choose_by_effects,
    random_search,
    screening,
    screening_designs,
)


def search_pooled(offer: Offer, rng: Random) -> Exploring:
    """Regress survival on the design, whatever the condition, and follow the signs."""
    designs = screening_designs(offer, rng)
    each = drones_each(offer, len(designs))
    x, y = [], []
    for design in designs:
        outcome = yield Trial(design, each)
        flights = [row[-1] for row in outcome.rows]
        if not offer.counts_told:
            flights += [0] * max(0, each - len(flights))
        x += [[1.0, *(p / 5.5 - 1 for p in design.armour), *(2.0 * o - 1 for o in design.options)]]
        x += [x[-1]] * (len(flights) - 1) if flights else []
        x = x if flights else x[:-1]
        y += flights
    parts = len(offer.default)
    variance = np.array([9.0] + [0.25] * (parts + len(offer.options)))
    beta, _ = fit_logistic(np.array(x), np.array(y, dtype=float), variance)
    worth = [0.02 + max(0.0, float(slope)) for slope in beta[1 : 1 + parts]]
    options = tuple(int(value > 0) for value in beta[1 + parts :])
    return Choice(spend_points(offer, worth, {}), options)


def match_best(offer: Offer, rng: Random) -> Exploring:
    """Try random designs; submit the one that did best in flights that met the whole target."""
    if not offer.target:
        return (yield from random_search(offer, rng))
    designs = [guess(offer, rng) for _ in range(offer.deployments)]
    each = drones_each(offer, len(designs))
    best, submitted = -1.0, designs[0]
    for design in designs:
        outcome = yield Trial(design, each)
        rate, count = match_rate(offer, outcome.rows, each)
        score = (rate * count + 0.5) / (count + 1)
        if score > best:
            best, submitted = score, design
    return submitted


def stratify(offer: Offer, rng: Random) -> Exploring:
    """Fly a screening design, and follow the main effects in flights that met the whole target."""
    if not offer.target:
        return (yield from screening(offer, rng))
    designs = screening_designs(offer, rng)
    each = drones_each(offer, len(designs))
    rates, counts = [], []
    for design in designs:
        outcome = yield Trial(design, each)
        rate, count = match_rate(offer, outcome.rows, each)
        rates.append(rate)
        counts.append(count)
    return choose_by_effects(offer, designs, rates, counts)


RESEMBLANCE = 4.0
"""How much more a flight counts for each condition that it shares with the target."""


def resemble(offer: Offer, rng: Random) -> Exploring:
    """Fly a screening design, and follow effects in which flights like the target count more."""
    if not offer.target:
        return (yield from screening(offer, rng))
    designs = screening_designs(offer, rng)
    each = drones_each(offer, len(designs))
    told = [place for place, value in enumerate(offer.target) if value is not None]
    rates, counts = [], []
    for design in designs:
        outcome = yield Trial(design, each)
        weights = [
            RESEMBLANCE ** sum(row[c] == offer.target[c] for c in told) for row in outcome.rows
        ]
        alive = sum(weight * row[-1] for weight, row in zip(weights, outcome.rows, strict=True))
        # Where lost drones leave no record, what came back is weighed against what was ordered.
        whole = sum(weights) if offer.counts_told else each * ((1 + RESEMBLANCE) / 2) ** len(told)
        rates.append(alive / whole if whole else 0.0)
        counts.append(round(whole))
    return choose_by_effects(offer, designs, rates, counts)


LIKENESS = 8.0
"""The same for the regression that weighs flights."""
_HARMS = -0.05
"""A part whose armour seems to do less than this is left bare."""


def reweight(offer: Offer, rng: Random) -> Exploring:
    """Regress survival on the design, once by all flights and once by those like the target.

    Options follow the first and armour the second, the part that seems to help most first.
    """
    if not offer.target:
        return (yield from screening(offer, rng))
    data = gather_flights(offer, (yield from fly_screening(offer, rng)))
    parts = len(offer.default)
    x = np.column_stack([np.ones(len(data.z)), data.design])
    variance = np.array([9.0] + [0.25] * (x.shape[1] - 1))
    told = [place for place, value in enumerate(offer.target) if value is not None]
    target = [2 * int(offer.target[place] or 0) - 1 for place in told]
    weights = LIKENESS ** (data.z[:, told] == target).sum(axis=1)
    # So many flights are those that count worth.
    weights = weights * (weights.sum() / (weights**2).sum())
    everywhere, _ = data.fit(x, variance)
    nearby, _ = data.fit(x, variance, weights)
    options = tuple(int(value > 0) for value in everywhere[1 + parts :])
    armour = [offer.low] * parts
    for part in sorted(range(parts), key=lambda place: -nearby[1 + place]):
        if nearby[1 + part] > _HARMS:
            armour[part] += min(FULL, offer.total - sum(armour))
    return Choice(tuple(armour), options)


def match_rate(offer: Offer, rows: tuple[tuple[int, ...], ...], ordered: int) -> tuple[float, int]:
    """Return how many of the flights that met the target came back, and how many met it.

    Where nobody says how many were sent, an equal share of the order is taken to have met it.
    """
    told = [place for place, value in enumerate(offer.target) if value is not None]
    fits = [row[-1] for row in rows if all(row[c] == offer.target[c] for c in told)]
    if offer.counts_told:
        return (sum(fits) / len(fits) if fits else 0.0), len(fits)
    count = max(1, round(ordered / 2 ** len(told)))
    return sum(fits) / count, count

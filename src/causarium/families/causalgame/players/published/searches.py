"""Searches: ways of looking for a design by counting who comes back, and nothing else."""

from random import Random

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.players.published.offers import (
    Choice,
    Exploring,
    Offer,
    Trial,
    count_trials,
    default_choice,
    drones_each,
    guess,
    spend_points,
)

GRID_ARMOUR = 30
"""Crosswise: what a part that is bare by default is given."""
HIGH = 11
"""Armour of a part that a screening design arms."""
_PLUS = (1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0)
"""The first row of the Plackett-Burman design of 12 runs."""
_CANDIDATES = 40
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


def screening_designs(offer: Offer, rng: Random) -> list[Choice]:
    """Return the runs of a screening design: every part bare or armed, every slot one or the other.

    With more factors than the design has columns, factors share a column.
    """
    factors = len(offer.default) + len(offer.options)
    columns = [rng.choice(range(11)) if factors > 11 else 0 for _ in range(factors)]
    if factors <= 11:
        columns = rng.sample(range(11), factors)
    runs = [tuple(_PLUS[(column - run) % 11] for column in range(11)) for run in range(11)]
    runs.append((0,) * 11)
    rng.shuffle(runs)
    parts = len(offer.default)
    designs = []
    for run in runs[: count_trials(offer)]:
        signs = [run[column] for column in columns]
        armed = {part: HIGH for part in range(parts) if signs[part]}
        armour = [offer.low] * parts
        for part in armed:
            armour[part] = min(offer.high, HIGH, (offer.total // max(1, len(armed))))
        options = tuple(
            sign * (count - 1) for sign, count in zip(signs[parts:], offer.options, strict=True)
        )
        designs.append(Choice(tuple(armour), options))
    return designs


def screening(offer: Offer, rng: Random) -> Exploring:
    """Fly a screening design, and submit what the main effects on the counts recommend."""
    designs = screening_designs(offer, rng)
    each = drones_each(offer, len(designs))
    rates: list[float] = []
    for design in designs:
        outcome = yield Trial(design, each)
        rates.append(outcome.rate)
    return choose_by_effects(offer, designs, rates, [each] * len(designs))


def choose_by_effects(
    offer: Offer, designs: list[Choice], rates: list[float], counts: list[int]
) -> Choice:
    """Return the design that main effects on rates recommend.

    Args:
        offer: What may be chosen from.
        designs: What was flown.
        rates: How much of each came back.
        counts: How many flights each rate is taken of; those of 0 are left out.
    """
    flown = [place for place, count in enumerate(counts) if count > 0]
    parts = len(offer.default)
    width = 1 + parts + len(offer.options)
    factors = np.array(
        [
            [1.0, *(points > 0 for points in designs[place].armour)]
            + [float(option > 0) for option in designs[place].options]
            for place in flown
        ]
    ).reshape(len(flown), width)
    weights = np.array([counts[place] for place in flown], dtype=float)
    aim = np.array([rates[place] for place in flown])
    x = factors * np.sqrt(weights)[:, None]
    ridge = np.diag([1e-6] + [1.0] * (width - 1))
    effects = np.linalg.solve(x.T @ x + ridge, x.T @ (aim * np.sqrt(weights)))
    options = tuple(
        (count - 1) * int(effect > 0)
        for effect, count in zip(effects[1 + parts :], offer.options, strict=True)
    )
    worth = [max(0.0, float(effect)) for effect in effects[1 : 1 + parts]]
    if not any(worth):
        return Choice(offer.default, options)
    return Choice(spend_points(offer, worth, {}), options)


def halving(offer: Offer, rng: Random) -> Exploring:
    """Try seven designs, three of them again with more drones, two of those with more still."""
    designs = [guess(offer, rng) for _ in range(7)]
    scale = offer.drones / 236
    known: dict[Choice, list[float]] = {design: [] for design in designs}
    left = offer.drones
    deployments = offer.deployments
    for keep, count in ((7, 12), (3, 24), (2, 40)):
        designs = sorted(designs, key=lambda design: -_mean(known[design]))[:keep]
        for design in designs:
            number = min(offer.per_deployment, max(1, int(count * scale)), left)
            if number < 1 or deployments < 1:
                break
            left, deployments = left - number, deployments - 1
            known[design] += [(yield Trial(design, number)).rate] * number
    return max(known, key=lambda design: _mean(known[design]))


def _mean(rates: list[float]) -> float:
    return sum(rates) / len(rates) if rates else 0.0


def bayesian(offer: Offer, rng: Random) -> Exploring:
    """Model survival by a Gaussian process, and try the design with the best upper bound."""
    each = drones_each(offer, count_trials(offer))
    designs: list[Choice] = []
    rates: list[float] = []
    for trial in range(count_trials(offer)):
        candidates = [guess(offer, rng) for _ in range(_CANDIDATES if trial > 3 else 1)]
        pick = candidates[0]
        if trial > 3:
            mean, spread = _posterior(designs, rates, candidates, each)
            pick = candidates[int(np.argmax(mean + 1.5 * spread))]
        designs.append(pick)
        rates.append((yield Trial(pick, each)).rate)
    mean, _ = _posterior(designs, rates, designs, each)
    return designs[int(np.argmax(mean))]


def _posterior(
    designs: list[Choice], rates: list[float], asked: list[Choice], each: int
) -> tuple[Floats, Floats]:
    """Return what a Gaussian process expects of some designs, and how unsure it is."""
    flown, wanted = _features(designs), _features(asked)
    centre = float(np.mean(rates))
    noise = max(0.01, centre * (1 - centre)) / each
    kernel = 0.05 * _likeness(flown, flown) + noise * np.eye(len(flown))
    cross = 0.05 * _likeness(wanted, flown)
    solved = np.linalg.solve(kernel, np.column_stack([np.array(rates) - centre, cross.T]))
    spread = np.sqrt(np.maximum(1e-9, 0.05 - np.einsum("ij,ji->i", cross, solved[:, 1:])))
    return centre + cross @ solved[:, 0], spread


def _features(designs: list[Choice]) -> Floats:
    return np.array(
        [[points / 15 for points in d.armour] + [float(o > 0) for o in d.options] for d in designs]
    )


def _likeness(one: Floats, other: Floats) -> Floats:
    gap = ((one[:, None, :] - other[None, :, :]) ** 2).sum(-1)
    found: Floats = np.exp(-gap / (2 * 1.2**2))
    return found


def _best_of(designs: list[Choice], offer: Offer, rng: Random) -> Exploring:
    each = drones_each(offer, len(designs))
    best, submitted = -1.0, default_choice(offer)
    # The first of equals is kept, so that the order has to be one of chance.
    for design in rng.sample(designs, len(designs)):
        outcome = yield Trial(design, each)
        if outcome.rate > best:
            best, submitted = outcome.rate, design
    return submitted

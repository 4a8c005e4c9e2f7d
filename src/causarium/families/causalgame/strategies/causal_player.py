"""The player that reasons about causes, from what an agent may see.

It flies a screening design, asks which parts do something else under other conditions, one or two
at a time, and carries what it found over to the conditions in which the fleet will fly. Where
signals are recorded it tells the way that the target leaves open from the one that it cuts.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.strategies.offers import (
    FULL,
    Choice,
    Exploring,
    Offer,
    Outcome,
    Trial,
    drones_each,
    spend_points,
)
from causarium.families.causalgame.strategies.row_models import fit_logistic, fit_poisson
from causarium.families.causalgame.strategies.searches import (
    HIGH,
    screening,
    screening_designs,
)

Floats = NDArray[np.float64]
CLEAR = 3.5
"""An interaction is taken for one if it is so many standard deviations from nothing."""
MOST_TURNS = 4

Turn: TypeAlias = tuple[int, ...]
"""Conditions that turn an effect together: one, or two."""


@dataclass(frozen=True, slots=True)
class Model:
    """What the regression says."""

    offer: Offer
    slopes: tuple[tuple[float, float], ...]
    """The main effect of each part, with its standard deviation."""
    options: tuple[tuple[float, float], ...]
    """The effect of each slot's second option, likewise."""
    turned: dict[int, tuple[Turn, float, float]]
    """The parts whose effect depends on conditions: on which, and how much, likewise."""
    signal_part: int | None = None
    """The part that moves the signal which the target leaves alone."""
    by_signal: float = 0.0
    """What its armour does by that signal."""

    def effect(self, part: int, conditions: Sequence[int | None]) -> tuple[float, float]:
        """Return what armour on a part does under some conditions, with its deviation."""
        slope, sd = self.slopes[part]
        slope, sd = (slope, sd) if abs(slope) > 2 * sd else (0.0, sd)
        if part == self.signal_part:
            return self.by_signal, sd
        if part in self.turned:
            turn, strength, spread = self.turned[part]
            return slope + strength * turn_sign(turn, conditions), spread
        return slope, sd


def list_turns(offer: Offer) -> list[Turn]:
    """Return the conditions that may turn an effect: one at a time, and two together."""
    places = range(len(offer.target))
    return [*combinations(places, 1), *combinations(places, 2)]


def turn_sign(turn: Turn, conditions: Sequence[int | None]) -> int:
    """Return the sign of a turn under some conditions; 0 where one of them is open."""
    sign = 1
    for condition in turn:
        value = conditions[condition]
        sign *= 0 if value is None else 2 * value - 1
    return sign


def learn(offer: Offer, flown: Sequence[tuple[Trial, Outcome]]) -> Model:
    """Fit survival on armour, options, conditions and signals; add what turns effects, if clear."""
    data = gather_flights(offer, flown)
    parts, slots = len(offer.default), len(offer.options)
    variance = [9.0] + [0.25] * (parts + slots) + [0.5] * len(offer.target) + [2.0] * offer.signals
    candidates = [(part, turn) for part in range(parts) for turn in list_turns(offer)]
    columns = np.column_stack(
        [data.design[:, part] * data.z[:, list(turn)].prod(axis=1) for part, turn in candidates]
    )
    x = np.column_stack([np.ones(len(data.z)), data.design, data.z, data.signals])
    chosen: list[int] = []
    while True:
        beta, covariance = data.fit(x, np.array(variance))
        scores = np.abs(data.score(x, beta, covariance, columns))
        best = int(np.argmax(scores))
        if scores[best] < CLEAR or len(chosen) >= MOST_TURNS:
            break
        chosen.append(best)
        x, variance = np.column_stack([x, columns[:, best]]), [*variance, 0.6]
    sd = np.sqrt(np.diag(covariance))
    pairs = list(zip(beta.tolist(), sd.tolist(), strict=True))
    turned: dict[int, tuple[Turn, float, float]] = {}
    for candidate, (strength, spread) in zip(
        chosen, pairs[len(pairs) - len(chosen) :], strict=True
    ):
        part, turn = candidates[candidate]
        if part not in turned or abs(strength) > abs(turned[part][1]):
            turned[part] = (turn, strength, spread)
    signal_part, by_signal = trace_signal(offer, data, pairs)
    return Model(
        offer,
        tuple(pairs[1 : 1 + parts]),
        tuple(pairs[1 + parts : 1 + parts + slots]),
        turned,
        signal_part,
        by_signal,
    )


def trace_signal(
    offer: Offer, data: "FlightData", pairs: Sequence[tuple[float, float]]
) -> tuple[int | None, float]:
    """Return the part that moves the second signal most, and what it does that way.

    Args:
        offer: What may be chosen from.
        data: What was flown.
        pairs: The coefficients of the regression, each with its standard deviation.
    """
    if not offer.signals:
        return None, 0.0
    parts = len(offer.default)
    u = np.column_stack([np.ones(len(data.z)), data.design[:, :parts]])
    lit = np.linalg.solve(u.T @ u + 3 * np.eye(1 + parts), u.T @ data.signals[:, 1])[1:]
    part = int(np.argmax(np.abs(lit)))
    second = 1 + parts + len(offer.options) + len(offer.target) + 1
    return part, float(lit[part]) * pairs[second][0]


@dataclass(frozen=True, slots=True)
class FlightData:
    """What was flown, a row a flight or a row a cell of flights."""

    design: Floats
    z: Floats
    signals: Floats
    came_back: Floats
    sent: Floats | None
    """The logarithm of how many were sent; None where every flight is a row."""

    def fit(
        self, x: Floats, variance: Floats, weights: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """Return the most likely coefficients of `x`, and their covariance."""
        if self.sent is None:
            return fit_logistic(x, self.came_back, variance, weights)
        return fit_poisson(x, self.came_back, self.sent, variance, weights)

    def score(self, x: Floats, beta: Floats, covariance: Floats, columns: Floats) -> Floats:
        """Return how clearly each further column would improve the fit, in deviations."""
        if self.sent is None:
            mean = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
            weight = mean * (1 - mean)
        else:
            mean = np.exp(np.clip(x @ beta + self.sent, -30, 10))
            weight = mean
        slope = columns.T @ (self.came_back - mean)
        cross = np.einsum("ij,ik->jk", columns, x * weight[:, None])
        spread = weight @ columns**2 - ((cross @ covariance) * cross).sum(axis=1)
        found: Floats = slope / np.sqrt(np.maximum(spread, 1e-9))
        return found


def _design_vector(design: Choice) -> list[float]:
    return [points / (HIGH / 2) - 1 for points in design.armour] + [
        2.0 * option - 1 for option in design.options
    ]


def gather_flights(offer: Offer, flown: Sequence[tuple[Trial, Outcome]]) -> FlightData:
    """Return what was flown as a table to regress on."""
    return _list_flights(offer, flown) if offer.counts_told else _count_cells(offer, flown)


def _list_flights(offer: Offer, flown: Sequence[tuple[Trial, Outcome]]) -> FlightData:
    designs = [_design_vector(trial.design) for trial, seen in flown for _ in seen.rows]
    rows = np.array([row for _, seen in flown for row in seen.rows], dtype=float)
    conditions = len(offer.target)
    z, signals = 2 * rows[:, :conditions] - 1, 2 * rows[:, conditions:-1] - 1
    return FlightData(np.array(designs), z, signals, rows[:, -1], None)


def _count_cells(offer: Offer, flown: Sequence[tuple[Trial, Outcome]]) -> FlightData:
    """Return a row for each trial and cell: nobody says who was sent, so returns are counted."""
    conditions = len(offer.target)
    cells = list(product((0, 1), repeat=conditions))
    designs, z, counts, sent = [], [], [], []
    for trial, seen in flown:
        back = Counter(row[:conditions] for row in seen.rows)
        for cell in cells:
            designs.append(_design_vector(trial.design))
            z.append([2.0 * value - 1 for value in cell])
            counts.append(float(back[cell]))
            sent.append(np.log(trial.count / len(cells)))
    none = np.zeros((len(z), 0))
    return FlightData(np.array(designs), np.array(z), none, np.array(counts), np.array(sent))


def decide(model: Model) -> Choice:
    """Return the design that the model recommends at the target."""
    offer = model.offer
    fixed: dict[int, int] = {}
    worth = []
    for part, (slope, sd) in enumerate(model.slopes):
        if part in model.turned or part == model.signal_part:
            fixed[part] = FULL if model.effect(part, offer.target)[0] > 0 else 0
        worth.append(slope if abs(slope) > 2 * sd else 0.1 + 0.25 * max(slope, 0.0))
    options = tuple(int(value > 0) for value, _ in model.options)
    return Choice(spend_points(offer, worth, fixed), options)


def explore(offer: Offer, rng: Random) -> Exploring:
    """Fly the screening design and submit what the model recommends at the target."""
    if not offer.target:
        return (yield from screening(offer, rng))
    model = yield from study(offer, rng)
    return decide(model)


def study(offer: Offer, rng: Random) -> Generator[Trial, Outcome, Model]:
    """Fly the screening design, and return the model."""
    return learn(offer, (yield from fly_screening(offer, rng)))


def fly_screening(
    offer: Offer, rng: Random
) -> Generator[Trial, Outcome, list[tuple[Trial, Outcome]]]:
    """Fly the screening design, and return what came of each run."""
    designs = screening_designs(offer, rng)
    each = drones_each(offer, len(designs))
    flown: list[tuple[Trial, Outcome]] = []
    for design in designs:
        trial = Trial(design, each)
        flown.append((trial, (yield trial)))
    return flown

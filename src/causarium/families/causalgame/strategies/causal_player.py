"""The player that reasons about causes, from what an agent may see.

It flies a screening design, asks which parts do something else under another condition, and carries
what it found over to the condition in which the fleet will fly. Where signals are recorded it
tells the way that the target leaves open from the one that the target cuts.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.strategies.offers import (
    Choice,
    Exploring,
    Offer,
    Outcome,
    Trial,
    drones_each,
    spend_points,
)
from causarium.families.causalgame.strategies.row_models import fit_logistic, fit_poisson
from causarium.families.causalgame.strategies.searches import HIGH, screening_designs

Floats = NDArray[np.float64]
TRAP_LIMIT = 2.8
"""A part is a trap if an interaction with a condition is so many standard deviations from 0."""
FULL = 15
"""Armour that is enough on any part."""


@dataclass(frozen=True, slots=True)
class Model:
    """What the regression says, coefficient by coefficient."""

    offer: Offer
    beta: Floats
    sd: Floats
    lit: Floats
    """How much armour on each part moves each signal; parts by signals."""

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self.offer.default)

    def slope(self, part: int) -> tuple[float, float]:
        """Return the main effect of a part, and its standard deviation."""
        return float(self.beta[1 + part]), float(self.sd[1 + part])

    def option(self, slot: int) -> tuple[float, float]:
        """Return the effect of a slot's second option, and its standard deviation."""
        place = 1 + self.parts + slot
        return float(self.beta[place]), float(self.sd[place])

    def turn(self, part: int, condition: int) -> tuple[float, float]:
        """Return how a condition turns the effect of a part, and its standard deviation."""
        conditions = len(self.offer.target)
        start = 1 + self.parts + len(self.offer.options) + conditions
        place = start + part * conditions + condition
        return float(self.beta[place]), float(self.sd[place])

    def strongest_turn(self, part: int) -> tuple[float, int]:
        """Return the clearest interaction of a part, in standard deviations, and its condition."""
        turns = [self.turn(part, c) for c in range(len(self.offer.target))]
        ratios = [abs(mean) / sd for mean, sd in turns]
        return max(ratios), int(np.argmax(ratios))

    def through_signals(self, part: int) -> float:
        """Return what a part does by the signal that the target does not set by lot."""
        if not self.offer.signals:
            return 0.0
        return float(self.lit[part, 1] * self.beta[-1])

    @property
    def signal_part(self) -> int | None:
        """The part that moves the second signal most."""
        return int(np.argmax(np.abs(self.lit[:, 1]))) if self.offer.signals else None


def learn(offer: Offer, flown: Sequence[tuple[Trial, Outcome]]) -> Model:
    """Fit the regression of survival on armour, options, conditions and signals."""
    rows = _cells(offer, flown) if not offer.counts_told else _flights(offer, flown)
    x, y, sent = rows
    parts, options, conditions = len(offer.default), len(offer.options), len(offer.target)
    variance = np.array(
        [9.0]
        + [0.25] * (parts + options)
        + [0.5] * conditions
        + [0.6] * (parts * conditions)
        + [2.0] * offer.signals
    )
    if offer.counts_told:
        beta, covariance = fit_logistic(x, y, variance)
    else:
        beta, covariance = fit_poisson(x, y, sent, variance)
    lit = np.zeros((parts, max(1, offer.signals)))
    if offer.signals:
        u = np.column_stack([np.ones(len(x)), x[:, 1 : 1 + parts]])
        ridge = 3 * np.eye(1 + parts)
        lit = np.linalg.solve(u.T @ u + ridge, u.T @ x[:, -offer.signals :])[1:]
    return Model(offer, beta, np.sqrt(np.diag(covariance)), lit)


def _design_vector(design: Choice) -> list[float]:
    return [points / (HIGH / 2) - 1 for points in design.armour] + [
        2.0 * option - 1 for option in design.options
    ]


def _expand(offer: Offer, design: Floats, z: Floats, signals: Floats) -> Floats:
    parts = len(offer.default)
    turned = (design[:, :parts, None] * z[:, None, :]).reshape(len(z), -1)
    return np.column_stack([np.ones(len(z)), design, z, turned, signals])


def _flights(
    offer: Offer, flown: Sequence[tuple[Trial, Outcome]]
) -> tuple[Floats, Floats, Floats]:
    designs = [_design_vector(t.design) for t, o in flown for _ in o.rows]
    rows = np.array([row for _, o in flown for row in o.rows], dtype=float)
    conditions = len(offer.target)
    z, signals = 2 * rows[:, :conditions] - 1, 2 * rows[:, conditions:-1] - 1
    x = _expand(offer, np.array(designs), z, signals)
    return x, rows[:, -1], np.zeros(0)


def _cells(offer: Offer, flown: Sequence[tuple[Trial, Outcome]]) -> tuple[Floats, Floats, Floats]:
    """Return a row for each trial and cell: nobody says who was sent, so returns are counted."""
    conditions = len(offer.target)
    cells = list(product((0, 1), repeat=conditions))
    designs, z, counts, sent = [], [], [], []
    for trial, outcome in flown:
        back = [row[:conditions] for row in outcome.rows]
        for cell in cells:
            designs.append(_design_vector(trial.design))
            z.append([2.0 * value - 1 for value in cell])
            counts.append(float(back.count(cell)))
            sent.append(np.log(trial.count / len(cells)))
    none = np.zeros((len(z), 0))
    return _expand(offer, np.array(designs), np.array(z), none), np.array(counts), np.array(sent)


def decide(model: Model) -> Choice:
    """Return the design that the model recommends at the target."""
    offer = model.offer
    fixed: dict[int, int] = {}
    for part in range(model.parts):
        ratio, condition = model.strongest_turn(part)
        value = offer.target[condition]
        if part == model.signal_part:
            fixed[part] = FULL if model.through_signals(part) > 0 else 0
        elif ratio > TRAP_LIMIT and value is not None:
            fixed[part] = FULL if model.turn(part, condition)[0] * (2 * value - 1) > 0 else 0
    worth = []
    for part in range(model.parts):
        slope, sd = model.slope(part)
        worth.append(slope if abs(slope) > 2 * sd else 0.1 + 0.25 * max(slope, 0.0))
    options = tuple(int(model.option(slot)[0] > 0) for slot in range(len(offer.options)))
    return Choice(spend_points(offer, worth, fixed), options)


def explore(offer: Offer, rng: Random) -> Exploring:
    """Fly the screening design and submit what the model recommends."""
    model = yield from study(offer, rng)
    return decide(model)


def study(offer: Offer, rng: Random) -> Generator[Trial, Outcome, Model]:
    """Fly the screening design, and return the model."""
    designs = screening_designs(offer, rng)
    each = drones_each(offer, len(designs))
    flown: list[tuple[Trial, Outcome]] = []
    for design in designs:
        trial = Trial(design, each)
        flown.append((trial, (yield trial)))
    return learn(offer, flown)

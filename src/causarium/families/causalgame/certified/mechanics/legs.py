"""A leg's diagram, law and true model, from what an instance holds."""

from collections.abc import Mapping

import numpy as np

from ..model import CHOICES, TRIAL_DRONES, Counts, HiddenLeg, Leg
from .chances import BY_LOT, Chances, retell
from .identify import Law
from .story import Story, read_story

GRAIN = 32
"""All drawn chances are multiples of one part in so many."""


def read_told(leg: Leg, place: int = 0) -> Story:
    """Return the diagram that is told, by one of the clerks where there are two."""
    told = leg.told[place]
    pairs = (one.moves for one in told.hidden if len(one.moves) > 1)
    hidden = frozenset((min(pair), max(pair)) for pair in pairs)
    return Story(len(leg.columns) + 2, frozenset(told.arrows), hidden)


def read_law(leg: Leg) -> Law:
    """Return the law that a leg's book shows."""
    return read_counts(leg, leg.book)


def read_counts(leg: Leg, counts: Counts) -> Law:
    """Return the law of some flights of a leg."""
    numbers = np.array(counts, dtype=float)
    law: Law = (numbers / numbers.sum()).reshape(1, *[2] * (len(leg.columns) + 2))
    return law


def count_flights(law: Law, flights: int) -> Counts:
    """Return the flights, lost and returned, that fall into each cell on average."""
    # Rounded twice: what differs in the last bit only must not differ by a whole flight.
    counts = np.floor(np.round(law.reshape(-1, 2) * flights, 6) + 0.5).astype(int)
    return tuple((lost, back) for lost, back in counts.tolist())


def read_base(hidden: HiddenLeg) -> Chances:
    """Return the drawn model, whose rows the book counts."""
    tables = []
    for causes, table in zip(hidden.causes, hidden.tables, strict=True):
        tables.append(np.array(table, dtype=float).reshape(1, *[2] * len(causes)) / GRAIN)
    weights = tuple(np.array([weight / 8]) for weight in hidden.hidden)
    return Chances(len(tables), hidden.causes, tuple(tables), weights)


def open_model(leg: Leg, hidden: HiddenLeg) -> Chances:
    """Return the true model: the drawn one, or the twin's with the same law."""
    base, story = read_base(hidden), read_told(leg, hidden.right)
    if hidden.kind in {"hidden", "rows"} or story == read_story(hidden.base):
        return base
    return retell(story, base.make_law())


def find_effect(leg: Leg, hidden: HiddenLeg) -> float:
    """Return the effect of the module on the share of the fleet that returns."""
    model, module = open_model(leg, hidden), len(leg.columns)
    shares = [
        float(model.find_share(module + 1, {**leg.settings, module: value})[0]) for value in (0, 1)
    ]
    return shares[1] - shares[0]


def find_best(leg: Leg, hidden: HiddenLeg) -> str:
    """Return the choice that brings more of the fleet home."""
    return CHOICES[find_effect(leg, hidden) > 0]


def fly_trial(leg: Leg, hidden: HiddenLeg, settings: Mapping[int, int]) -> Counts:
    """Return the counts of a trial in which some columns are held by hand."""
    by_lot = {len(leg.columns): BY_LOT} if leg.can_fit else {}
    law = open_model(leg, hidden).make_law({**settings, **by_lot})
    return count_flights(law, TRIAL_DRONES)

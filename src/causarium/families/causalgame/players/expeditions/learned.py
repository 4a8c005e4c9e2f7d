"""The learner: boosted trees on counts of a fixed script, trained on lines with known faces."""

from functools import lru_cache, partial
from random import Random

import numpy as np

from causarium.families.causalgame.generation.expeditions import draw_expedition
from causarium.families.causalgame.mechanics.expeditions import find_best_design, find_lean
from causarium.families.causalgame.model.expeditions import Leg, LegKind, Order
from causarium.families.causalgame.play.expeditions.orders import FlightRange, tell_orders
from causarium.families.causalgame.players.expeditions.boosting import (
    BoostedTrees,
    Rows,
    fit_trees,
)
from causarium.families.causalgame.players.expeditions.legs import (
    LegPlan,
    Notes,
    choose_lean,
    read_order,
)
from causarium.families.causalgame.players.expeditions.shortcuts import Table, find_way, study_dial

TRAINED_ON = 100
"""So many expeditions of four lines."""
_TRAINING_SEED = 9_100_000


def describe_flights(leg: Leg, table: Table) -> Rows:
    """Return what a learner sees of a line: who was spoiled, by how close the set gauge is."""
    fleet = leg.find_reading(leg.fleet_reading) or 0
    way = find_way(table)
    spoiled = (table.back > 0.5) != (table.lean * way > 0)
    mixed = np.asarray((table.shown > 0).any(axis=1)) & table.is_set
    followers = (table.shown < 0).sum(axis=1)
    features: list[float] = []
    for shows in (True, False):
        rows = mixed & ((table.shown[:, fleet] > 0) == shows)
        # Nearest to the fleet's gauge: after it most gauges follow, before it fewest.
        order = np.argsort(followers[rows] * (-1 if shows else 1), kind="stable")
        near = [(float(followers[rows][one]), float(spoiled[rows][one])) for one in order[:3]]
        near += [(0.0, 0.5)] * (3 - len(near))
        features += [float(rows.sum()), float(spoiled[rows].sum())]
        features += [value for pair in near for value in pair]
    return np.array(features)


@lru_cache(maxsize=1)  # training takes seconds, and every leg asks for the same trees
def train_learner() -> BoostedTrees:
    """Fit trees to lines with known faces, by the same script that is flown later."""
    features, faces = [], []
    for number in range(TRAINED_ON):
        kinds: tuple[LegKind, ...] = ("line",) * 4
        drawn = draw_expedition(3, kinds, _TRAINING_SEED + number, "train")
        flights = FlightRange(drawn)
        for leg, hidden in zip(drawn.public.legs, drawn.secret.legs, strict=True):
            seen: list[Rows] = []
            plan = study_dial(partial(_keep, seen), leg, Random(number))
            _fly_plan(flights, leg, plan)
            features.append(seen[0])
            right = find_lean(leg, find_best_design(leg, hidden))
            faces.append(float(right == seen[0][-1]))
    table = np.array(features)[:, :-1]
    return fit_trees(table, np.array(faces), rounds=60, depth=2, rate=0.1, least=8)


def _keep(seen: list[Rows], leg: Leg, table: Table) -> float:
    seen.append(np.append(describe_flights(leg, table), find_way(table)))
    return 1.0


def _fly_plan(flights: FlightRange, leg: Leg, plan: LegPlan) -> None:
    try:
        order: Order = next(plan)
        while True:
            notes: Notes = read_order(leg, tell_orders(flights.fly([order]))[0])
            order = plan.send(notes)
    except StopIteration:
        return


def _read(leg: Leg, table: Table) -> float:
    chance = float(train_learner().predict(describe_flights(leg, table)[None, :])[0])
    return find_way(table) * (chance - 0.5)


def plan_learned(leg: Leg, rng: Random) -> LegPlan:
    """Fly the script, and let the trained trees say whether the fleet's gauge is a cause."""
    choice = yield from study_dial(_read, leg, rng)
    return choose_lean(leg, find_lean(leg, choice.fitted))

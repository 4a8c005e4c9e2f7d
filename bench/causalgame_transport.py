"""CausalGame, certified: what regressions win that carry effects from the tests to the target.

On seeds of its own. `resemble` and `stratify` count flights that are like the target, `reweight`
regresses on them; `interactions` lets every two conditions turn every part, `lasso` (here alone)
lets any condition or two, and keeps few; `causal` selects them one by one. After the levels comes
the set `standard`, whose levels have as many pairs each.
"""

import math
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from bench.measure import Measurement
from causarium.contract.episode import play
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.model.config import LEVELS
from causarium.families.causalgame.generation.twin_pairs import fly_order, law_of
from causarium.families.causalgame.model.instance import TwinInstance, is_twin
from causarium.families.causalgame.mechanics.twin_law import (
    TwinDesign,
    TwinLaw,
    survival_at_target,
)
from causarium.families.causalgame.players import offer_pair
from causarium.families.causalgame.strategies.causal_player import (
    fly_screening,
    gather_flights,
    list_turns,
)
from causarium.families.causalgame.strategies.interactions import recommend_at_target
from causarium.families.causalgame.players.published.offers import Choice, Offer, Outcome
from causarium.scoring.intervals import summarize

SEED = 61_803
PAIRS = 200
WANTED = {
    "causal": ">= .8",
    "interactions": "stated",
    "reweight": "stated",
    "resemble": "<= .25",
    "stratify": "<= .25",
}
LASSO_LEVELS = ("twin-weather", "twin-zone", "twin-antenna")
LASSO_PAIRS = 60
PENALTY, _STEPS = 15.0, 300
Floats = NDArray[np.float64]


def run() -> Iterator[Measurement]:
    """Let each player play the same fresh pairs of every level, then pool those of `standard`."""
    rules = FAMILY.rules_for("certified")
    levels = [name for name, config in LEVELS.items() if config.edition == "certified"]
    standard = {part.level for part in FAMILY.card.sets["certified"]["standard"].parts}
    pooled: dict[str, list[float]] = {player: [] for player in WANTED}
    for level in levels:
        pairs = [FAMILY.generate(FAMILY.level(level), SEED, n) for n in range(PAIRS)]
        for player, wanted in WANTED.items():
            won = [play(FAMILY, pair, rules, player).score().numbers["pair_win"] for pair in pairs]
            pooled[player] += won if level in standard else []
            yield _measure(f"{player} on {level}", won, wanted)
    for player, wanted in WANTED.items():
        yield _measure(f"{player} on the levels of standard", pooled[player], wanted)
    for level in LASSO_LEVELS:
        drawn = [FAMILY.generate(FAMILY.level(level), SEED, n) for n in range(LASSO_PAIRS)]
        won = [float(_wins_by_lasso(pair)) for pair in drawn if is_twin(pair)]
        yield _measure(f"lasso on {level}", won, "stated")


def _measure(work: str, won: Sequence[float], wanted: str) -> Measurement:
    interval = summarize(won)
    ends = f"[{interval.low:.3f}, {interval.high:.3f}]"
    return Measurement(
        f"{work}: {len(won)} pairs, {ends}", "pair wins", interval.value, None, wanted
    )


def _wins_by_lasso(pair: TwinInstance) -> bool:
    """Return whether a lasso on the flights of the screening design wins both missions."""
    offer, public, secret = offer_pair(pair.public), pair.public, pair.secret
    for mission in (0, 1):
        flying = fly_screening(offer, Random(f"lasso {pair.id} {mission}"))
        trial, number, flown = next(flying), 0, None
        while flown is None:
            design = TwinDesign(armour=trial.design.armour, options=trial.design.options)
            rows = fly_order(secret, mission, number, (design, trial.count, False))
            try:
                trial = flying.send(Outcome(0.0, rows))
            except StopIteration as end:
                flown = end.value
            number += 1
        chosen = _choose_by_lasso(offer, flown)
        law = law_of(secret, mission)
        assert isinstance(law, TwinLaw)
        design = TwinDesign(armour=chosen.armour, options=chosen.options)
        if survival_at_target(law, design, public.target) < public.threshold:
            return False
    return True


def _choose_by_lasso(offer: Offer, flown: list) -> Choice:  # type: ignore[type-arg]
    """Fit every interaction of a part with one or two conditions, most of them to nothing."""
    data = gather_flights(offer, flown)
    parts, slots = len(offer.default), len(offer.options)
    turns = list_turns(offer)
    products = [data.z[:, list(turn)].prod(axis=1) for turn in turns]
    turned = [data.design[:, part] * product for part in range(parts) for product in products]
    x = np.column_stack([np.ones(len(data.z)), data.design, data.z, data.signals, *turned])
    ridge = [1 / 9] + [4.0] * (parts + slots) + [2.0] * len(offer.target) + [0.5] * offer.signals
    beta = _fit_lasso(x, data.came_back, np.array(ridge))
    return recommend_at_target(offer, data, [(value, 1.0) for value in beta.tolist()], turns)


def _fit_lasso(x: Floats, came_back: Floats, ridge: Floats) -> Floats:
    """Fit a logistic regression by accelerated proximal steps.

    Args:
        x: A row a flight; columns beyond those of `ridge` are met with the absolute penalty.
        came_back: 1 or 0 a flight.
        ridge: The squared penalty of the first columns.
    """
    first = len(ridge)
    squared = np.concatenate([ridge, np.zeros(x.shape[1] - first)])
    step = 1 / (np.linalg.norm(x, 2) ** 2 / 4 + ridge.max())
    beta = ahead = np.zeros(x.shape[1])
    pace = 1.0
    for _ in range(_STEPS):
        mean = 1 / (1 + np.exp(-np.clip(x @ ahead, -30, 30)))
        new = ahead - step * (x.T @ (mean - came_back) + squared * ahead)
        new[first:] = np.sign(new[first:]) * np.maximum(0, np.abs(new[first:]) - PENALTY * step)
        next_pace = (1 + math.sqrt(1 + 4 * pace**2)) / 2
        ahead = new + (pace - 1) / next_pace * (new - beta)
        beta, pace = new, next_pace
    return beta

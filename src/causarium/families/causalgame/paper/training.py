"""What a trainer may read of a session on its way: numbers after each turn, and progress."""

from collections.abc import Sequence
from math import isnan, nan

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from .model.instance import (
    GameInstance,
    GamePublic,
    GameSecret,
)
from .model.rules import GameRules
from .scoring.score import (
    compute_survival,
    distances,
    landmarks,
    recall,
)


def _progress_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> float:
    """Return how good the best design tried so far is, on the scale of `gain`, from 0 to 1."""
    numbers = _trace_session(instance, rules, turns)
    best = numbers[-1]["best_tried"] if numbers else 0.0
    scaled = landmarks(instance.secret.game).scale_survival(best)
    return 0.0 if isnan(scaled) else max(0.0, scaled)


def _trace_session(
    instance: GameInstance, rules: GameRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return, after each turn, the drones used, the best design tried and the claims' distance.

    `best_tried` is what the best design tried so far survives on average at evaluation, `shown` the
    share of the latest deployment that came back; both are nan before the first deployment.
    """
    recalled, game = recall(instance, rules, turns), instance.secret.game
    held = distances(game, recalled.beliefs)
    batches = dict(recalled.batches)
    used, best, shown = 0, nan, nan
    found = []
    for number, distance in enumerate(held, 1):
        if number in batches:
            batch = batches[number]
            usual = compute_survival(game, batch.design)
            used += batch.deployed
            best = usual if best != best else max(best, usual)  # noqa: PLR0124
            shown = batch.survived / batch.deployed
        found.append(
            {
                "drones": float(used),
                "best_tried": best,
                "shown": shown,
                "claim_distance": float(distance) if rules.claims else nan,
            }
        )
    return found


TRAINING: Training[GamePublic, GameSecret, GameRules] = Training(
    progress=_progress_session, turn_numbers=_trace_session
)

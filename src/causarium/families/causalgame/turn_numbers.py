"""What is known after each turn of a session, as named numbers."""

from collections.abc import Sequence
from math import nan

from causarium.contract.turn import Turn
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import GameInstance
from causarium.families.causalgame.score import distances
from causarium.families.causalgame.scoring.design_values import expected
from causarium.families.causalgame.scoring.replayed_session import recall


def trace(
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
            usual = expected(game, batch.design)
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

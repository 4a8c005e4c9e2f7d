"""What is known after each turn of a session, as named numbers."""

from collections.abc import Sequence
from math import isnan, nan

from causarium.contract.turn import Turn
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import (
    AnyGame,
    GameInstance,
    TwinInstance,
    as_session,
    is_twin,
)
from causarium.families.causalgame.interface.missions import fleet_survival
from causarium.families.causalgame.score import distances
from causarium.families.causalgame.scoring.design_values import compute_survival
from causarium.families.causalgame.scoring.replayed_pair import replay_pair
from causarium.families.causalgame.scoring.replayed_session import recall


def compute_turn_numbers(
    instance: AnyGame, rules: GameRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return named numbers after each turn of a session, or of a twin pair."""
    if is_twin(instance):
        return _trace_pair(instance, rules, turns)
    return _trace_session(as_session(instance), rules, turns)


def _trace_pair(
    instance: TwinInstance, rules: GameRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return the drones used, the mission, and the best design tried in it."""
    pair = replay_pair(instance, rules, turns)
    flown = {number: (mission, deployment) for number, mission, deployment in pair.deployments}
    used, mission, best, shown = 0, 0, nan, nan
    numbers = []
    for number in range(1, len(turns) + 1):
        if number in flown:
            place, deployment = flown[number]
            best = best if place == mission else nan
            mission = place
            survival = fleet_survival(instance, place, deployment.order.design)
            used += deployment.ordered
            best = survival if isnan(best) else max(best, survival)
            shown = deployment.returned / deployment.ordered
        numbers.append(
            {"drones": float(used), "mission": mission + 1.0, "best_tried": best, "shown": shown}
        )
    return numbers


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

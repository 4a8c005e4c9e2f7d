"""What a trainer may read of an episode on its way: numbers after each turn, and progress."""

from collections.abc import Sequence
from math import isnan, nan

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from .model.actions import ACTIONS
from .model.config import GameRules
from .model.expeditions import Expedition
from .model.instance import AnyPublic, AnySecret, GameInstance, by_edition
from .play.expeditions.world import ExpeditionWorld
from .scoring import find_right_steps, replay_expedition
from .scoring.published.score import compute_survival, distances, landmarks, recall


def _progress_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> float:
    """Return how good the best design tried so far is, on the scale of `gain`, from 0 to 1."""
    numbers = _trace_session(instance, rules, turns)
    best = numbers[-1]["best_tried"] if numbers else 0.0
    scaled = landmarks(instance.secret.game).scale_survival(best)
    return 0.0 if isnan(scaled) else max(0.0, scaled)


def _progress_expedition(instance: Expedition, rules: GameRules, turns: Sequence[Turn]) -> float:
    """Return the share of flown legs on which the telling step was taken."""
    steps = find_right_steps(replay_expedition(instance, rules, turns)) if turns else 0.0
    return 0.0 if isnan(steps) else steps


def _trace_expedition(
    instance: Expedition, rules: GameRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return the drones spent, and on how many of the flown legs the telling step was taken."""
    world = ExpeditionWorld(instance, rules)
    numbers = []
    for turn in turns:
        world.act(turn.move(ACTIONS))
        numbers.append({"drones": float(world.spent), "right_step": find_right_steps(world)})
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


TRAINING: Training[AnyPublic, AnySecret, GameRules] = Training(
    progress=by_edition(_progress_session, _progress_expedition),
    turn_numbers=by_edition(_trace_session, _trace_expedition),
)

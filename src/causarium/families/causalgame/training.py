"""What a trainer may read of a session on its way: numbers after each turn, and how far it came."""

from collections.abc import Sequence
from math import isnan, nan

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from causarium.families.causalgame.model.actions import ACTIONS
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.expeditions import Expedition
from causarium.families.causalgame.model.instance import (
    AnyGame,
    AnyPublic,
    AnySecret,
    GameInstance,
    choose_part,
)
from causarium.families.causalgame.play.expeditions.world import ExpeditionWorld
from causarium.families.causalgame.scoring.expeditions import find_right_steps
from causarium.families.causalgame.scoring.published.design_values import (
    compute_survival,
    landmarks,
)
from causarium.families.causalgame.scoring.published.replayed_session import recall
from causarium.families.causalgame.scoring.published.score import distances


def progress(instance: AnyGame, rules: GameRules, turns: Sequence[Turn]) -> float:
    """Return how far an episode has come, from 0 to 1.

    Args:
        instance: What is played. In a published game the best design tried counts, on the scale of
            `gain`; on an expedition the share of legs on which the telling step was taken.
        rules: The rules it is played by.
        turns: The turns so far.
    """
    numbers = compute_turn_numbers(instance, rules, turns)
    return choose_part(instance.public.edition, _progress_session, _progress_expedition)(
        instance, numbers
    )


def _progress_session(instance: GameInstance, numbers: list[dict[str, float]]) -> float:
    best = numbers[-1]["best_tried"] if numbers else 0.0
    scaled = landmarks(instance.secret.game).scale_survival(best)
    return 0.0 if isnan(scaled) else max(0.0, scaled)


def _progress_expedition(instance: Expedition, numbers: list[dict[str, float]]) -> float:
    del instance
    steps = numbers[-1]["right_step"] if numbers else 0.0
    return 0.0 if isnan(steps) else steps


def compute_turn_numbers(
    instance: AnyGame, rules: GameRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return named numbers after each turn.

    Args:
        instance: What is played.
        rules: The rules it is played by.
        turns: The turns so far.
    """
    part = choose_part(instance.public.edition, _trace_session, _trace_expedition)
    return part(instance, rules, turns)


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
    progress=progress, turn_numbers=compute_turn_numbers
)

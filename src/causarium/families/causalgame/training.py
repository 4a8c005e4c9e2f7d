"""What a trainer may read of an expedition on its way: numbers after each turn, and progress."""

from collections.abc import Sequence
from math import isnan

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from .model.actions import ACTIONS
from .model.expeditions import (
    Expedition,
    ExpeditionPublic,
    ExpeditionSecret,
)
from .play.expeditions.world import ExpeditionWorld
from .scoring import find_right_steps, replay_expedition
from .shared.rules import GameRules


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


TRAINING: Training[ExpeditionPublic, ExpeditionSecret, GameRules] = Training(
    progress=_progress_expedition, turn_numbers=_trace_expedition
)

"""How far a game has come: the best design tried, on the scale of `gain`."""

from collections.abc import Sequence
from math import isnan
from statistics import fmean

from causarium.contract.turn import Turn
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import AnyGame, as_session, is_twin
from causarium.families.causalgame.scoring.design_values import landmarks
from causarium.families.causalgame.scoring.pair_marks import mark_mission
from causarium.families.causalgame.turn_numbers import compute_turn_numbers


def progress(instance: AnyGame, rules: GameRules, turns: Sequence[Turn]) -> float:
    """Return what the best design tried so far gains: 0 nothing or the standard one, 1 the best."""
    numbers = compute_turn_numbers(instance, rules, turns)
    if not is_twin(instance):
        best = numbers[-1]["best_tried"] if numbers else 0.0
        scaled = landmarks(as_session(instance).secret.game).scale_survival(best)
        return 0.0 if isnan(scaled) else max(0.0, scaled)
    gains = [0.0, 0.0]
    for after in numbers:
        mission = int(after["mission"]) - 1
        if not isnan(after["best_tried"]):
            gain = mark_mission(instance, mission).gain(after["best_tried"])
            gains[mission] = max(gains[mission], gain)
    return fmean(gains)

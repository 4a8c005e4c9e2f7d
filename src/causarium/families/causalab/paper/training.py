"""What a trainer may ask: how far an episode has come, and numbers after each turn."""

from collections.abc import Sequence
from math import log

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from .levels import LabRules
from .model.instance import LabInstance, LabPublic, LabSecret
from .scoring.episode_history import equivalent, points, recall


def share_ruled_out(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> float:
    """Return the share of the equivalence class, in logarithms, that is ruled out."""
    at_start = equivalent(instance, ())
    if at_start <= 1:
        return 1.0
    rows = recall(instance, rules, turns).lab.rows[1:]
    return 1.0 - log(equivalent(instance, rows)) / log(at_start)


def number_turns(
    instance: LabInstance, rules: LabRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return what is known after each turn of an episode."""
    history = recall(instance, rules, turns)
    rows = history.lab.rows
    return [
        {
            "interventions": float(point.interventions),
            **point.numbers,
            "equivalent": float(equivalent(instance, rows[: point.interventions + 1])),
        }
        for point in points(instance, rules, history)
    ]


TRAINING: Training[LabPublic, LabSecret, LabRules] = Training(
    progress=share_ruled_out, turn_numbers=number_turns
)

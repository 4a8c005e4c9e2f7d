"""What a trainer may read of a session on its way."""

from collections.abc import Sequence

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from .model import GameInstance, GamePublic, GameRules, GameSecret
from .scoring import NEEDY, replay_session


def measure_progress(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> float:
    """Return the share of the legs that need a trial on which one was flown."""
    needy = [p for p, hidden in enumerate(instance.secret.legs) if hidden.kind in NEEDY]
    flown = replay_session(instance, rules, turns).flown
    return sum(place in flown for place in needy) / len(needy) if needy else 0.0


TRAINING: Training[GamePublic, GameSecret, GameRules] = Training(progress=measure_progress)

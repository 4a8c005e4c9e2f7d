"""What a trainer may ask of CausalGame."""

from causarium.contract.companions import Training
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import AnyPublic, AnySecret
from causarium.families.causalgame.scoring.progress import progress
from causarium.families.causalgame.turn_numbers import compute_turn_numbers

TRAINING: Training[AnyPublic, AnySecret, GameRules] = Training(
    progress=progress,
    turn_numbers=compute_turn_numbers,
)

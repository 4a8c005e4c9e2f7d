"""What a trainer may ask of CausaLab."""

from causarium.contract.companions import Training
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.instance import LabPublic, LabSecret
from causarium.families.causalab.progress import progress
from causarium.families.causalab.turn_numbers import compute_turn_numbers

TRAINING: Training[LabPublic, LabSecret, LabRules] = Training(
    progress=progress,
    turn_numbers=compute_turn_numbers,
)

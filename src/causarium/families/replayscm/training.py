"""What a trainer may ask of ReplaySCM."""

from causarium.contract.companions import Training
from .model.config import ReplayRules
from .model.instance import ReplayPublic, ReplaySecret
from .scoring.score import score_many

TRAINING: Training[ReplayPublic, ReplaySecret, ReplayRules] = Training(
    score_many=score_many,
)

"""Training signals of a published problem: many replies scored at once."""

from causarium.contract.companions import Training
from .levels import ReplayRules
from .model.instance import ReplayPublic, ReplaySecret
from .scoring.score import score_many

TRAINING: Training[ReplayPublic, ReplaySecret, ReplayRules] = Training(score_many=score_many)

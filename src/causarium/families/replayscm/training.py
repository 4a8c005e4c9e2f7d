"""What a trainer may ask of ReplaySCM."""

from causarium.contract.companions import Training
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayPublic, ReplaySecret
from causarium.families.replayscm.scoring.score import score_many

TRAINING: Training[ReplayPublic, ReplaySecret, ReplayRules] = Training(
    score_many=score_many,
)

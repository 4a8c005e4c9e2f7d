"""What a trainer may ask of CausalLink."""

from causarium.contract.companions import Training
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.instance import LinkPublic, LinkSecret
from causarium.families.causallink.progress import progress

TRAINING: Training[LinkPublic, LinkSecret, LinkRules] = Training(
    progress=progress,
)

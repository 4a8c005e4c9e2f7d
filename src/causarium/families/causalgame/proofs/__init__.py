"""What is proved of an expedition, what makes two the same, and what must break a proof."""

from causarium.contract.companions import Proofs
from ..model.expeditions import ExpeditionPublic, ExpeditionSecret
from .expeditions import (
    FAULTS,
    certify_expedition,
    find_expedition_key,
)
from .recheck import recheck_expedition

PROOFS: Proofs[ExpeditionPublic, ExpeditionSecret] = Proofs(
    certify=certify_expedition,
    recheck=recheck_expedition,
    faults=FAULTS,
    canonical_key=find_expedition_key,
)

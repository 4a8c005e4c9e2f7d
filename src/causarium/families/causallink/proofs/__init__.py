"""What is proven about an instance of CausalLink, and what tells two apart."""

from causarium.contract.companions import Proofs
from causarium.families.causallink.model.instance import LinkPublic, LinkSecret
from causarium.families.causallink.proofs.canonical_key import canonical_key
from causarium.families.causallink.proofs.certify import certify
from causarium.families.causallink.proofs.recheck import FAULTS, recheck

PROOFS: Proofs[LinkPublic, LinkSecret] = Proofs(
    certify=certify, recheck=recheck, faults=FAULTS, canonical_key=canonical_key
)

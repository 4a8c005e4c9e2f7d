"""What is proven about an instance of CausalLink, and what tells two apart."""

from causarium.contract.companions import Proofs
from causarium.families.causallink.certify import certify
from causarium.families.causallink.instance import LinkPublic, LinkSecret
from causarium.families.causallink.kin import kin
from causarium.families.causallink.probes import PROBES

PROOFS: Proofs[LinkPublic, LinkSecret] = Proofs(
    certify=certify,
    canonical_key=kin,
    probes=PROBES,
)

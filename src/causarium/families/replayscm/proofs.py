"""What is proven about an instance of ReplaySCM, and what tells two apart."""

from causarium.contract.companions import Proofs
from causarium.families.replayscm.certify import certify
from causarium.families.replayscm.evidence.leak_probes import PROBES
from causarium.families.replayscm.instance import ReplayPublic, ReplaySecret, revealed_fields
from causarium.families.replayscm.kin import kin

PROOFS: Proofs[ReplayPublic, ReplaySecret] = Proofs(
    certify=certify,
    canonical_key=kin,
    probes=PROBES,
    revealed_fields=revealed_fields,
)

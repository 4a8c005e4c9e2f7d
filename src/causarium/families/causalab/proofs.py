"""What is proven about an instance of CausaLab, and what tells two apart."""

from causarium.contract.companions import Proofs
from causarium.families.causalab.certify import certify
from causarium.families.causalab.evidence.leak_probes import PROBES
from causarium.families.causalab.instance import LabPublic, LabSecret
from causarium.families.causalab.kin import kin

PROOFS: Proofs[LabPublic, LabSecret] = Proofs(
    certify=certify,
    canonical_key=kin,
    probes=PROBES,
    # The paper edition prints values in `order` (rule `order_leak`), and what has no cause reads
    # its base.
    revealed_fields=frozenset({"order", "manipulator_bases", "reactor_bases", "record_bases"}),
)

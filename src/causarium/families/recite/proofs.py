"""What is proven about an instance of ReCITE, and what tells two apart."""

from causarium.contract.companions import Proofs
from causarium.families.recite.certify import certify
from causarium.families.recite.instance import REVEALED, RecitePublic, ReciteSecret
from causarium.families.recite.kin import kin

PROOFS: Proofs[RecitePublic, ReciteSecret] = Proofs(
    certify=certify,
    canonical_key=kin,
    revealed_fields=REVEALED,
)

"""What is proven about an instance of CausalGame, and what tells two apart."""

from causarium.contract.companions import Proofs
from causarium.families.causalgame.certify import certify
from causarium.families.causalgame.instance import AnyPublic, AnySecret
from causarium.families.causalgame.kin import kin

PROOFS: Proofs[AnyPublic, AnySecret] = Proofs(
    certify=certify,
    canonical_key=kin,
    # Names and what is said of them, which a session and its archive tell; `found` and `rows` are
    # what the archive adds and what the published numbering shows. The total of armour is told.
    revealed_fields=frozenset(
        {"name", "key", "parents", "about", "blurb", "found", "rows", "total"}
    ),
)

"""The claims on an instance, in the words of both paths."""

from collections.abc import Mapping
from enum import StrEnum

from causarium.contract.certificate import Proof


class Claim(StrEnum):
    """A claim on an instance."""

    FITS = "the true system is one of those that fit"
    OPEN = "each rule asked for is open before questions"
    SETTLED = "every item has one answer in all systems that no allowed question tells apart"
    FEWEST = "the questions allowed settle every item whatever is true, and one fewer does not"
    PLAN = "of the questions offered for a rule exactly one settles it, and two rules are left"
    KEY = "the stored answers are those of the true system"


def list_proofs(method: str, holds: Mapping[Claim, bool]) -> tuple[Proof, ...]:
    """Return a proof of each claim, all by one method."""
    return tuple(Proof(claim=claim, method=method, holds=held) for claim, held in holds.items())

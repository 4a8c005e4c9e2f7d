"""What is claimed of a table, in the words of both paths."""

from collections.abc import Mapping
from enum import StrEnum

from causarium.contract.certificate import Proof


class Claim(StrEnum):
    """What is claimed of a table."""

    ROWS = "every trial made before comes out as it is told"
    ALIKE = (
        "the trials made before come out alike whichever answer is true; where an agent has none "
        "of its own, each of them decides the answer"
    )
    FITS = "who plays which part is one of the dealings that the rules allow and all rows fit"
    DECISIVE = "some trial that the hands allow is decisive, where an agent has any"
    READ = "where an agent has no trials, what was watched leaves one answer only, the stored one"


def list_proofs(method: str, holds: Mapping[Claim, bool]) -> tuple[Proof, ...]:
    """Return a proof of each claim, all by one method."""
    return tuple(Proof(claim=claim, method=method, holds=held) for claim, held in holds.items())

"""The claims on an instance, in the words of both paths."""

from collections.abc import Mapping
from enum import StrEnum

from causarium.contract.certificate import Findings, Proof
from ..model.instance import LadderPublic


class Claim(StrEnum):
    """A claim on an instance."""

    PLAYED = "every part is played by a property of its own, one that cannot be held among them"
    MADE = "every experiment made before, and every run told in a question, reads as it is told"
    RIGHT = (
        "each answer is what all crystals say that no experiment tells apart, or unknown where "
        "they differ"
    )
    ASKED = "no property that can be held is named in two questions"


def find_claims(public: LadderPublic, method: str, holds: Mapping[Claim, bool]) -> Findings:
    """Return the findings on an instance, all claims by one method."""
    proofs = (Proof(claim=claim, method=method, holds=held) for claim, held in holds.items())
    return Findings(
        optimum=float(public.budget),
        proofs=tuple(proofs),
        extra={"arrangements": public.skeleton.arrangements},
    )

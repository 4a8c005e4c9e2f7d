"""The claims about one text."""

from collections.abc import Mapping
from enum import StrEnum

from causarium.contract.certificate import Proof


class Claim(StrEnum):
    """A statement about one text."""

    KEY = "the text as it stands, with the figures that it has, tells the stored edges"
    TWIN = "each slot that is not held differs from its twin in one passage, and so does its key"
    SIGNED = "what an answer earns on the text it loses on the twin (theorem 1)"
    NAMES = "both versions of a passage have the same names in the same order (theorem 2)"
    PASSAGES = "without any one of a slot's passages both its keys are equally likely (theorem 3)"


def list_proofs(method: str, holds: Mapping[Claim, bool]) -> tuple[Proof, ...]:
    """Return the claims as proofs."""
    return tuple(Proof(claim=claim, method=method, holds=holds[claim]) for claim in holds)

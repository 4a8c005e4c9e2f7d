"""What is proven about one instance."""

import math
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from causarium.contract.frozen import Frozen


class Proof(Frozen):
    """One statement about an instance that a machine checked, and how."""

    claim: str
    method: str
    """How it was checked: `exact search`, `constructive plan`, `replay`, …"""
    holds: bool


class Certificate(Frozen):
    """What is proven about one instance.

    `floor` and `ceiling` are the headline score of the silent and of the oracle player on this
    very instance; both are played, not assumed.
    """

    id: str
    certified: bool
    """Whether every proof holds."""
    optimum: float | None
    """What suffices, as the family counts it: the interventions of a plan that settles the case,
    the fewest where that is proven, or the best design's score; None when it is not known."""
    floor: float
    ceiling: float
    proofs: tuple[Proof, ...]
    bounds: dict[str, float] = Field(default_factory=dict)
    """What the members of each exact bound earn at most on this instance, in expectation."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """What the family adds."""

    def flat(self) -> dict[str, Any]:
        """Return the certificate as one flat object, the family's additions beside the rest."""
        value = self.model_dump(mode="json", exclude={"extra"})
        return {**self.extra, **value}

    @classmethod
    def from_flat(cls, value: Mapping[str, Any]) -> "Certificate":
        """Return the certificate that was written as one flat object.

        Raises:
            ValidationError: It is none.
        """
        mine = {name: value[name] for name in cls.model_fields if name in value}
        for name in ("floor", "ceiling"):
            if mine.get(name, 0) is None:
                mine[name] = math.nan
        extra = {name: item for name, item in value.items() if name not in cls.model_fields}
        return cls.model_validate({**mine, "extra": extra})


class Findings(Frozen):
    """What a family's `certify` finds; the floor and the ceiling are added by playing."""

    optimum: float | None
    proofs: tuple[Proof, ...]
    bounds: dict[str, float] = Field(default_factory=dict)
    """What the members of each exact bound earn at most on this instance, by its name."""
    reachable: float | None = None
    """The headline score that somebody without secrets can be sure of; None: it is not known."""
    extra: dict[str, Any] = Field(default_factory=dict)

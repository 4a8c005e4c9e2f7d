"""A row: one episode's outcome, the same whether it came from a log or from the direct runner."""

import math

from pydantic import Field, field_validator

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Facet
from causarium.contract.rules import Edition


class Row(Frozen):
    """One episode's outcome."""

    family: str
    version: str
    edition: Edition
    set: str
    agent: str
    """`player/optimal`, or the model's name."""
    interface: str
    id: str
    epoch: int = 1
    facets: dict[str, Facet]
    numbers: dict[str, float]
    labels: dict[str, str] = Field(default_factory=dict)
    turns: int
    unscored: str | None = None
    """Why there is no score; such a row is counted and left out of every mean."""

    @field_validator("numbers", mode="before")
    @classmethod
    def _null_is_nan(cls, value: object) -> object:
        if isinstance(value, dict):
            return {k: math.nan if v is None else v for k, v in value.items()}
        return value

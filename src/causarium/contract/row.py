"""A row: one episode's outcome, the same whether it came from a log or from the direct runner."""

from pydantic import Field

from causarium.contract.frozen import Frozen, Numbers
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
    numbers: Numbers
    labels: dict[str, str] = Field(default_factory=dict)
    turns: int
    unscored: str | None = None
    """Why there is no score; such a row is counted and left out of every mean."""

"""A row: one episode's outcome, the same whether it came from a log or from the direct runner."""

import math
from collections.abc import Iterable
from statistics import fmean
from typing import Any

from pydantic import Field

from causarium.contract.frozen import Frozen, Numbers
from causarium.contract.instance import Facet, Instance
from causarium.contract.rules import Edition


class Tokens(Frozen):
    """What a model read and wrote."""

    input: int = 0
    """Read, those from the provider's cache included."""
    cached: int = 0
    """Read from the provider's cache."""
    output: int = 0
    """Written, reasoning included."""
    reasoning: int = 0
    cost: float | None = None
    """In US dollars, where the price is known."""


class Usage(Frozen):
    """What one episode took."""

    agent: Tokens
    helpers: dict[str, Tokens] = Field(default_factory=dict)
    """What judges, interpreters and repairers took, by role."""
    seconds: float | None = None
    """From the first call to the last, waiting for retries left out."""
    replies: tuple[tuple[int, int, int], ...] = ()
    """Of each reply: the tokens read, those of them from a cache, and written."""


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
    answered: bool | None = None
    """Whether an answer was taken; None where an older log does not say."""
    faults: dict[str, int] = Field(default_factory=dict)
    """Replies that could not be read, or asked for what is not allowed, by kind."""
    refusals: dict[str, int] = Field(default_factory=dict)
    """What was wrong with these replies in words, without what differs from one to the next."""
    limit: str = ""
    """The kind of limit that ended the episode from outside, such as `token`; empty if none did."""
    variant: str = ""
    """What sets its run apart from others of the same agent: rules, settings; empty where there is
    one."""
    run: str = ""
    """Which earlier run it is from; empty if it is not there to be compared with."""
    unscored: str | None = None
    """Why there is no score; such a row is counted and left out of every mean."""
    usage: Usage | None = None
    """What the models of the episode took; None where no model was asked."""
    proof: str = ""
    """Why the row cannot be relied upon; empty where it was played here or its log is verified."""

    @property
    def is_doubtful(self) -> bool:
        """Whether its log was checked and its score is not what was worked out anew."""
        return self.proof not in {"", UNCHECKED, NOT_PLAYED}


ILLEGAL = "illegal move"
"""The fault of a move that was read and refused."""
CUT = "cut off"
"""The fault of a refused reply that ended at the token limit before any object was whole."""
EXCEEDED = "context exceeded"
"""The fault of a turn for which nothing could be sent: the conversation is too long."""
UNCHECKED = "not checked"
"""The proof of a row that was read from a log and not worked out anew."""
NOT_PLAYED = "not played: an error ended it"
"""The proof of a row that an error ended; it has no score."""

MECHANISM = "mechanism"
"""The facet that says what instances share; those of one mechanism are not independent."""


def find_cluster(one: Row | Instance[Any, Any]) -> Facet:
    """Return what a row or an instance shares with others: itself where its facets do not say."""
    return one.facets.get(MECHANISM, one.id)


def mechanism_per_instance(rows: Iterable[Row]) -> dict[str, Facet]:
    """Return, for each instance, what it shares with others."""
    return {row.id: find_cluster(row) for row in rows}


def mean_per_instance(rows: Iterable[Row], metric: str) -> dict[str, float]:
    """Return a metric's value for each scored instance, averaged over its epochs.

    It is nan where the metric does not apply in any epoch of the instance.
    """
    found: dict[str, list[float]] = {}
    for row in rows:
        if row.unscored is None:
            value = row.numbers.get(metric, math.nan)
            found.setdefault(row.id, []).extend([] if math.isnan(value) else [value])
    return {id_: fmean(values) if values else math.nan for id_, values in found.items()}


def agents_of(rows: Iterable[Row]) -> list[str]:
    """Return the agents of rows, models before players."""
    found = {row.agent for row in rows}
    return sorted(found, key=lambda agent: (agent.startswith("player/"), agent))

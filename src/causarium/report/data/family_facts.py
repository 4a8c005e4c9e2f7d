"""Facts of a family for reports, without its code."""

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.family_card import FamilyCard, Paper, SetSpec
from causarium.contract.frozen import Frozen, Names
from causarium.contract.row import Row
from causarium.contract.rules import EDITIONS, Edition
from causarium.contract.verdict import Metric
from causarium.errors import UnknownName


class FamilyFacts(Frozen):
    """What a family says of itself, without its code."""

    name: str
    title: str
    about: str
    short: str = ""
    """What an agent does, in a few words."""
    effort: tuple[str, ...] = ()
    """Metrics that say what an episode took."""
    version: str
    paper: Paper | None = None
    headline: dict[Edition, str]
    """The one metric of each edition."""
    numbers: tuple[str, ...] = ()
    """The metrics that tables show after it."""
    metrics: dict[str, Metric]
    """Every number that a verdict of this family can hold."""
    sets: dict[Edition, dict[str, SetSpec]] = Field(default_factory=dict)
    blind: Names = frozenset()
    """The players that answer without looking."""
    sees_truth: Names = frozenset()
    """The players that are handed the secret; they lead no table."""
    players: Names = frozenset()
    """All of the family's own players."""
    reference: str = ""
    """The player without secrets that reaches the stated optimum."""
    without_programs: dict[str, Any] = Field(default_factory=dict)
    """The rules under which no agent runs programs; empty where there are none to run."""

    def headline_of(self, edition: Edition) -> str:
        """Return the one metric of an edition."""
        return self.headline.get(edition, next(iter(self.headline.values()), ""))

    def shown(self, edition: Edition) -> tuple[str, ...]:
        """Return the metrics that tables of an edition show, the headline first."""
        return tuple(filter(None, dict.fromkeys((self.headline_of(edition), *self.numbers))))

    def falls(self, metric: str) -> bool:
        """Whether less of this metric is better."""
        return metric in self.metrics and self.metrics[metric].better == "lower"

    @property
    def shares(self) -> frozenset[str]:
        """The metrics with a mean that is a share."""
        return frozenset(name for name, metric in self.metrics.items() if metric.share)


def facts_of(family: AnyFamily) -> FamilyFacts:
    """Return what `family` says of itself."""
    players = family.players.items()
    both = FamilyFacts.model_fields.keys() & FamilyCard.model_fields.keys() - {"blind", "players"}
    return FamilyFacts(
        **{name: getattr(family.card, name) for name in both},
        name=family.name,
        metrics=dict(family.metrics),
        blind=frozenset(name for name, player in players if player.ignores_input),
        sees_truth=frozenset(name for name, player in players if player.sees_truth),
        players=frozenset(family.players),
        without_programs=dict(family.rules.without_programs),
    )


def look_up(rows: Iterable[Row]) -> dict[str, FamilyFacts]:
    """Return the facts of every family in `rows`, bare ones where it is not installed."""
    first = {row.family: row for row in reversed(list(rows))}
    return {name: _find_facts(name) or _bare_facts(row) for name, row in first.items()}


def _find_facts(name: str) -> FamilyFacts | None:
    try:
        return facts_of(families.get(name))
    except UnknownName:
        return None


def _bare_facts(row: Row) -> FamilyFacts:
    return FamilyFacts(
        name=row.family,
        title=row.family,
        about="This family is not installed here; the report knows its rows alone.",
        version=row.version,
        headline=dict.fromkeys(EDITIONS, next(iter(row.numbers), "")),
        metrics={name: Metric("", share=True) for name in row.numbers},
    )

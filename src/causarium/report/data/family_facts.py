"""What a report must know of a family and of its extra pictures, given to it as data."""

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.family_card import Bounds, Paper, PlayerClass, SetSpec, Tier
from causarium.contract.frozen import Frozen, Names
from causarium.contract.metric import Metric
from causarium.contract.row import Row
from causarium.contract.rules import EDITIONS, Edition
from causarium.errors import UnknownName

FULL = 1.0
"""What the oracle earns: full marks."""


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
    references: tuple[Bounds, ...] = ()
    blind: Names = frozenset()
    """The players whose answers do not depend on what they see."""
    sees_truth: Names = frozenset()
    """The players that are handed the secret; they lead no table."""
    players: Names = frozenset()
    """All of the family's own players."""
    classes: tuple[PlayerClass, ...] = ()
    """The classes of players that the card excludes."""
    reference: str = ""
    """The player without secrets that reaches the stated optimum."""
    not_covered: tuple[str, ...] = ()
    """Who no class covers."""
    tiers: tuple[Tier, ...] = ()
    without_programs: dict[str, Any] = Field(default_factory=dict)
    """The rules under which no agent runs programs; empty where there are none to run."""

    def headline_of(self, edition: Edition) -> str:
        """Return the one metric of an edition."""
        return self.headline.get(edition, next(iter(self.headline.values()), ""))

    def shown(self, edition: Edition) -> tuple[str, ...]:
        """Return the metrics that tables of an edition show, the headline first."""
        return tuple(filter(None, dict.fromkeys((self.headline_of(edition), *self.numbers))))

    def find_tier(self, id_: str) -> Tier | None:
        """Return the tier of an instance, by the level that its id names."""
        level = self._find_level(id_)
        return next((tier for tier in self.tiers if level in tier.levels), None)

    def excludes(self, one: PlayerClass, id_: str) -> bool:
        """Whether a class has a bound below full marks on an instance.

        Where certificates carry the bound, it has one on all levels that are not for practice.
        """
        if one.kind == "exact":
            tier = self.find_tier(id_)
            return tier is None or tier.kind != "practice"
        return one.bounds.get(self._find_level(id_), FULL) < FULL

    def _find_level(self, id_: str) -> str:
        levels = [level for tier in self.tiers for level in tier.levels]
        mine = [level for level in levels if id_.startswith(f"{self.name}-{level}-")]
        return max(mine, key=len, default="")

    def find_stated(
        self, edition: Edition, set_name: str, player: str, metric: str
    ) -> float | None:
        """Return what the card says a player scores on a set, if it does."""
        where = (edition, set_name, player, metric)
        for bounds in self.references:
            if (bounds.edition, bounds.set, bounds.player, bounds.metric) == where:
                return (bounds.low + bounds.high) / 2
        return None

    def falls(self, metric: str) -> bool:
        """Whether less of this metric is better."""
        return metric in self.metrics and self.metrics[metric].better == "lower"

    @property
    def shares(self) -> frozenset[str]:
        """The metrics whose mean is a share."""
        return frozenset(name for name, metric in self.metrics.items() if metric.share)


class Panel(Frozen):
    """A picture or passage that a family adds to the report."""

    title: str
    markup: str
    """HTML or SVG. It is trusted and goes into the page as it is: escape what comes from logs."""
    caption: str = ""
    family: str | None = None
    """The family in whose sections it stands; None puts it at the end."""


class EpisodeView(Frozen):
    """One episode in a few words and a small picture."""

    run: tuple[str, str, str, str]
    """Family, version, edition and set."""
    why: str
    """`best` or `worst`."""
    id: str
    agent: str
    outcome: str
    sentence: str
    markup: str
    """The picture, trusted as a panel's is; empty where there is none."""
    log: str = ""
    """The log that holds it."""
    epoch: int = 1


def facts_of(family: AnyFamily) -> FamilyFacts:
    """Return what `family` says of itself."""
    card = family.card
    return FamilyFacts(
        name=family.name,
        title=card.title,
        about=card.about,
        short=card.short,
        effort=card.effort,
        version=card.version,
        paper=card.paper,
        headline=card.headline,
        numbers=card.numbers,
        metrics=dict(family.metrics),
        sets=card.sets,
        references=card.references,
        blind=frozenset(name for name, player in family.players.items() if player.ignores_input),
        sees_truth=frozenset(name for name, player in family.players.items() if player.sees_truth),
        players=frozenset(family.players),
        classes=card.classes,
        reference=card.reference,
        not_covered=card.not_covered,
        tiers=card.tiers,
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

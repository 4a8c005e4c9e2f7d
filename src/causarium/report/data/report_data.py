"""The report as data: what the page, the Markdown and the JSON are all made of."""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from pydantic import Field

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.family_card import Bounds, Paper, PlayerClass, SetSpec, Tier
from causarium.contract.frozen import Frozen, Names
from causarium.contract.metric import Metric
from causarium.contract.row import Row
from causarium.contract.rules import EDITIONS, Edition
from causarium.engine.logbook.run_card import RunCard
from causarium.errors import UnknownName
from causarium.published import Grid
from causarium.report.data.compare_agents import Comparison
from causarium.report.data.outcomes import OutcomeCount, PieceCount
from causarium.report.data.published_rows import HeatGrid, PublishedValue
from causarium.report.data.scale import Placement
from causarium.report.data.summaries import (
    AgentSummary,
    Bill,
    Breakdown,
    FaultTable,
    LabelTable,
    Role,
)
from causarium.scoring.intervals import Interval

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


MOST_LANES = 8
"""So many agents have a row on the first screen; the rest are in the folded table."""


class Claim(Frozen):
    """One sentence: how it begins, set in bold, and the rest."""

    start: str
    rest: str
    family: str = ""
    """The title of the set that it speaks of."""

    def __str__(self) -> str:
        return f"{self.start} {self.rest}".strip()


class Summary(Frozen):
    """The first screen of a report."""

    title: str
    line: str
    can: tuple[Claim, ...] = ()
    cannot: tuple[Claim, ...] = ()
    unknown: tuple[Claim, ...] = ()


class Reference(Frozen):
    """A line that scores are read against."""

    name: str
    """`floor`, `chance`, `shortcut`, `reference` or `ceiling`."""
    player: str
    value: float
    played: bool
    """False when no row has it and the card's range stands in."""


class TierLine(Frozen):
    """The headline of every agent on the levels of one tier."""

    tier: Tier
    cells: dict[str, Interval]
    """By agent."""


class Section(Frozen):
    """One family, edition and set: everything that can be put in one table."""

    name: str = ""
    """The family's title, with the set where the report has several of the family."""
    facts: FamilyFacts
    version: str
    edition: Edition
    set: str
    spec: SetSpec | None
    """The set as its card describes it; None for a set of one's own."""
    instances: int
    mechanisms: int
    """How many mechanisms they are of; as many as instances where they share none."""
    rows: int
    unscored: int
    agents: tuple[AgentSummary, ...]
    falling: Names
    """Metrics of which less is better."""
    references: tuple[Reference, ...]
    breakdowns: tuple[Breakdown, ...]
    """Every headline metric by every facet, the first metric first."""
    labels: tuple[LabelTable, ...]
    comparisons: tuple[Comparison, ...]
    published: tuple[PublishedValue, ...]
    papers: tuple[Grid, ...]
    """The paper's own tables that bear on this run, in the paper's own shape."""
    commands: tuple[str, ...]
    faults: FaultTable | None = None
    """Replies that came to nothing; None if there is none."""
    cards: tuple[RunCard, ...] = ()
    """The card of every run in here that came from a log."""
    placement: Placement
    """Every agent on the set's scale, and beside the excluded classes."""
    tiers: tuple[TierLine, ...] = ()
    """The headline by tier, where the card has tiers."""
    unchecked: int = 0
    """How many rows were read from logs that nobody checked."""
    doubtful_count: bool = False
    """Whether rows that are not verified are in the means all the same."""
    outcomes: dict[str, tuple[OutcomeCount, ...]] = Field(default_factory=dict)
    """How each agent's episodes ended."""
    pieces: dict[str, tuple[PieceCount, ...]] = Field(default_factory=dict)
    """What became of the pieces of each agent's answers; empty where an answer is one thing."""
    heat: tuple[HeatGrid, ...] = ()
    """The published values of one metric, models by settings."""
    heat_metric: str = ""
    episodes: tuple[EpisodeView, ...] = ()
    """The first model's worst and best episode."""

    @property
    def unverified(self) -> int:
        """How many rows are not verified."""
        return sum(agent.unverified for agent in self.agents)

    @property
    def headline(self) -> tuple[str, ...]:
        """The metrics of the tables that some agent has a number for, the headline first."""
        shown = self.facts.shown(self.edition)
        return tuple(m for m in shown if any(m in a.metrics for a in self.agents))

    @property
    def metric(self) -> str:
        """The one metric of this edition."""
        return self.facts.headline_of(self.edition)

    @property
    def best_model(self) -> AgentSummary | None:
        """The best model; None where only people and players have played."""
        return next((agent for agent in self.agents if agent.role == "model"), None)

    @property
    def set_size(self) -> int:
        """How many instances the whole set has, as far as is known."""
        return max(self.spec.size if self.spec else 0, self.instances)

    @property
    def reference_agent(self) -> AgentSummary | None:
        """The reference player, where it has played."""
        name = f"player/{self.facts.reference}"
        return next((agent for agent in self.agents if agent.name == name), None)

    def reference(self, name: str) -> Reference | None:
        """Return the reference called `name`, if it is known."""
        return next((ref for ref in self.references if ref.name == name), None)


class Report(Frozen):
    """All of a report."""

    title: str
    sections: tuple[Section, ...]
    bills: tuple[Bill, ...] = ()
    """What every agent took on every set."""
    panels: tuple[Panel, ...] = ()
    notes: tuple[str, ...] = ()
    summary: Summary
    """What it shows first."""

    @property
    def models(self) -> tuple[str, ...]:
        """Every run of a model, the best first by the mean place on the scales they share."""
        return rank_agents(self.sections, "model")

    @property
    def model_count(self) -> int:
        """How many models there are; one under two interfaces or settings is one."""
        return len({a.name for s in self.sections for a in s.agents if a.role == "model"})

    @property
    def lanes(self) -> tuple[str, ...]:
        """Who has a row on the first screen: the best models, or players that people brought."""
        return find_lanes(self.sections)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(section.rows for section in self.sections)

    @property
    def unscored(self) -> int:
        """How many rows have no score."""
        return sum(section.unscored for section in self.sections)


def find_lanes(sections: Sequence[Section]) -> tuple[str, ...]:
    """Return who has a row on the first screen."""
    return (rank_agents(sections, "model") or rank_agents(sections, "player"))[:MOST_LANES]


def rank_agents(sections: Sequence[Section], role: Role) -> tuple[str, ...]:
    """Return the agents of a role, the best first by their mean place; our own players left out.

    Args:
        sections: The sets.
        role: Models, people or players.
    """
    places: dict[str, list[float]] = {}
    for section in sections:
        for agent in section.agents:
            own = agent.name.removeprefix("player/") in section.facts.players
            if agent.role == role and not own:
                place = section.placement.scores.get(agent.agent)
                score = place or agent.metrics.get(section.metric)
                values = places.setdefault(agent.agent, [])
                values += [score.value] if score and not math.isnan(score.value) else []
    return tuple(sorted(places, key=lambda name: (-_mean(places[name]), name)))


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else -math.inf

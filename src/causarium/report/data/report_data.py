"""The report as data: what the page, the Markdown and the JSON are all made of."""

import math
from collections.abc import Sequence
from statistics import fmean

from pydantic import Field

from causarium.contract.family_card import SetSpec
from causarium.contract.frozen import Frozen, Names
from causarium.contract.rules import Edition
from causarium.engine.logbook.run_card import RunCard
from causarium.published import Grid
from causarium.report.data.causal_profile import Profile, Spoke
from causarium.report.data.compare_agents import Comparison
from causarium.report.data.family_facts import EpisodeView, FamilyFacts, Panel
from causarium.report.data.outcomes import OutcomeCount
from causarium.report.data.published_heat import HeatGrid
from causarium.report.data.published_rows import PublishedValue
from causarium.report.data.summaries import (
    AgentSummary,
    Breakdown,
    LabelTable,
    Role,
)
from causarium.report.data.usage_summary import (
    Bill,
    FaultTable,
)
from causarium.scoring.intervals import Interval

MOST_LANES = 8
"""So many agents have a row in the profile; the rest are in the folded table."""


class Finding(Frozen):
    """One sentence: how it begins, set in bold, and the rest."""

    start: str
    rest: str

    def __str__(self) -> str:
        return f"{self.start} {self.rest}".strip()


class Reference(Frozen):
    """A line that scores are read against."""

    name: str
    """`floor`, `chance`, `shortcut`, `causal` or `ceiling`."""
    player: str
    value: float
    played: bool
    """False when no row has it and the card's range stands in."""


class Section(Frozen):
    """One family, edition and set: everything that can be put in one table."""

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
    placement: Spoke | None = None
    """Every agent between the best blind guess and the oracle; None where one of them is not
    known."""
    unchecked: int = 0
    """How many rows were read from logs that nobody checked."""
    doubtful_count: bool = False
    """Whether rows that are not verified are in the means all the same."""
    outcomes: dict[str, tuple[OutcomeCount, ...]] = Field(default_factory=dict)
    """How each agent's episodes ended; empty where the family does not say."""
    pieces: dict[str, tuple[OutcomeCount, ...]] = Field(default_factory=dict)
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
        """The headline metrics that some agent has a number for, the first one first."""
        return tuple(m for m in self.facts.headline if any(m in a.metrics for a in self.agents))

    @property
    def best_model(self) -> AgentSummary | None:
        """The best model or person; None where only players have played."""
        return next((agent for agent in self.agents if agent.role == "model"), None)

    @property
    def metric(self) -> str:
        """The metric of the one scale; the first headline metric where there is no scale."""
        if self.placement is not None:
            return self.placement.scale.metric
        return self.headline[0] if self.headline else ""

    @property
    def set_size(self) -> int:
        """How many instances the whole set has, as far as is known."""
        return max(self.spec.size if self.spec else 0, self.instances)

    @property
    def causal_agent(self) -> AgentSummary | None:
        """The causal reference player, where it has played."""
        mark = self.placement.scale.causal if self.placement else None
        name = f"player/{mark.player}" if mark else ""
        return next((agent for agent in self.agents if agent.name == name), None)

    @property
    def placed(self) -> dict[str, dict[str, Interval]]:
        """Every agent's place on the scale, and its skill where that is known, by column."""
        if self.placement is None:
            return {}
        skills = {"skill": self.placement.skills} if self.placement.skills else {}
        return {"scale": self.placement.scores, **skills}

    def reference(self, name: str) -> Reference | None:
        """Return the reference called `name`, if it is known."""
        return next((ref for ref in self.references if ref.name == name), None)


class Report(Frozen):
    """All of a report."""

    title: str
    sections: tuple[Section, ...]
    profile: Profile
    bills: tuple[Bill, ...] = ()
    """What every agent took on every set."""
    panels: tuple[Panel, ...] = ()
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What it shows, in at most three sentences."""

    @property
    def models(self) -> tuple[str, ...]:
        """Every model and person, the best first by the mean place on the scales they share."""
        return self._rank("model")

    @property
    def lanes(self) -> tuple[str, ...]:
        """Who has a row in the profile: the best models, or players that people brought."""
        return (self.models or self._rank("player"))[:MOST_LANES]

    def _rank(self, role: Role) -> tuple[str, ...]:
        places: dict[str, list[float]] = {}
        for section in self.sections:
            for agent in section.agents:
                own = agent.name.removeprefix("player/") in section.facts.players
                if agent.role == role and not own:
                    spoke = section.placement
                    place = spoke.scores.get(agent.agent) if spoke else None
                    values = places.setdefault(agent.agent, [])
                    values += [place.value] if place and not math.isnan(place.value) else []
        return tuple(sorted(places, key=lambda name: (-_mean(places[name]), name)))

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(section.rows for section in self.sections)

    @property
    def unscored(self) -> int:
        """How many rows have no score."""
        return sum(section.unscored for section in self.sections)


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else -math.inf

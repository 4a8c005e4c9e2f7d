"""The report as data: what the page, the Markdown and the JSON are all made of."""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from pydantic import Field

from causarium.contract.family_card import SetSpec
from causarium.contract.frozen import Frozen, Names
from causarium.contract.rules import Edition
from causarium.contract.rungs import list_rungs
from causarium.engine.logbook.run_card import RunCard
from causarium.published import Grid
from causarium.report.data.compare_agents import Comparison
from causarium.report.data.family_facts import FamilyFacts
from causarium.report.data.number_format import NONE, bounds, digits, show
from causarium.report.data.outcomes import OutcomeCount, PieceCount, Refusals
from causarium.report.data.summaries import (
    AgentSummary,
    Breakdown,
    FaultTable,
    LabelTable,
    Role,
)
from causarium.scoring.intervals import Interval
from causarium.scoring.reach import Reach, average_reaches


class Panel(Frozen):
    """A picture or passage that a family adds to the report."""

    title: str
    markup: str
    """HTML or SVG. It is trusted and goes into the page as it is: escape what comes from logs."""
    caption: str = ""
    family: str | None = None
    """The family of the sections that show it; None puts it at the end."""


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
    reply: str = ""
    """The first reply that was refused, as the agent wrote it, and why; empty if none was."""
    markup: str
    """The picture, trusted as a panel's is; empty where there is none."""
    log: str = ""
    """The log that holds it."""
    epoch: int = 1


MOST_LANES = 8
"""So many agents have a row on the first screen; the rest are in the folded table."""


class Summary(Frozen):
    """The first screen of a report."""

    title: str
    line: str
    why: str = ""
    """What the next command is for; empty if there is none."""
    next: str = ""
    """The one command to give next."""


class Column(NamedTuple):
    """A column of a table of scores, the same in page, Markdown and terminal."""

    name: str
    cells: tuple[tuple[str, str], ...]
    """For each agent the value and its interval, which may be empty."""
    wide: bool = False
    """Whether a terminal shows it only on demand."""


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
    """Metrics where less is better."""
    breakdowns: tuple[Breakdown, ...]
    """Every headline metric by every facet, the first metric first."""
    labels: tuple[LabelTable, ...]
    comparisons: tuple[Comparison, ...]
    papers: tuple[Grid, ...]
    """The paper's tables that belong beside this run, in the paper's own shape."""
    comparable: bool
    """Whether they are of the same edition and set."""
    commands: tuple[str, ...]
    faults: FaultTable | None = None
    """Replies that came to nothing; None if there is none."""
    cards: tuple[RunCard, ...] = ()
    """The card of every run in here that came from a log."""
    unchecked: int = 0
    """How many rows were read from logs that nobody checked."""
    doubtful_count: bool = False
    """Whether rows that are not verified are in the means all the same."""
    outcomes: dict[str, tuple[OutcomeCount, ...]] = Field(default_factory=dict)
    """How each agent's episodes ended."""
    refusals: dict[str, Refusals] = Field(default_factory=dict)
    """Why replies of each agent were refused; only of agents that had one refused."""
    pieces: dict[str, tuple[PieceCount, ...]] = Field(default_factory=dict)
    """What became of the pieces of each agent's answers; empty where an answer is one thing."""
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
    def columns(self) -> tuple[Column, ...]:
        """The table of scores, without the names of the agents; empty where nothing is scored."""
        if not self.headline:
            return ()
        agents = self.agents
        columns: list[Column] = []
        if self.rungs:
            cells = tuple(_write_reach(agent.reach) for agent in agents)
            columns.append(Column("reach", cells))
        for metric in self.headline:
            found = [agent.metrics.get(metric) for agent in agents]
            decimals = digits(one.value for one in found if one)
            name = f"{metric} ↓" if metric in self.falling else metric
            cells = tuple(_write_cell(one, decimals) for one in found)
            columns.append(Column(name, cells, wide=bool(columns)))
        columns.append(Column("n", tuple((f"{agent.n:,}", "") for agent in agents)))
        turns = tuple((show(agent.turns, 1), "") for agent in agents)
        columns.append(Column("turns", turns, wide=True))
        if self.unscored:
            missing = tuple((str(agent.unscored), "") for agent in agents)
            columns.append(Column("errors", missing))
        if any(agent.programs is not None for agent in agents):
            words = {True: "could run", False: "none", None: NONE}
            could = tuple((words[agent.programs], "") for agent in agents)
            columns.append(Column("programs", could, wide=True))
        return tuple(columns)

    @property
    def rungs(self) -> tuple[int, ...]:
        """The rungs of the set, in order; empty where it is no ladder."""
        listed = list_rungs(part.level for part in self.spec.parts) if self.spec else ()
        played = (one.rung for agent in self.agents if agent.reach for one in agent.reach.rungs)
        return listed or tuple(sorted(set(played)))

    @property
    def measure(self) -> str:
        """What the score of this set is called: `reach`, or its metric where it is no ladder."""
        return "reach" if self.rungs else self.metric

    @property
    def full(self) -> float:
        """Full marks: a rung counts one, and so does an instance that is on no ladder."""
        return float(len(self.rungs) or 1)

    def find_score(self, agent: str) -> Interval | None:
        """Return an agent's reach, or its headline where the set is no ladder."""
        mine = next((each for each in self.agents if each.agent == agent), None)
        if mine is None:
            return None
        if mine.reach is None:
            return mine.metrics.get(self.metric)
        reach = mine.reach
        return Interval(reach.value, reach.low, reach.high, n=mine.n, clusters=mine.mechanisms)

    def find_reach(self, agent: str) -> Reach | None:
        """Return an agent's reach; None where it has none."""
        return next((each.reach for each in self.agents if each.agent == agent), None)

    @property
    def strongest_program(self) -> AgentSummary | None:
        """The program without secrets that scores most, the reference left out."""
        names = {f"player/{name}" for name in self.facts.players if name != self.facts.reference}
        played = [one for one in self.agents if one.role == "player" and one.name in names]
        scored = {one.agent: self.find_score(one.agent) for one in played}
        known = [one for one in played if (s := scored[one.agent]) and not math.isnan(s.value)]
        return max(known, key=lambda one: scored[one.agent].value, default=None)  # type: ignore[union-attr]

    @property
    def marks(self) -> dict[str, float]:
        """What guessing, the strongest program and the reference score here."""
        marks = {"guessing": 0.0} if self.rungs else {}
        for name, agent in (
            ("program", self.strongest_program),
            ("reference", self.reference_agent),
        ):
            score = self.find_score(agent.agent) if agent else None
            if score is not None and not math.isnan(score.value):
                marks[name] = score.value
        return marks

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


class Report(Frozen):
    """All of a report."""

    title: str
    sections: tuple[Section, ...]
    panels: tuple[Panel, ...] = ()
    notes: tuple[str, ...] = ()
    summary: Summary
    """What it shows first."""

    @property
    def models(self) -> tuple[str, ...]:
        """Every run of a model, the best first by the mean share of full marks."""
        return rank_agents(self.sections, "model")

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
    """Return the agents of a role, the best first by their mean share; our own left out."""
    places: dict[str, list[float]] = {}
    for section in sections:
        for agent in section.agents:
            own = agent.name.removeprefix("player/") in section.facts.players
            if agent.role == role and not own:
                score = section.find_score(agent.agent)
                values = places.setdefault(agent.agent, [])
                values += (
                    [score.value / section.full] if score and not math.isnan(score.value) else []
                )
    means = {name: fmean(found) if found else -math.inf for name, found in places.items()}
    return tuple(sorted(places, key=lambda name: (-means[name], name)))


def find_mean_reach(sections: Sequence[Section], agent: str) -> Interval | None:
    """Return the mean of an agent's reaches; None unless it climbed several whole ladders alike."""
    ladders = [section for section in sections if section.rungs]
    reaches = [reach for section in ladders if (reach := section.find_reach(agent))]
    same = len({section.rungs for section in ladders}) == 1
    families = {section.facts.name for section in ladders}
    whole = len(ladders) == len(reaches) == len(families) > 1
    return average_reaches(reaches) if whole and same else None


def _write_reach(reach: Reach | None) -> tuple[str, str]:
    if reach is None:
        return NONE, ""
    return reach.in_words, bounds(Interval(reach.value, reach.low, reach.high, n=1), 1)


def _write_cell(score: Interval | None, decimals: int) -> tuple[str, str]:
    if score is None:
        return NONE, ""
    return show(score.value, decimals), bounds(score, decimals)

"""The report as data: what the page, the Markdown and the JSON are all made of."""

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from pydantic import Field

from causarium import families, published
from causarium.contract.family_card import SetSpec
from causarium.contract.frozen import Frozen, Names
from causarium.contract.row import UNCHECKED, Row, mechanism_per_instance
from causarium.contract.rules import Edition
from causarium.engine.logbook.run_card import RunCard
from causarium.published import Grid
from causarium.report.data.causal_profile import Profile, Spoke, build_profile, place_runs
from causarium.report.data.compare_agents import Comparison, compare_agents
from causarium.report.data.family_facts import EpisodeView, FamilyFacts, Panel, look_up
from causarium.report.data.findings import Finding, find_findings
from causarium.report.data.outcomes import OutcomeCount, count_outcomes, count_pieces
from causarium.report.data.published_heat import HeatGrid, build_heat
from causarium.report.data.published_rows import PublishedValue, find_published
from causarium.report.data.summaries import (
    AgentSummary,
    Breakdown,
    LabelTable,
    Role,
    RunKey,
    break_down,
    count_labels,
    group_by_agent,
    group_by_run,
    summarize_agents,
)
from causarium.report.data.usage_summary import (
    Bill,
    FaultTable,
    count_faults,
    make_bill,
    total_bills,
)
from causarium.report.data.verified_rows import leave_out_doubtful
from causarium.scoring.intervals import Interval

MOST_LANES = 8
"""So many agents have a row in the profile; the rest are in the folded table."""


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


def build_report(
    rows: Iterable[Row],
    *,
    facts: Mapping[str, FamilyFacts] | None = None,
    panels: Sequence[Panel] = (),
    commands: Sequence[str] = (),
    notes: Sequence[str] = (),
    cards: Sequence[RunCard] = (),
    doubtful_count: bool = False,
) -> Report:
    """Make the report of `rows`.

    Args:
        rows: From logs or from the direct runner, of any families.
        facts: What is known of each family; looked up by name where it is not given.
        panels: Pictures that families add.
        commands: How these rows were made, in place of the commands worked out from them.
        notes: Sentences to show at the top, such as a run being incomplete.
        cards: The cards of the runs that the rows are of.
        doubtful_count: Whether rows that are not verified are in the means all the same.
    """
    listed = list(rows) if doubtful_count else leave_out_doubtful(rows)
    order = {name: place for place, name in enumerate(families.names())}
    listed.sort(key=lambda row: order.get(row.family, len(order)))
    facts_by_family = {
        **look_up(row for row in listed if row.family not in (facts or {})),
        **(facts or {}),
    }
    spokes = place_runs(listed, facts_by_family)
    sections = tuple(
        _section(
            key,
            mine,
            facts_by_family[key.family],
            tuple(commands),
            cards=_cards_of_run(key, cards),
            spoke=spokes.get(key),
        ).model_copy(update={"doubtful_count": doubtful_count})
        for key, mine in group_by_run(listed).items()
    )
    titles = dict.fromkeys(section.facts.title for section in sections)
    report = Report(
        title=" and ".join(titles) if 1 <= len(titles) <= 2 else "Causarium report",
        sections=sections,
        profile=build_profile(spokes.values()),
        bills=_make_bills(listed, facts_by_family),
        panels=tuple(panels),
        notes=tuple(notes),
    )
    return report.model_copy(update={"findings": find_findings(report, report.models[:MOST_LANES])})


def add_episodes(report: Report, episodes: Sequence[EpisodeView]) -> Report:
    """Return a report that shows episodes on the cards of their sets."""
    sections = []
    for section in report.sections:
        run = (section.facts.name, section.version, section.edition, section.set)
        mine = tuple(episode for episode in episodes if episode.run == run)
        sections.append(section.model_copy(update={"episodes": mine}))
    return report.model_copy(update={"sections": tuple(sections)})


def _make_bills(rows: Sequence[Row], known: Mapping[str, FamilyFacts]) -> tuple[Bill, ...]:
    bills = [
        make_bill(agent, f"{known[key.family].title}, {key.edition}, {key.set}", mine)
        for key, of_run in group_by_run(rows).items()
        for agent, mine in group_by_agent(of_run).items()
    ]
    return total_bills([bill for bill in bills if bill is not None])


def _cards_of_run(key: RunKey, cards: Sequence[RunCard]) -> tuple[RunCard, ...]:
    return tuple(
        card for card in cards if (card.family, card.version, card.edition, card.set) == key
    )


def _section(
    key: RunKey,
    rows: Sequence[Row],
    facts: FamilyFacts,
    commands: tuple[str, ...],
    *,
    cards: tuple[RunCard, ...],
    spoke: Spoke | None,
) -> Section:
    first = facts.headline[0] if facts.headline else ""
    falls = facts.falls(first)
    agents = summarize_agents(
        rows, first, falls=falls, shares=facts.shares, sees_truth=facts.sees_truth
    )
    headline = [m for m in facts.headline if any(m in agent.metrics for agent in agents)]
    breakdowns = break_down(rows, headline, agents, facts.shares)
    spec = facts.sets.get(key.edition, {}).get(key.set)
    published_values = find_published(
        key,
        dict.fromkeys((*facts.headline, *((spoke.scale.metric,) if spoke else ()))),
        {each.facet: each.values for each in breakdowns},
    )
    heat_metric, heat = _find_heat(published_values, spoke, facts)
    return Section(
        facts=facts,
        version=key.version,
        edition=key.edition,
        set=key.set,
        spec=spec,
        instances=len({row.id for row in rows}),
        mechanisms=len(set(mechanism_per_instance(rows).values())),
        rows=len(rows),
        unscored=sum(agent.unscored for agent in agents),
        agents=agents,
        falling=frozenset(filter(facts.falls, facts.metrics)),
        references=_find_references(key, agents, facts, first, spoke),
        breakdowns=breakdowns,
        labels=count_labels(rows, agents),
        comparisons=compare_agents(rows, first, agents, falls=falls),
        published=published_values,
        papers=_find_papers(key.family),
        commands=commands or _card_commands(cards, spec) or _row_commands(key, rows, spec),
        faults=count_faults(group_by_agent(rows)),
        cards=cards,
        placement=spoke,
        unchecked=sum(row.proof == UNCHECKED for row in rows),
        outcomes=count_outcomes(rows),
        pieces=count_pieces(rows),
        heat=heat,
        heat_metric=heat_metric,
    )


def _find_heat(
    values: Sequence[PublishedValue], spoke: Spoke | None, facts: FamilyFacts
) -> tuple[str, tuple[HeatGrid, ...]]:
    """Return the published values of the scale's metric, or of the first that has any."""
    for metric in (*((spoke.scale.metric,) if spoke else ()), *facts.headline):
        if grids := build_heat(values, metric):
            return metric, grids
    return "", ()


def _find_papers(family: str) -> tuple[Grid, ...]:
    if family not in published.families():
        return ()
    return tuple(published.grid(table) for table in published.tables(family) if table.main)


def _find_references(
    key: RunKey,
    agents: Sequence[AgentSummary],
    facts: FamilyFacts,
    metric: str,
    spoke: Spoke | None,
) -> tuple[Reference, ...]:
    scale = spoke.scale if spoke else None
    players = {
        "floor": "silent",
        "chance": "random",
        "shortcut": scale.shortcut.player if scale and scale.shortcut else "",
        "causal": scale.causal.player if scale and scale.causal else "",
        "ceiling": "oracle",
    }
    references = []
    for name, player in players.items():
        played = [
            agent.metrics[metric].value
            for agent in agents
            if agent.name == f"player/{player}" and metric in agent.metrics
        ]
        value = played[0] if played else facts.find_stated(key.edition, key.set, player, metric)
        if value is not None:
            references.append(Reference(name=name, player=player, value=value, played=bool(played)))
    return tuple(references)


def _card_commands(cards: Sequence[RunCard], spec: SetSpec | None) -> tuple[str, ...]:
    """Return the commands that make runs again, if the cards tell them exactly."""
    exact = spec is not None and not any(card.own_agent or card.run for card in cards)
    return tuple(dict.fromkeys(shlex.join(card.command()) for card in cards)) if exact else ()


def _row_commands(key: RunKey, rows: Sequence[Row], spec: SetSpec | None) -> tuple[str, ...]:
    """Work out how these rows can be made again."""
    several = len({row.interface for row in rows}) > 1
    played: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        played.setdefault((row.agent, row.interface), set()).add(row.id)
    commands = []
    for (agent, interface), ids in played.items():
        player = agent.removeprefix("player/")
        who = ("--model", agent) if player == agent else ("--player", player)
        how = ("--rule", f"interface={interface}") if several else ()
        few = ("--limit", str(len(ids))) if spec and len(ids) < spec.size else ()
        where = ("--edition", key.edition, "--set", key.set)
        commands.append(shlex.join(("causarium", "run", key.family, *who, *where, *how, *few)))
    return tuple(commands)

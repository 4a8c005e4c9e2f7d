"""The report as data: what the page, the Markdown and the JSON are all made of."""

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from pydantic import Field

from causarium import families, published
from causarium.contract.family_card import SetSpec, Tier
from causarium.contract.frozen import Frozen, Names
from causarium.contract.row import UNCHECKED, Row, mechanism_per_instance
from causarium.contract.rules import Edition
from causarium.engine.logbook.run_card import UNKNOWN, RunCard
from causarium.published import Grid
from causarium.report.data.compare_agents import Comparison, compare_agents
from causarium.report.data.family_facts import EpisodeView, FamilyFacts, Panel, look_up
from causarium.report.data.outcomes import OutcomeCount, PieceCount, count_outcomes, count_pieces
from causarium.report.data.published_heat import HeatGrid, build_heat
from causarium.report.data.published_rows import PublishedValue, find_published
from causarium.report.data.scale import Placement, place_run
from causarium.report.data.summaries import (
    AgentSummary,
    Breakdown,
    InstanceScores,
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
from causarium.report.data.verdicts import Summary, spell, summarize_report
from causarium.report.data.verified_rows import leave_out_doubtful
from causarium.scoring.intervals import Interval

MOST_LANES = 8
"""So many agents have a row in the profile; the rest are in the folded table."""


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
        return _rank(self.sections, "model")

    @property
    def model_count(self) -> int:
        """How many models there are; one under two interfaces or settings is one."""
        return len({a.name for s in self.sections for a in s.agents if a.role == "model"})

    @property
    def lanes(self) -> tuple[str, ...]:
        """Who has a row on the first screen: the best models, or players that people brought."""
        return _find_lanes(self.sections)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(section.rows for section in self.sections)

    @property
    def unscored(self) -> int:
        """How many rows have no score."""
        return sum(section.unscored for section in self.sections)


def _find_lanes(sections: Sequence[Section]) -> tuple[str, ...]:
    return (_rank(sections, "model") or _rank(sections, "player"))[:MOST_LANES]


def _rank(sections: Sequence[Section], role: Role) -> tuple[str, ...]:
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


def _name_section(section: Section, sections: Sequence[Section]) -> str:
    """Return the short name of a set: the family's alone where it has one set in the report."""
    title = section.facts.title
    same = [each for each in sections if each.facts.title == title]
    if len(same) == 1:
        return title
    parts = (
        title,
        section.set,
        section.edition if len({each.edition for each in sections}) > 1 else "",
        section.version if len({each.version for each in same}) > 1 else "",
    )
    return " ".join(filter(None, parts))


def _name_report(sections: Sequence[Section]) -> str:
    """Say who played what, in a line."""
    models = _rank(sections, "model")
    names = {a.name for s in sections for a in s.agents if a.role == "model"}
    titles = list(
        dict.fromkeys(
            section.facts.title
            for section in sections
            if not models or any(agent.agent in models for agent in section.agents)
        )
    )
    what = titles[0] if len(titles) == 1 else f"{spell(len(titles))} causal tasks"
    if not models:
        people = any(a.role == "human" for s in sections for a in s.agents)
        return f"{'People and reference' if people else 'Reference'} players on {what}"
    if len(models) == 1:
        return f"{models[0]} on {what}"
    if len(names) == 1:
        return f"One model in {spell(len(models))} settings on {what}"
    return f"{spell(len(names)).capitalize()} models on {what}"


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
    sections = tuple(
        _section(
            key,
            mine,
            facts_by_family[key.family],
            tuple(commands),
            cards=_cards_of_run(key, cards),
        ).model_copy(update={"doubtful_count": doubtful_count})
        for key, mine in group_by_run(listed).items()
    )
    sections = tuple(
        section.model_copy(update={"name": _name_section(section, sections)})
        for section in sections
    )
    title = _name_report(sections) if sections else "Causarium report"
    return Report(
        title=title,
        sections=sections,
        summary=summarize_report(sections, _find_lanes(sections), title),
        bills=_make_bills(listed, facts_by_family),
        panels=tuple(panels),
        notes=tuple(notes),
    )


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
) -> Section:
    first = facts.headline_of(key.edition)
    falls = facts.falls(first)
    agents = summarize_agents(
        rows, first, falls=falls, shares=facts.shares, sees_truth=facts.sees_truth
    )
    agents = tuple(_add_programs(agent, cards, facts) for agent in agents)
    placement = place_run(key, rows, agents, facts, _list_digests(cards))
    shown = facts.shown(key.edition)
    headline = [m for m in shown if any(m in agent.metrics for agent in agents)]
    breakdowns = break_down(rows, headline, agents, facts.shares)
    spec = facts.sets.get(key.edition, {}).get(key.set)
    published_values = find_published(
        key,
        shown,
        {each.facet: each.values for each in breakdowns},
    )
    heat_metric, heat = _find_heat(published_values, shown)
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
        references=_find_references(key, agents, facts, first, placement),
        breakdowns=breakdowns,
        labels=count_labels(rows, agents),
        comparisons=compare_agents(rows, first, agents, falls=falls),
        published=published_values,
        papers=_find_papers(key.family),
        commands=commands or _card_commands(cards, spec) or _row_commands(key, rows, spec),
        faults=count_faults(group_by_agent(rows)),
        cards=cards,
        placement=placement,
        tiers=_score_tiers(rows, agents, facts, first),
        unchecked=sum(row.proof == UNCHECKED for row in rows),
        outcomes=count_outcomes(rows, first),
        pieces=count_pieces(rows),
        heat=heat,
        heat_metric=heat_metric,
    )


def _list_digests(cards: Sequence[RunCard]) -> frozenset[str]:
    return frozenset(card.set_digest for card in cards if card.set_digest != UNKNOWN)


def _add_programs(
    agent: AgentSummary, cards: Sequence[RunCard], facts: FamilyFacts
) -> AgentSummary:
    """Say whether an agent could run programs: one of a user's own can, a model by the rules."""
    mine = [card for card in cards if card.agent == agent.name and agent.role == "model"]
    if not mine:
        return agent
    could = any(
        card.own_agent is not None
        or any(
            str(card.rules.get(name, value)).lower() != str(value).lower()
            for name, value in facts.without_programs.items()
        )
        for card in mine
    )
    return agent.model_copy(update={"programs": could})


def _score_tiers(
    rows: Sequence[Row], agents: Sequence[AgentSummary], facts: FamilyFacts, metric: str
) -> tuple[TierLine, ...]:
    """Return the headline of every agent by tier, in the card's order."""
    by_agent = group_by_agent(rows)
    lines = []
    for tier in facts.tiers:
        cells = {}
        for agent in agents:
            mine = [row for row in by_agent[agent.agent] if facts.find_tier(row.id) == tier]
            scores = InstanceScores(mine)
            if scores.rows:
                cells[agent.agent] = scores.summarize(metric, share=metric in facts.shares)
        if cells:
            lines.append(TierLine(tier=tier, cells=cells))
    return tuple(lines)


def _find_heat(
    values: Sequence[PublishedValue], metrics: Sequence[str]
) -> tuple[str, tuple[HeatGrid, ...]]:
    """Return the published values of the headline metric, or of the first that has any."""
    for metric in metrics:
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
    placement: Placement,
) -> tuple[Reference, ...]:
    scale = placement.scale
    players = {
        "floor": "silent",
        "chance": "random",
        "shortcut": scale.shortcut.player if scale and scale.shortcut else "",
        "reference": facts.reference,
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

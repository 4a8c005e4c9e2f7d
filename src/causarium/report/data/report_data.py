"""The report as data: what the page, the Markdown and the JSON are all made of."""

import shlex
from collections.abc import Iterable, Mapping, Sequence

from causarium import published
from causarium.contract.family_card import SetSpec
from causarium.contract.frozen import Frozen
from causarium.contract.row import Row
from causarium.contract.rules import Edition
from causarium.engine.logbook.run_card import RunCard
from causarium.published import Grid
from causarium.report.data.causal_profile import Profile, build_profile
from causarium.report.data.compare_agents import Comparison, compare
from causarium.report.data.family_facts import FamilyFacts, Panel, look_up
from causarium.report.data.published_rows import Beside, published_beside
from causarium.report.data.summaries import (
    PLAYING,
    AgentSummary,
    Breakdown,
    LabelTable,
    RunKey,
    break_down,
    by_agent,
    by_run,
    count_labels,
    summarise_agents,
)
from causarium.report.data.usage_summary import Bill, FaultTable, add_up, bill, count_faults


class Reference(Frozen):
    """A line that scores are read against."""

    name: str
    """`floor`, `chance` or `ceiling`."""
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
    rows: int
    unscored: int
    agents: tuple[AgentSummary, ...]
    falling: frozenset[str]
    """Metrics of which less is better."""
    references: tuple[Reference, ...]
    breakdowns: tuple[Breakdown, ...]
    """Every headline metric by every facet, the first metric first."""
    labels: tuple[LabelTable, ...]
    comparisons: tuple[Comparison, ...]
    published: tuple[Beside, ...]
    papers: tuple[Grid, ...]
    """The paper's own tables that bear on this run, in the paper's own shape."""
    commands: tuple[str, ...]
    faults: FaultTable | None = None
    """Replies that came to nothing; None if there is none."""
    cards: tuple[RunCard, ...] = ()
    """The card of every run in here that came from a log."""

    @property
    def headline(self) -> tuple[str, ...]:
        """The headline metrics that some agent has a number for, the first one first."""
        return tuple(m for m in self.facts.headline if any(m in a.metrics for a in self.agents))

    @property
    def leader(self) -> AgentSummary | None:
        """The best model, or the best player where there is no model."""
        playing = [agent for agent in self.agents if agent.role in PLAYING]
        return playing[0] if playing else None

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

    @property
    def unscored(self) -> int:
        """How many rows have no score."""
        return sum(section.unscored for section in self.sections)


def build_report(
    rows: Iterable[Row],
    *,
    facts: Mapping[str, FamilyFacts] | None = None,
    panels: Sequence[Panel] = (),
    commands: Sequence[str] = (),
    notes: Sequence[str] = (),
    cards: Sequence[RunCard] = (),
) -> Report:
    """Make the report of `rows`.

    Args:
        rows: From logs or from the direct runner, of any families.
        facts: What is known of each family; looked up by name where it is not given.
        panels: Pictures that families add.
        commands: How these rows were made, in place of the commands worked out from them.
        notes: Sentences to show at the top, such as a run being incomplete.
        cards: The cards of the runs that the rows are of.
    """
    kept = list(rows)
    known = {**look_up(row for row in kept if row.family not in (facts or {})), **(facts or {})}
    sections = tuple(
        _section(key, mine, known[key.family], tuple(commands), _of(key, cards))
        for key, mine in by_run(kept).items()
    )
    titles = dict.fromkeys(section.facts.title for section in sections)
    return Report(
        title=" and ".join(titles) if 1 <= len(titles) <= 2 else "Causarium report",
        sections=sections,
        profile=build_profile(kept, known),
        bills=_bills(kept, known),
        panels=tuple(panels),
        notes=tuple(notes),
    )


def _bills(rows: Sequence[Row], known: Mapping[str, FamilyFacts]) -> tuple[Bill, ...]:
    found = [
        bill(agent, f"{known[key.family].title}, {key.edition}, {key.set}", mine)
        for key, of_run in by_run(rows).items()
        for agent, mine in by_agent(of_run).items()
    ]
    return add_up([one for one in found if one is not None])


def _of(key: RunKey, cards: Sequence[RunCard]) -> tuple[RunCard, ...]:
    return tuple(
        card for card in cards if (card.family, card.version, card.edition, card.set) == key
    )


def _section(
    key: RunKey,
    rows: Sequence[Row],
    facts: FamilyFacts,
    commands: tuple[str, ...],
    cards: tuple[RunCard, ...],
) -> Section:
    first = facts.headline[0] if facts.headline else ""
    falls = facts.falls(first)
    agents = summarise_agents(rows, first, falls=falls, shares=facts.shares)
    headline = [m for m in facts.headline if any(m in agent.metrics for agent in agents)]
    breakdowns = break_down(rows, headline, agents, facts.shares)
    spec = facts.sets.get(key.edition, {}).get(key.set)
    return Section(
        facts=facts,
        version=key.version,
        edition=key.edition,
        set=key.set,
        spec=spec,
        instances=len({row.id for row in rows}),
        rows=len(rows),
        unscored=sum(agent.unscored for agent in agents),
        agents=agents,
        falling=frozenset(filter(facts.falls, facts.metrics)),
        references=_references(key, agents, facts, first),
        breakdowns=breakdowns,
        labels=count_labels(rows, agents),
        comparisons=compare(rows, first, agents, falls=falls),
        published=published_beside(
            key, facts.headline, {one.facet: one.values for one in breakdowns}
        ),
        papers=_papers(key.family),
        commands=commands or _again(cards, spec) or _commands(key, rows, spec),
        faults=count_faults(by_agent(rows)),
        cards=cards,
    )


def _papers(family: str) -> tuple[Grid, ...]:
    if family not in published.families():
        return ()
    return tuple(published.grid(table) for table in published.tables(family) if table.main)


def _references(
    key: RunKey, agents: Sequence[AgentSummary], facts: FamilyFacts, metric: str
) -> tuple[Reference, ...]:
    found = []
    for name, player in (("floor", "silent"), ("chance", "random"), ("ceiling", "oracle")):
        played = [
            agent.metrics[metric].value
            for agent in agents
            if agent.name == f"player/{player}" and metric in agent.metrics
        ]
        value = played[0] if played else facts.stated(key.edition, key.set, player, metric)
        if value is not None:
            found.append(Reference(name=name, player=player, value=value, played=bool(played)))
    return tuple(found)


def _again(cards: Sequence[RunCard], spec: SetSpec | None) -> tuple[str, ...]:
    """Return the commands that make runs again, if the cards tell them exactly."""
    exact = spec is not None and not any(card.own_agent or card.run for card in cards)
    return tuple(dict.fromkeys(shlex.join(card.command()) for card in cards)) if exact else ()


def _commands(key: RunKey, rows: Sequence[Row], spec: SetSpec | None) -> tuple[str, ...]:
    """Work out how these rows can be made again."""
    several = len({row.interface for row in rows}) > 1
    played: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        played.setdefault((row.agent, row.interface), set()).add(row.id)
    found = []
    for (agent, interface), ids in played.items():
        player = agent.removeprefix("player/")
        who = ("--model", agent) if player == agent else ("--player", player)
        how = ("--rule", f"interface={interface}") if several else ()
        few = ("--limit", str(len(ids))) if spec and len(ids) < spec.size else ()
        where = ("--edition", key.edition, "--set", key.set)
        found.append(shlex.join(("causarium", "run", key.family, *who, *where, *how, *few)))
    return tuple(found)

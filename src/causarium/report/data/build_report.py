"""From rows to all that a report says, as data."""

import shlex
from collections.abc import Iterable, Mapping, Sequence

from causarium import families, published
from causarium.contract.family_card import SetSpec
from causarium.contract.row import UNCHECKED, Row, mechanism_per_instance
from causarium.engine.logbook.run_card import RunCard
from causarium.published import Grid
from causarium.report.data.causal_profile import Spoke, build_profile, place_runs
from causarium.report.data.compare_agents import compare_agents
from causarium.report.data.family_facts import EpisodeView, FamilyFacts, Panel, look_up
from causarium.report.data.findings import find_findings
from causarium.report.data.outcomes import count_outcomes, count_pieces
from causarium.report.data.published_heat import HeatGrid, build_heat
from causarium.report.data.published_rows import PublishedValue, find_published
from causarium.report.data.report_data import MOST_LANES, Reference, Report, Section
from causarium.report.data.summaries import (
    AgentSummary,
    RunKey,
    break_down,
    count_labels,
    group_by_agent,
    group_by_run,
    summarize_agents,
)
from causarium.report.data.usage_summary import (
    Bill,
    count_faults,
    make_bill,
    total_bills,
)
from causarium.report.data.verified_rows import leave_out_doubtful


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

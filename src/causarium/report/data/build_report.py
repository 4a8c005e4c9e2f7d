"""Rows to a report: everything that the page, the Markdown and the JSON show."""

import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from causarium import families, published
from causarium.contract.family_card import SetSpec
from causarium.contract.row import UNCHECKED, Row, mechanism_per_instance
from causarium.engine.logbook.run_card import UNKNOWN, RunCard
from causarium.report.data.compare_agents import compare_agents
from causarium.report.data.family_facts import FamilyFacts, look_up
from causarium.report.data.outcomes import count_outcomes, count_pieces, count_refusals
from causarium.report.data.report_data import (
    EpisodeView,
    Panel,
    Report,
    Section,
    find_lanes,
    rank_agents,
)
from causarium.report.data.summaries import (
    AgentSummary,
    RunKey,
    break_down,
    count_faults,
    count_labels,
    group_by_agent,
    group_by_run,
    leave_out_doubtful,
    summarize_agents,
)
from causarium.report.data.verdicts import spell, summarize_report


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
    models = rank_agents(sections, "model")
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
        notes: Sentences to show below the verdicts, such as a run being incomplete.
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
        summary=summarize_report(sections, find_lanes(sections), title),
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
    grouped = group_by_agent(rows)
    agents = tuple(_add_cards(one, grouped[one.agent][0], cards, facts) for one in agents)
    shown = facts.shown(key.edition)
    headline = [m for m in shown if any(m in agent.metrics for agent in agents)]
    breakdowns = break_down(rows, headline, agents, facts.shares)
    spec = facts.sets.get(key.edition, {}).get(key.set)
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
        breakdowns=breakdowns,
        labels=count_labels(rows, agents),
        comparisons=compare_agents(rows, first, agents, falls=falls),
        **_find_published(key, shown),
        commands=commands or _card_commands(cards, spec) or _row_commands(key, rows, spec),
        faults=count_faults(grouped),
        cards=cards,
        unchecked=sum(row.proof == UNCHECKED for row in rows),
        outcomes=count_outcomes(rows, first),
        refusals=count_refusals(rows),
        pieces=count_pieces(rows),
    )


def _add_cards(
    agent: AgentSummary, row: Row, cards: Sequence[RunCard], facts: FamilyFacts
) -> AgentSummary:
    """Add what the cards of an agent's own run say: which set it was, and if programs could run.

    An agent of a user's own can run programs, a model by the rules.
    """
    mine = [
        card
        for card in cards
        if (card.agent, card.label, card.run) == (row.agent, row.variant, row.run)
        and card.rules.get("interface", row.interface) == row.interface
    ]
    digests = frozenset(card.set_digest for card in mine if card.set_digest != UNKNOWN)
    if not mine or agent.role != "model":
        return agent.model_copy(update={"digests": digests})
    could = any(
        card.own_agent is not None
        or any(
            str(card.rules.get(name, value)).lower() != str(value).lower()
            for name, value in facts.without_programs.items()
        )
        for card in mine
    )
    return agent.model_copy(update={"programs": could, "digests": digests})


def _find_published(key: RunKey, shown: Collection[str]) -> dict[str, Any]:
    """Return the paper's tables that belong beside a run.

    They are those of its own set, and the main ones where the set is none of the paper's. A number
    that names no set is of the set `paper`, which has the published sizes. Only the paper edition
    is comparable: the certified edition asks other instances under other rules.
    """
    if key.family not in published.families():
        return {"papers": (), "comparable": False}
    tables = published.tables(key.family)
    every = published.rows(key.family)
    rows = [row for row in every if row.metric in shown] or every
    own = [row for row in rows if row.setting.get("set", "paper") == key.set]
    main = {table.name for table in tables if table.main}
    chosen = [row for row in own or rows if row.table in main] or own
    named = {row.table for row in chosen}
    return {
        "papers": tuple(published.grid(table) for table in tables if table.name in named),
        "comparable": key.edition == "paper" and bool(own),
    }


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

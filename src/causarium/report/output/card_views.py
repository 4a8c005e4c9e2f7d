"""What the page shows of each set beside its data: gauges, strips, bars, effort, links."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from causarium.charts.elastic import draw_key_symbol
from causarium.report.data.number_format import (
    NONE,
    format_amount,
    format_metric,
    replace_unprintable,
    show,
)
from causarium.report.data.outcomes import OutcomeCount, PieceCount
from causarium.report.data.report_data import Report, Section
from causarium.report.data.summaries import AgentSummary
from causarium.report.data.verdicts import judge, tell_loss
from causarium.report.figures.strip import draw_gauge, draw_outcomes, draw_strip, list_marks
from causarium.report.output import sentences

MOST_COLUMNS = 6
"""So many sets stand side by side in one profile."""
MOST_EFFORT = 4
_EFFORTS = {"asked": "worlds asked for", "deployments": "test flights"}
"""What some measures of effort are called."""


class LaneView(NamedTuple):
    """A row of the profile."""

    agent: str
    symbol: Markup
    mark: str
    """What stands beside the name: how many of its rows are not verified; empty where all are."""


class CellView(NamedTuple):
    """One agent on one set."""

    gauge: Markup
    number: str
    interval: str
    words: str
    standing: str
    bar: Markup
    """How its episodes ended."""
    counts: tuple[OutcomeCount, ...]
    loss: str
    facts: str
    """The name by which tests find the same number elsewhere."""


class BarView(NamedTuple):
    """How one agent's episodes ended, or what became of the pieces of its answers."""

    agent: str
    symbol: Markup
    svg: Markup
    counts: tuple[OutcomeCount, ...] | tuple[PieceCount, ...]
    total: int
    open: int
    """Episodes that were not played."""


class GridView(NamedTuple):
    """One profile: the sets side by side."""

    title: str
    columns: list[dict[str, Any]]


def view_lanes(report: Report) -> list[LaneView]:
    """Return the rows of the profile."""
    doubtful = Counter[str]()
    for section in report.sections:
        doubtful.update({agent.agent: agent.unverified for agent in section.agents})
    return [
        LaneView(
            agent,
            Markup(draw_key_symbol(number)),  # noqa: S704
            f"{doubtful[agent]:,} not verified" if doubtful[agent] else "",
        )
        for number, agent in enumerate(report.lanes)
    ]


def view_card(report: Report, section: Section, name: str) -> dict[str, Any]:
    """Gather what the card of one set shows.

    Args:
        report: The report.
        section: The set.
        name: The anchor of its card.
    """
    start, rest = sentences.family_verdict(section, report.lanes)
    efforts = _list_efforts(report, section)
    return {
        "name": name,
        "link": section.name,
        "cells": {lane: _view_cell(section, lane, n) for n, lane in enumerate(report.lanes)},
        "marks_gauge": Markup(draw_gauge(section, "", 0, None)),  # noqa: S704
        "marks_words": ", ".join(
            f"{mark.name} {show(mark.value, 2)}" for mark in list_marks(section)
        ),
        "verdict": Markup("<b>{}</b> {}").format(
            replace_unprintable(start), replace_unprintable(rest)
        ),
        "strip": Markup(draw_strip(section, report.lanes)),  # noqa: S704
        "bars": (bars := _view_bars(report, section.outcomes, section.set_size)),
        "bar_key": _join_words(bars),
        "pieces": (pieces := _view_bars(report, section.pieces)),
        "piece_key": _join_words(pieces),
        "effort": efforts[1] if any(cells for _, cells in efforts[1]) else [],
        "effort_names": efforts[0],
        "effort_beside": _has_room_beside(section, len(bars), len(pieces)),
        "players": [] if report.lanes else _list_players(section),
        "more": _tell_more(section),
    }


def shorten_agents(agents: Sequence[str]) -> dict[str, str]:
    """Return a name without its provider for each agent; the whole one where two would be alike.

    Example:
        >>> shorten_agents(["openai/gpt-5", "a/mini", "b/mini"])
        {'openai/gpt-5': 'gpt-5', 'a/mini': 'a/mini', 'b/mini': 'b/mini'}
    """
    last_words = {agent: agent.rpartition("/")[2] or agent for agent in agents}
    counts = Counter(last_words.values())
    return {agent: word if counts[word] == 1 else agent for agent, word in last_words.items()}


def make_anchor(report: Report, section: Section, number: int) -> str:
    """Return the anchor of a set's card: its family's name where that is enough."""
    names = Counter(each.facts.name for each in report.sections)
    plain = re.sub(r"[^a-z0-9_-]+", "-", section.facts.name.lower())
    return plain if names[section.facts.name] == 1 else f"{plain}-{number}"


def view_grids(views: Sequence[dict[str, Any]]) -> list[GridView]:
    """Put sets side by side, up to six in one profile, those of an edition together."""
    editions: dict[str, list[dict[str, Any]]] = {}
    placed = [view for view in views if view["it"].headline]
    several = len(placed) > MOST_COLUMNS
    for view in placed:
        editions.setdefault(view["it"].edition if several else "", []).append(view)
    return [
        GridView(f"{edition} edition" if edition else "", columns[at : at + MOST_COLUMNS])
        for edition, columns in editions.items()
        for at in range(0, len(columns), MOST_COLUMNS)
    ]


def _view_cell(section: Section, agent: str, number: int) -> CellView:
    judgement = judge(section, agent)
    gauge = Markup(draw_gauge(section, agent, number, judgement))  # noqa: S704
    counts = section.outcomes.get(agent, ())
    total = sum(count.count for count in counts)
    bar = draw_outcomes(counts, total, height=20) if total else ""
    place = section.placement.scores.get(agent)
    if place is None:
        mine = next((each for each in section.agents if each.agent == agent), None)
        place = mine.metrics.get(section.metric) if mine else None
    value = "" if place is None else show(place.value, 2).replace("-", "−")
    ends = ""
    if place is not None and not math.isnan(place.low):
        ends = f"{show(place.low, 2)} to {show(place.high, 2)}".replace("-", "−")
    return CellView(
        gauge=gauge,
        number=value,
        interval=ends,
        words=judgement.words,
        standing=judgement.standing,
        bar=Markup(bar),  # noqa: S704
        counts=counts,
        loss=judgement.sentence or tell_loss(counts),
        facts=f"{agent}/{section.facts.name}/{section.edition}/{section.set}/place",
    )


def _view_bars(
    report: Report,
    by_agent: Mapping[str, tuple[OutcomeCount, ...]] | Mapping[str, tuple[PieceCount, ...]],
    whole: int = 0,
) -> list[BarView]:
    """Return a bar an agent of the profile; one that stands alone shows what is not played too."""
    bars = []
    names = shorten_agents(report.lanes)
    for number, agent in enumerate(report.lanes):
        counts = by_agent.get(agent, ())
        played = sum(count.count for count in counts)
        if not played:
            continue
        alone = len(report.models) == 1
        total = max(played, whole) if alone else played
        svg = Markup(draw_outcomes(counts, total, height=20 if alone else 14))  # noqa: S704
        symbol = Markup(draw_key_symbol(number))  # noqa: S704
        bars.append(BarView(names[agent], symbol, svg, counts, total, total - played))
    return bars


def _join_words(bars: Sequence[BarView]) -> list[tuple[str, str]]:
    """Return every ending that occurs with its colour, over all agents."""
    return list(dict.fromkeys((count.ending, count.shade) for bar in bars for count in bar.counts))


def _list_efforts(
    report: Report, section: Section
) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return what an episode took: the agents across, and a line for each measure."""
    mine = [a for lane in report.lanes for a in section.agents if a.agent == lane][:2]
    reference = section.reference_agent
    agents = [*mine, *([reference] if reference and reference not in mine else [])]
    short = shorten_agents(report.lanes)
    names = [short[a.agent] for a in mine] + (
        ["reference player"] if len(agents) > len(mine) else []
    )
    lines: list[tuple[str, list[str]]] = []
    for metric in section.facts.effort:
        values = [_mean(agent, metric) for agent in agents]
        if any(not math.isnan(value) for value in values):
            share = metric in section.facts.shares
            lines.append(
                (
                    _EFFORTS.get(metric, format_metric(metric)) + ("" if share else " an episode"),
                    [_show_share(value) if share else format_amount(value) for value in values],
                )
            )
    lines.append(("turns an episode", [format_amount(agent.turns) for agent in agents]))
    for name, field in (("tokens written", "output"), ("seconds", "seconds")):
        values = [getattr(a.spending, field) if a.spending else math.nan for a in agents]
        if any(value >= 1 for value in values):
            lines.append((f"{name} an episode", [format_amount(value) for value in values]))
    return names, lines[:MOST_EFFORT] if mine else []


def _has_room_beside(section: Section, bars: int, pieces: int) -> bool:
    """Say whether the published values leave room for the effort below them; in lines of text."""
    grids = section.heat
    right = len(grids[0].lines) + 4 if grids else 1
    left = 9 + 2 * bars + (3 + pieces if pieces else 0)
    return right < left


def _show_share(value: float) -> str:
    return NONE if math.isnan(value) else f"{100 * value:.0f} %"


def _mean(agent: AgentSummary, metric: str) -> float:
    return agent.metrics[metric].value if metric in agent.metrics else math.nan


def _list_players(section: Section) -> list[tuple[str, str]]:
    """Return who has played and what each earned, best first."""
    metric = section.metric
    scores = {a.agent: a.metrics[metric].value for a in section.agents if metric in a.metrics}
    sign = 1 if section.facts.falls(metric) else -1
    order = sorted(scores, key=lambda name: (sign * scores[name], name))
    return [(name.removeprefix("player/"), show(scores[name])) for name in order]


def _tell_more(section: Section) -> str:
    parts = [sentences.count_noun(len(section.agents), "agent")]
    facets = dict.fromkeys(each.facet for each in section.breakdowns)
    if facets:
        parts.append(f"by {', '.join(facet.replace('_', ' ') for facet in list(facets)[:5])}")
    if section.comparisons:
        parts.append(sentences.count_noun(len(section.comparisons), "comparison"))
    parts += ["pictures", "run cards and commands"]
    return "; ".join(parts)

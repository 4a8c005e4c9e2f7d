"""What the page shows of each set beside its data: gauges, bars, effort, links."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from causarium.charts.elastic import (
    draw_elastic,
    draw_key_symbol,
    draw_shares,
    draw_symbol,
    draw_upright,
    draw_whisker,
    draw_zone,
    name_colour,
)
from causarium.contract.frozen import replace_unprintable
from causarium.report.data.number_format import (
    NONE,
    format_amount,
    format_metric,
    show,
    tell_ends,
)
from causarium.report.data.outcomes import OutcomeCount, PieceCount
from causarium.report.data.report_data import Report, Section
from causarium.report.data.verdicts import judge
from causarium.report.output import sentences
from causarium.scoring.reach import Reach

HEIGHT = 30.0
_GAP = 0.004
"""Between two cells, as a share of the width."""


def draw_cells(
    reach: Reach | None, rungs: Sequence[int], number: int, *, top: float = 4, height: float = 22
) -> str:
    """Return a ladder as a row of cells, each filled from below by an agent's mean score."""
    means = {one.rung: one.mean for one in reach.rungs} if reach else {}
    width, parts = 1 / len(rungs), []
    for place, rung in enumerate(rungs):
        start, end = place * width, (place + 1) * width - _GAP
        parts.append(draw_zone(start, end, top, height, "z1"))
        tall = height * min(max(means.get(rung, 0.0), 0.0), 1.0)
        if tall:
            parts.append(draw_zone(start, end, top + height - tall, tall, name_colour(number)))
    return "".join(parts)


def draw_gauge(section: Section, agent: str, number: int, *, marked: bool = True) -> str:
    """Return an agent's score on one set: cells of a ladder, or one bar; empty if not played."""
    score = section.find_score(agent)
    if score is None or math.isnan(score.value):
        return ""
    rungs, full = section.rungs, section.full
    middle = HEIGHT / 2
    if rungs:
        body = [draw_cells(section.find_reach(agent), rungs, number)]
    else:
        low, high, value = (min(max(end, 0.0), 1.0) for end in (score.low, score.high, score.value))
        body = [draw_zone(0, 1, 4, HEIGHT - 8, "z1")]
        body += [draw_whisker(low, high, middle, number)] if score.low < score.high else []
        body.append(draw_symbol(value, middle, number))
    marks = {name: value / full for name, value in section.marks.items() if name != "guessing"}
    kinds = {"program": "ref shortcut", "reference": "ref"}
    body += [draw_upright(at, 0, HEIGHT, kinds[name]) for name, at in marks.items() if marked]
    words = f"{section.name}, {agent}: {section.measure} {tell_score(section, agent)}"
    return draw_elastic(HEIGHT, "".join(body), replace_unprintable(words))


def tell_score(section: Section, agent: str) -> str:
    """Write an agent's score and its interval for people who listen."""
    number, ends = write_score(section, agent)
    return f"{number}{', from ' * bool(ends)}{ends}"


def write_score(section: Section, agent: str) -> tuple[str, str]:
    """Write an agent's score and its interval: a reach with one decimal, other scores with two."""
    score, reach = section.find_score(agent), section.find_reach(agent)
    if score is None:
        return "", ""
    number = reach.in_words if reach else show(score.value, 2)
    ends = tell_ends(score, 1 if reach else 2)
    return number.replace("-", "−"), ends.replace("-", "−")


def draw_outcomes(
    counts: Sequence[OutcomeCount] | Sequence[PieceCount], total: int, *, height: float = 20
) -> str:
    """Return how episodes ended as one bar; what was not played is left open."""
    parts = [(f"f-{count.shade}", count.count / total) for count in counts]
    label = ", ".join(f"{count.ending} {count.count}" for count in counts)
    return draw_shares(parts, label, height)


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
    """What is said before the score: failed on format, cut short; empty if nothing is."""
    bar: Markup
    """How its episodes ended."""
    counts: tuple[OutcomeCount, ...]
    failure: str
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
    """Gather what the card of one set shows; `name` is its anchor."""
    start, rest = sentences.family_verdict(section, report.lanes)
    efforts = _list_efforts(report, section)
    return {
        "name": name,
        "link": section.name,
        "cells": {lane: _view_cell(section, lane, n) for n, lane in enumerate(report.lanes)},
        "marks": [
            (name, show(value, 1 if section.rungs else 2)) for name, value in section.marks.items()
        ],
        "verdict": Markup("<b>{}</b> {}").format(
            replace_unprintable(start), replace_unprintable(rest)
        ),
        "bars": (bars := _view_bars(report, section.outcomes, section.set_size)),
        "bar_key": _join_words(bars),
        "pieces": (pieces := _view_bars(report, section.pieces)),
        "piece_key": _join_words(pieces),
        "effort": efforts[1] if any(cells for _, cells in efforts[1]) else [],
        "effort_names": efforts[0],
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
    counts = section.outcomes.get(agent, ())
    total = sum(count.count for count in counts)
    bar = draw_outcomes(counts, total, height=20) if total else ""
    value, ends = write_score(section, agent)
    return CellView(
        gauge=Markup(draw_gauge(section, agent, number)),  # noqa: S704
        number=value,
        interval=ends,
        words=judgement.words,
        bar=Markup(bar),  # noqa: S704
        counts=counts,
        failure=judgement.sentence,
        facts=f"{agent}/{section.facts.name}/{section.edition}/{section.set}/score",
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
        found = [agent.metrics.get(metric) for agent in agents]
        values = [math.nan if one is None else one.value for one in found]
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


def _show_share(value: float) -> str:
    return NONE if math.isnan(value) else f"{100 * value:.0f} %"


def _list_players(section: Section) -> list[tuple[str, str]]:
    """Return who has played and what each scored, best first."""
    scores = {
        a.agent: score.value for a in section.agents if (score := section.find_score(a.agent))
    }
    sign = 1 if section.facts.falls(section.metric) else -1
    order = sorted(scores, key=lambda name: (sign * scores[name], name))
    digits = 1 if section.rungs else 3
    return [(name.removeprefix("player/"), show(scores[name], digits)) for name in order]


def _tell_more(section: Section) -> str:
    parts = [sentences.count_noun(len(section.agents), "agent")]
    facets = dict.fromkeys(each.facet for each in section.breakdowns)
    if facets:
        parts.append(f"by {', '.join(facet.replace('_', ' ') for facet in list(facets)[:5])}")
    if section.comparisons:
        parts.append(sentences.count_noun(len(section.comparisons), "comparison"))
    parts += ["pictures", "run cards and commands"]
    return "; ".join(parts)

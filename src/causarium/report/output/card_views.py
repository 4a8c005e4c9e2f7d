"""What the page shows of each set beside its data: gauges, strips, bars, effort, links."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from markupsafe import Markup

from causarium.charts.elastic import (
    draw_elastic,
    draw_key_symbol,
    draw_label,
    draw_published,
    draw_shares,
    draw_symbol,
    draw_upright,
    draw_value,
    draw_whisker,
    draw_zone,
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
from causarium.report.data.scale import Scale
from causarium.report.data.verdicts import Judgement, judge
from causarium.report.output import sentences
from causarium.scoring.intervals import Interval

HEIGHT = 34.0
LOW, HIGH = -0.3, 1.06
"""What a gauge spans; an agent beyond it sits at the edge."""
NEAR = 0.02
"""Marks as near as this are not drawn apart."""


def place_share(place: float) -> float:
    """Return how far along a gauge a place on the scale stands."""
    return (min(max(place, LOW), HIGH) - LOW) / (HIGH - LOW)


def draw_ground(scale: Scale, top: float, height: float) -> str:
    """Return what every gauge of a set has: zones, and a line for each mark."""
    places = {name: mark.place for name, mark in scale.marks.items()}
    if places.get("reference", 0.0) >= 1 - NEAR:
        del places["reference"]
    shares = {name: place_share(place) for name, place in places.items()}
    lines = (
        draw_upright(share, top - 4, top + height + 4, f"ref {name}".removesuffix(" reference"))
        for name, share in shares.items()
    )
    return "".join((_draw_zones(shares, top, height), *lines))


def _draw_zones(shares: Mapping[str, float], top: float, height: float) -> str:
    """Draw the ground between marks, each at a share of the width."""
    guess, oracle = shares["guess"], shares["oracle"]
    first = max(shares["shortcut"], guess) if "shortcut" in shares else oracle
    second = max(shares["reference"], first) if "reference" in shares else oracle
    ends = (0.0, guess, first, second, oracle)
    zones = zip(pairwise(ends), ("z0", "z1", "z2", "z3"), strict=True)
    return "".join(draw_zone(low, high, top, height, name) for (low, high), name in zones)


def draw_gauge(section: Section, agent: str, number: int, judgement: Judgement | None) -> str:
    """Return an agent's gauge on one set, in the colour of its number; empty if it did not play."""
    scale = section.placement.scale
    if scale is None:
        return ""
    ground = draw_ground(scale, 4, HEIGHT - 8)
    title = replace_unprintable(", ".join(filter(None, (section.name, agent))))
    place = section.placement.scores.get(agent)
    if place is None or math.isnan(place.value) or judgement is None:
        return draw_elastic(HEIGHT, ground, f"{title}: {'not played' if agent else 'marks alone'}")
    middle = HEIGHT / 2
    body = [ground]
    if not math.isnan(place.low):
        body.append(draw_whisker(place_share(place.low), place_share(place.high), middle, number))
    few = judgement.standing == "too few"
    body.append(draw_symbol(place_share(place.value), middle, number, hollow=few))
    words = f"{title}: {tell_place(place)}; {judgement.words}"
    return draw_elastic(HEIGHT, "".join(body), words)


def tell_place(place: Interval) -> str:
    """Write a place with its interval for people who listen."""
    ends = tell_ends(place, 2)
    return f"{show(place.value, 2)}{' from ' * bool(ends)}{ends}".replace("-", "−")


STAIR = 13
"""How much higher each further label stands, so that labels never meet."""


class Lane(NamedTuple):
    """One agent's raw score; its number decides colour and shape."""

    number: int
    agent: str
    score: Interval


def join_labels(marks: Mapping[str, float]) -> list[tuple[float, str]]:
    """Return where labels stand and what they say; marks that are near share one."""
    groups: list[list[str]] = []
    for name, value in marks.items():
        if groups and abs(marks[groups[-1][0]] - value) < NEAR:
            groups[-1].append(name)
        else:
            groups.append([name])
    values = [marks[group[-1]] for group in groups]
    return [(at, f"{' = '.join(group)} {at:.2f}") for at, group in zip(values, groups, strict=True)]


def list_marks(section: Section) -> dict[str, float]:
    """Return the raw values of a section's marks; none where there is no scale."""
    scale = section.placement.scale
    return {name: mark.value for name, mark in scale.marks.items()} if scale else {}


def draw_strip(section: Section, lanes: Sequence[str]) -> str:
    """Return the raw scores of agents on one set, with labelled marks and published values."""
    metric = section.metric
    scores = {a.agent: a.metrics[metric] for a in section.agents if metric in a.metrics}
    mine = [
        Lane(number, name, scores[name])
        for number, name in enumerate(lanes)
        if name in scores and not math.isnan(scores[name].value)
    ]
    marks = list_marks(section)
    if not marks and not mine:
        return ""
    ends = [*marks.values()] + [end for lane in mine for end in _ends(lane.score)]
    low, high = min(0.0, *ends), max(1.0, *ends)

    def share(value: float) -> float:
        return (value - low) / (high - low)

    labels = join_labels(marks)
    top = 12 + STAIR * max(len(labels), 1)
    tall = 40 if len(mine) == 1 else 22 if len(mine) <= 3 else 16
    theirs = [value for value in section.published if low <= value <= high]
    bottom = top + max(tall * len(mine), 24) + (12 if theirs else 0)
    shares = {name: share(value) for name, value in marks.items()}
    if marks and shares["guess"] <= shares["oracle"]:
        body = [_draw_zones(shares, top, bottom - top)]
    else:
        body = [draw_zone(0, 1, top, bottom - top, "z1")]
    body += [
        draw_upright(at, top - 6, bottom, f"ref {name}".removesuffix(" reference"))
        for name, at in shares.items()
    ]
    body += [
        draw_label(share(value), top - 10 - STAIR * number, words)
        for number, (value, words) in enumerate(labels)
    ]
    body += [draw_published(share(value), bottom - 7) for value in theirs]
    for row, lane in enumerate(mine):
        body += _draw_lane(lane, share, top + tall * (row + 0.5))
    ticks = (0, 0.25, 0.5, 0.75, 1) if (low, high) == (0.0, 1.0) else (low, high)
    body += [draw_label(share(tick), bottom + 16, f"{tick:g}") for tick in ticks]
    words = [words for _, words in labels]
    words += [f"{lane.agent} {show(lane.score.value)}" for lane in mine]
    label = replace_unprintable(f"{section.facts.title}, {metric}: {', '.join(words)}")
    return draw_elastic(bottom + 20, "".join(body), label)


def _ends(score: Interval) -> list[float]:
    return [end for end in (score.value, score.low, score.high) if not math.isnan(end)]


def _draw_lane(lane: Lane, share: Callable[[float], float], y: float) -> list[str]:
    ends = [share(end) for end in _ends(lane.score)]
    if max(ends) >= 0.85 and min(ends) <= 0.15:
        # No room beyond the interval: the number stands on it, beside the symbol.
        ends.append(middle := share(lane.score.value))
        right = middle < 0.5
        x = middle + (0.025 if right else -0.025)
    else:
        right = max(ends) < 0.85
        x = max(ends) + 0.02 if right else min(ends) - 0.02
    return [
        draw_whisker(min(ends), max(ends), y, lane.number, 3),
        draw_symbol(share(lane.score.value), y, lane.number),
        draw_value(x, y + 4, show(lane.score.value), right=right),
    ]


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
    standing: str
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
        "marks_gauge": Markup(draw_gauge(section, "", 0, None)),  # noqa: S704
        "marks_words": ", ".join(
            f"{name} {show(value, 2)}" for name, value in list_marks(section).items()
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
    return CellView(
        gauge=gauge,
        number=value,
        interval="" if place is None else tell_ends(place, 2).replace("-", "−"),
        words=judgement.words,
        standing=judgement.standing,
        bar=Markup(bar),  # noqa: S704
        counts=counts,
        failure=judgement.sentence,
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

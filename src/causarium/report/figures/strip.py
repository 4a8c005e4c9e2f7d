"""Gauges and strips: agents on one set beside the marks they are read against, and their ends."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from causarium.charts.elastic import (
    draw_dots,
    draw_elastic,
    draw_label,
    draw_published,
    draw_shares,
    draw_symbol,
    draw_upright,
    draw_value,
    draw_whisker,
    draw_zone,
)
from causarium.report.data.family_facts import FULL
from causarium.report.data.number_format import replace_unprintable, show
from causarium.report.data.outcomes import OutcomeCount, PieceCount
from causarium.report.data.report_data import Section
from causarium.report.data.scale import Scale
from causarium.report.data.verdicts import Judgement
from causarium.scoring.intervals import Interval

HEIGHT = 34.0
LOW, HIGH = -0.3, 1.06
"""What a gauge spans; an agent beyond it sits at the edge."""
NEAR = 0.02
"""Marks as near as this are not drawn apart."""


def _share(place: float) -> float:
    return (min(max(place, LOW), HIGH) - LOW) / (HIGH - LOW)


def _draw_ground(scale: Scale, top: float, height: float) -> str:
    shortcut = scale.shortcut.place if scale.shortcut else math.nan
    reference = scale.reference.place if scale.reference else math.nan
    if not reference < 1 - NEAR:
        reference = math.nan
    first = 1.0 if math.isnan(shortcut) else max(shortcut, 0.0)
    second = 1.0 if math.isnan(reference) else max(reference, first)
    zones = [
        draw_zone(0, _share(0), top, height, "z0"),
        draw_zone(_share(0), _share(first), top, height, "z1"),
        draw_zone(_share(first), _share(second), top, height, "z2"),
        draw_zone(_share(second), _share(1), top, height, "z3"),
    ]
    lines = [draw_upright(_share(0), top - 4, top + height + 4, "ref guess")]
    if not math.isnan(shortcut):
        lines.append(draw_upright(_share(shortcut), top - 4, top + height + 4, "ref shortcut"))
    if not math.isnan(reference):
        lines.append(draw_upright(_share(reference), top - 4, top + height + 4, "ref"))
    lines.append(draw_upright(_share(1), top - 4, top + height + 4, "ref oracle"))
    return "".join((*zones, *lines))


def draw_gauge(section: Section, agent: str, number: int, judgement: Judgement | None) -> str:
    """Return one agent's gauge on one set; an empty one where it has not played.

    Args:
        section: The set.
        agent: Who; its colour and shape go by `number`.
        number: Its place among the agents, counted from 0.
        judgement: What is said of it; None for the marks alone.
    """
    scale = section.placement.scale
    if scale is None:
        return ""
    ground = _draw_ground(scale, 4, HEIGHT - 8)
    title = replace_unprintable(", ".join(filter(None, (section.name, agent))))
    place = section.placement.scores.get(agent)
    if place is None or math.isnan(place.value) or judgement is None:
        return draw_elastic(HEIGHT, ground, f"{title}: {'not played' if agent else 'marks alone'}")
    middle = HEIGHT / 2
    body = [ground]
    if judgement.standing == "cut off":
        body += [
            draw_dots(_share(place.value), _share(judgement.reach), middle, number),
            draw_upright(_share(judgement.reach), middle - 5, middle + 5, f"a{number + 1}"),
        ]
    if not math.isnan(place.low):
        body.append(draw_whisker(_share(place.low), _share(place.high), middle, number))
    few = judgement.standing == "too few"
    body.append(draw_symbol(_share(place.value), middle, number, hollow=few))
    words = f"{title}: {tell_place(place)}; {judgement.words}"
    return draw_elastic(HEIGHT, "".join(body), words)


def tell_place(place: Interval) -> str:
    """Write a place with its interval for people who listen."""
    number = f"{show(place.value, 2)}"
    if not math.isnan(place.low):
        number += f" from {show(place.low, 2)} to {show(place.high, 2)}"
    return number.replace("-", "−")


STAIR = 13
"""How much higher each further label stands, so that labels never meet."""


class RawMark(NamedTuple):
    """A reference player's score, with its name and the class of its line."""

    value: float
    name: str
    line: str


class Lane(NamedTuple):
    """One agent's raw score; its number decides colour and shape."""

    number: int
    agent: str
    score: Interval


def list_marks(section: Section) -> list[RawMark]:
    """Return the marks of a section from guess to oracle; none where there is no scale."""
    scale = section.placement.scale
    if scale is None:
        return []
    marks = [RawMark(scale.zero, "guess", "guess")]
    if scale.shortcut is not None:
        marks.append(RawMark(scale.shortcut.value, "shortcut", "shortcut"))
    if scale.reference is not None:
        marks.append(RawMark(scale.reference.value, "reference", ""))
    return [*marks, RawMark(FULL, "oracle", "oracle")]


def join_labels(marks: Sequence[RawMark]) -> list[tuple[float, str]]:
    """Return where labels stand and what they say; marks that are near share one."""
    groups: list[list[RawMark]] = []
    for mark in marks:
        if groups and abs(groups[-1][0].value - mark.value) < NEAR:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    return [
        (group[-1].value, f"{' = '.join(mark.name for mark in group)} {group[-1].value:.2f}")
        for group in groups
    ]


def draw_strip(section: Section, lanes: Sequence[str]) -> str:
    """Return the raw scores of agents on one set, with labelled marks and published values.

    Args:
        section: The set.
        lanes: The agents in the order of the profile.
    """
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
    ends = [mark.value for mark in marks] + [end for lane in mine for end in _ends(lane.score)]
    low, high = min(0.0, *ends), max(1.0, *ends)

    def share(value: float) -> float:
        return (value - low) / (high - low)

    labels = join_labels(marks)
    top = 12 + STAIR * max(len(labels), 1)
    tall = 40 if len(mine) == 1 else 22 if len(mine) <= 3 else 16
    theirs = [value for value in _published_values(section) if low <= value <= high]
    bottom = top + max(tall * len(mine), 24) + (12 if theirs else 0)
    body = [_draw_zones(marks, share, top, bottom - top)]
    body += [
        draw_upright(share(mark.value), top - 6, bottom, f"ref {mark.line}".strip())
        for mark in marks
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


def _draw_zones(
    marks: Sequence[RawMark], share: Callable[[float], float], top: float, height: float
) -> str:
    if not marks:
        return draw_zone(0, 1, top, height, "z1")
    values = {mark.name: mark.value for mark in marks}
    guess, oracle = share(values["guess"]), share(values["oracle"])
    if guess > oracle:
        return draw_zone(0, 1, top, height, "z1")
    first = max(share(values["shortcut"]), guess) if "shortcut" in values else oracle
    second = max(share(values["reference"]), first) if "reference" in values else oracle
    return "".join(
        (
            draw_zone(0, guess, top, height, "z0"),
            draw_zone(guess, first, top, height, "z1"),
            draw_zone(first, second, top, height, "z2"),
            draw_zone(second, oracle, top, height, "z3"),
        )
    )


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


def _published_values(section: Section) -> list[float]:
    """Return the published values of the strip's own metric, each once."""
    values = [value.row.value for value in section.published if value.row.metric == section.metric]
    return sorted(set(values))


def draw_outcomes(
    counts: Sequence[OutcomeCount] | Sequence[PieceCount], total: int, *, height: float = 20
) -> str:
    """Return how episodes ended as one bar; what was not played is left open."""
    parts = [(f"f-{count.shade}", count.count / total) for count in counts]
    label = ", ".join(f"{count.ending} {count.count}" for count in counts)
    return draw_shares(parts, label, height)

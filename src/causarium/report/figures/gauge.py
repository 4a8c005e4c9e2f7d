"""Gauges: where agents stand between guess and oracle, on one scale for all families."""

import math

from causarium.charts.elastic import (
    draw_dots,
    draw_elastic,
    draw_symbol,
    draw_upright,
    draw_whisker,
    draw_zone,
)
from causarium.report.data.number_format import replace_unprintable, show
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

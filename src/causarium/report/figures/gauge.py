"""Gauges: where agents stand between guess and oracle, on one scale for all families."""

import math

from causarium.charts.elastic import (
    draw_elastic,
    draw_label,
    draw_symbol,
    draw_upright,
    draw_whisker,
    draw_zone,
)
from causarium.report.data.causal_profile import Scale
from causarium.report.data.number_format import replace_unprintable, show
from causarium.report.data.place_words import is_too_few, name_place
from causarium.report.data.report_data import Section
from causarium.scoring.intervals import Interval

LOW, HIGH = -0.55, 1.06
"""What a gauge spans; an agent beyond it sits at the edge."""
NEAR = 0.02
"""Marks as near as this are not drawn apart."""


def _share(place: float) -> float:
    return (min(max(place, LOW), HIGH) - LOW) / (HIGH - LOW)


def _is_apart(scale: Scale) -> bool:
    """Say whether the causal mark lies beyond the shortcut and before the oracle."""
    return scale.causal is not None and scale.causal.place < 1 - NEAR


def _draw_ground(scale: Scale, top: float, height: float) -> str:
    shortcut = scale.shortcut.place if scale.shortcut else math.nan
    causal = scale.causal.place if scale.causal and _is_apart(scale) else math.nan
    first = 1.0 if math.isnan(shortcut) else max(shortcut, 0.0)
    second = 1.0 if math.isnan(causal) else max(causal, first)
    zones = [
        draw_zone(0, _share(0), top, height, "z0"),
        draw_zone(_share(0), _share(first), top, height, "z1"),
        draw_zone(_share(first), _share(second), top, height, "z2"),
        draw_zone(_share(second), _share(1), top, height, "z3"),
    ]
    lines = [draw_upright(_share(0), top - 4, top + height + 4, "ref guess")]
    if not math.isnan(shortcut):
        lines.append(draw_upright(_share(shortcut), top - 4, top + height + 4, "ref shortcut"))
    if not math.isnan(causal):
        lines.append(draw_upright(_share(causal), top - 4, top + height + 4, "ref"))
    lines.append(draw_upright(_share(1), top - 4, top + height + 4, "ref oracle"))
    return "".join((*zones, *lines))


def draw_gauge(section: Section, agent: str, number: int, *, tall: bool) -> str:
    """Return one agent's gauge on one set; an empty one where it has not played.

    Args:
        section: The set.
        agent: Who; its colour and shape go by `number`.
        number: Its place in the profile, counted from 0.
        tall: Whether there is room for a tall lane.
    """
    spoke = section.placement
    if spoke is None:
        return ""
    height = 40.0 if tall else 26.0
    ground = _draw_ground(spoke.scale, 4, height - 8)
    title = replace_unprintable(", ".join(filter(None, (section.facts.title, agent))))
    place = spoke.scores.get(agent)
    if place is None or math.isnan(place.value):
        return draw_elastic(height, ground, f"{title}: {'not played' if agent else 'marks alone'}")
    middle, few = height / 2, is_too_few(place)
    whisker = (
        ""
        if math.isnan(place.low)
        else draw_whisker(_share(place.low), _share(place.high), middle, number)
    )
    symbol = draw_symbol(_share(place.value), middle, number, hollow=few)
    words = name_place(place, spoke.scale, section.set_size)
    return draw_elastic(height, ground + whisker + symbol, f"{title}: {tell_place(place)}; {words}")


def tell_place(place: Interval) -> str:
    """Write a place with its interval for people who listen."""
    number = f"{show(place.value, 2)}"
    if not math.isnan(place.low):
        number += f" from {show(place.low, 2)} to {show(place.high, 2)}"
    return number.replace("-", "−")


def draw_key_gauge() -> str:
    """Return the gauge that explains gauges."""
    places = (0.16, 0.44, 0.76, 0.94)
    body = [
        draw_zone(0, places[0], 16, 22, "z0"),
        draw_zone(places[0], places[1], 16, 22, "z1"),
        draw_zone(places[1], places[2], 16, 22, "z2"),
        draw_zone(places[2], places[3], 16, 22, "z3"),
    ]
    names = ("ref guess", "ref shortcut", "ref", "ref oracle")
    words = ("0 guess", "shortcut", "causal", "1 oracle")
    for place, name, word in zip(places, names, words, strict=True):
        body.append(draw_upright(place, 10, 44, name))
        body.append(draw_label(1.0 if place > 0.9 else place, 8, word))
    body += [draw_whisker(0.5, 0.62, 27, 0), draw_symbol(0.56, 27, 0)]
    return draw_elastic(
        46, "".join(body), "How a gauge is read: zones from below guessing to the oracle"
    )

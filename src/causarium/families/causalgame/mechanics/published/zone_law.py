"""The zone law: a zone brings altitude and interference together, and interference is the cause.

The published game blames a crash for the losses. In the equations a failure of communication
makes a drone easier to detect, and the fight that follows does the rest.
"""

from functools import cache, partial

import numpy as np

from causarium.families.causalgame.mechanics.published.flight import (
    clip_column,
    column,
    reduce_damage,
    stack_columns,
)
from causarium.families.causalgame.mechanics.published.flight_state import Column, Trace
from causarium.families.causalgame.mechanics.published.noise import Draws
from causarium.families.causalgame.model.published.game import Effect
from causarium.families.causalgame.model.published.laws import ALTITUDES, Span, ZoneLaw


def put_zone(trace: Trace, law: ZoneLaw, effect: Effect, stage: int) -> None:
    """Put everything from the zone to what the enemy makes of the drone."""
    _put_place(trace, law, effect, stage)
    _put_instruments(trace, law)
    _put_failure(trace, law, effect)
    _put_health(trace, law, effect.wear_factor)
    _put_enemy(trace, law, effect)


def _put_place(trace: Trace, law: ZoneLaw, effect: Effect, stage: int) -> None:
    draws = trace.draws
    bounds = np.cumsum([zone.share[stage - 1] for zone in law.zones])
    bounds = bounds / bounds[-1]
    drawn = bounds.searchsorted(draws.draw_uniform("mission_zone"), side="right")
    zone = trace.put("mission_zone", drawn)
    spans = tuple((place.emi - law.emi_spread, place.emi + law.emi_spread) for place in law.zones)
    trace.put("emi_level", clip_column(_draw_within_spans(draws, "emi_level", spans, zone), 0, 1))
    heights = np.array([ALTITUDES.index(place.altitude) for place in law.zones]).take(zone)
    chosen = effect.altitude
    trace.put("altitude_band", heights if chosen is None else ALTITUDES.index(chosen))


def _put_instruments(trace: Trace, law: ZoneLaw) -> None:
    height = trace.get("altitude_band")
    for key, middles, spread in (
        ("wind_resistance", law.wind, law.wind_spread),
        ("signal_strength", law.signal, law.signal_spread),
    ):
        spans = tuple((middle - spread, middle + spread) for middle in middles)
        trace.put_later(key, partial(_draw_within_spans, trace.draws, key, spans, height))
    trace.put_later(
        "temperature",
        partial(_draw_within_spans, trace.draws, "temperature", law.temperature, height),
    )


def _draw_within_spans(draws: Draws, key: str, spans: tuple[Span, ...], which: Column) -> Column:
    """Return what is drawn for each drone within one of some spans."""
    low, width = _ends(spans)
    found: Column = low.take(which) + width.take(which) * draws.draw_uniform(key)
    return found


def _put_failure(trace: Trace, law: ZoneLaw, effect: Effect) -> None:
    """Put the interference that gets through, and what it does to the control of the drone."""
    shield = trace.get(f"{law.shield}_def")
    if trace.game.has("shield_misfiled"):
        shield = np.asarray(0)
    kept_out = np.minimum(law.shield_effect * shield, law.shield_cap) + effect.emi_resistance
    kept_out = np.minimum(kept_out, law.reduction_cap)
    emi = trace.put("effective_emi", trace.get("emi_level") * (1 - kept_out))
    over = emi - law.emi_threshold
    chance = law.failure_rate * np.maximum(0, over)
    chance = chance + np.array(law.altitude_failure).take(trace.get("altitude_band"))
    chance = trace.put("comm_failure", clip_column(chance, 0, law.failure_cap))
    severity = trace.draws.draw_between("crash:severity", *law.crash_severity) * chance
    trace.put("crash", np.where(trace.draws.draw_uniform("crash") < chance, severity, 0))


def _put_health(trace: Trace, law: ZoneLaw, wear: float) -> None:
    """Put what is left of the components that wind, a crash or interference harm."""
    harmed = {*law.buffet, *law.crash, law.aerial, law.lens}
    parts = [part for part in trace.game.components if part.name in harmed]
    raw = np.zeros((len(parts), trace.draws.count))
    raw += np.floor(column([law.crash.get(part.name, 0) for part in parts]) * trace.get("crash"))
    emi, height = trace.get("effective_emi"), trace.get("altitude_band")
    burn = np.floor(law.aerial_damage * np.maximum(0, emi - law.emi_threshold))
    for number, part in enumerate(parts):
        if part.name in law.buffet:
            spans = law.buffet[part.name]
            raw[number] += (
                np.floor(_draw_within_spans(trace.draws, f"{part.name}_hp", spans, height)) * wear
            )
        if part.name == law.aerial:
            raw[number] += burn
        if part.name == law.lens:
            raw[number] += np.where(emi > law.lens_above, np.floor(law.lens_share * burn), 0)
    combat = trace.game.combat
    armour = stack_columns([trace.get(f"{part.name}_def") for part in parts])
    through = reduce_damage(raw, armour, combat.armour_factor, combat.armour_cap)
    bare = [part.name == law.aerial for part in parts]
    through[bare] = raw[bare]
    left = np.maximum(0, column([part.hp for part in parts]) - through)
    for part, row in zip(parts, left, strict=True):
        trace.put(f"{part.name}_hp", row)


def _put_enemy(trace: Trace, law: ZoneLaw, effect: Effect) -> None:
    failure, emi = trace.get("comm_failure"), trace.get("effective_emi")
    trace.put("detection", law.detection + law.detection_slope * failure + effect.detection)
    length = np.where(failure > law.long_above, law.long_rounds, 1.0)
    trace.put("rounds", np.maximum(1, np.floor(trace.game.combat.rounds * length)))
    trace.put("accuracy", effect.accuracy_factor)
    harder = 1 + law.hurt_slope * np.maximum(0, emi - law.hurt_above)
    trace.put("damage_factor", harder * effect.damage_factor)


@cache
def _ends(spans: tuple[Span, ...]) -> tuple[Column, Column]:
    """Return the lower ends of spans, and how wide they are."""
    low, high = np.array(spans, dtype=float).T
    return low, high - low

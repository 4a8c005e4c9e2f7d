"""The weather law, in which one part's armour helps in storms and harms in clear weather.

Also the calm law, which has no trap at all, and the instruments that the antenna law shares.
"""

from functools import partial

import numpy as np

from causarium.families.causalgame.mechanics.published.flight import clip_column
from causarium.families.causalgame.mechanics.published.flight_state import Column, Trace
from causarium.families.causalgame.mechanics.published.noise import Draws
from causarium.families.causalgame.model.published.game import Effect
from causarium.families.causalgame.model.published.laws import CalmLaw, Climate, Span, WeatherLaw


def put_instruments(trace: Trace, storm: Climate, clear: Climate) -> None:
    """Put what the instruments show in this weather."""
    is_storm = trace.get("is_storm")
    for key, in_storm, in_clear in (
        ("wind_speed", storm.wind, clear.wind),
        ("humidity", storm.humidity, clear.humidity),
        ("temperature", storm.temperature, clear.temperature),
    ):
        trace.put_later(
            key, partial(_draw_by_weather, trace.draws, key, is_storm, in_storm, in_clear)
        )


def _draw_by_weather(
    draws: Draws, key: str, is_storm: Column, in_storm: Span, in_clear: Span
) -> Column:
    return np.where(
        is_storm, draws.draw_between(key, *in_storm), draws.draw_between(key, *in_clear)
    )


def put_weather(trace: Trace, law: WeatherLaw, effect: Effect, stage: int) -> None:
    """Put everything from the weather to what the enemy makes of the drone."""
    draws = trace.draws
    storm = trace.put("is_storm", draws.draw_uniform("is_storm") < law.storm_share[stage - 1])
    put_instruments(trace, law.storm, law.clear)
    low, high = law.engine_span
    strong = clip_column((trace.get(f"{law.engine}_def") - low) / (high - low), 0, 1)
    lift = trace.get(f"{law.lift}_def") / law.scale
    # There are two weathers only: what follows from each is worked out once, not for every drone.
    in_clear, in_storm = (
        clip_column(
            1 / (1 + np.exp(-(slope * lift + offset + effect.lift))) + law.engine_bonus * strong,
            0,
            1,
        )
        for slope, offset in zip(law.slope, law.offset, strict=True)
    )
    chance = trace.put("live_chance", np.where(storm, in_storm, in_clear))
    airworthy = trace.put("airworthy", draws.draw_uniform("airworthy") < chance)
    engine = f"{law.engine}_hp"
    trace.put(engine, trace.get(engine) * airworthy)
    _put_enemy(trace, law.detection, law.rounds, effect)


def put_calm(trace: Trace, law: CalmLaw, effect: Effect) -> None:
    """Put an environment that does nothing."""
    for key, span in (
        ("wind_speed", law.wind),
        ("humidity", law.humidity),
        ("temperature", law.temperature),
    ):
        trace.put_later(key, partial(trace.draws.draw_between, key, *span))
    _put_enemy(trace, law.detection, law.rounds, effect)


def _put_enemy(trace: Trace, detection: float, length: float, effect: Effect) -> None:
    trace.put("detection", detection + effect.detection)
    least = 1 if trace.game.has("one_round_least") else 0
    trace.put("rounds", max(least, int(trace.game.combat.rounds * length)))
    trace.put("accuracy", effect.accuracy_factor)
    trace.put("damage_factor", effect.damage_factor)

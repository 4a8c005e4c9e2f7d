"""Candidates for new games: the same laws under other names, with other numbers.

A candidate is not yet a game: its threshold and its best design are still to be found, and it may
turn out to be no good (`procedural.py`).
"""

from random import Random

from causarium.families.causalgame.generation import outfits
from causarium.families.causalgame.generation.airframe import Airframe, words
from causarium.families.causalgame.generation.doctrines import DrawnLaw, past, trap
from causarium.families.causalgame.mechanics.game import (
    Combat,
    Design,
    Game,
    Kind,
    Sensor,
    Space,
    Variable,
)
from causarium.families.causalgame.mechanics.laws import (
    ALTITUDES,
    AntennaLaw,
    Exposed,
    Strike,
    WeatherLaw,
    Zone,
    ZoneLaw,
)
from causarium.families.causalgame.mechanics.structure import distractor, structure
from causarium.seeds import stream

_SEEN = {
    "antenna": ("is_storm", "weather_pattern", "agility"),
    "zone": ("mission_zone", "emi_level", "comm_failure", "agility"),
    "zone_shift": ("mission_zone", "emi_level", "comm_failure", "agility"),
    "weather": ("is_storm", "agility"),
}
_VISIBLE = {
    "antenna": ("wind_speed", "humidity", "temperature"),
    "zone": ("altitude_band", "wind_resistance", "signal_strength", "temperature"),
    "zone_shift": ("altitude_band", "wind_resistance", "signal_strength", "temperature"),
    "weather": ("wind_speed", "humidity", "temperature"),
}


def candidate(kind: Kind, seed: int, index: int, attempt: int) -> Game:
    """Draw one candidate."""
    rng = stream(seed, "causalgame", "drawn", kind, index, attempt)
    parts = Airframe(rng, kind)
    if kind == "antenna":
        law: DrawnLaw = _antenna_law(rng, parts)
    elif kind == "weather":
        law = _weather_law(rng, parts)
    else:
        law = _zone_law(rng, parts, shifts=kind == "zone_shift")
    slots = outfits.slots(rng, kind, words()["slots"])
    combat = Combat(
        rounds=rng.randint(4, 6) if isinstance(law, ZoneLaw) else 10,
        accuracy=round(rng.uniform(0.75, 0.85), 2),
        damage=float(rng.randint(64, 76)),
    )
    found = structure(
        parts.components,
        slots,
        law,
        visible=_VISIBLE[kind],
        discoverable=_SEEN[kind],
        combat=combat,
    )
    variables = (*_renamed(rng, kind, found), *_distractors(rng))
    named = {variable.key: variable.name for variable in variables}
    return Game(
        name=f"drawn_{kind}_{seed}_{index}",
        kind=kind,
        edition="certified",
        components=parts.components,
        slots=slots,
        law=law,
        combat=combat,
        variables=variables,
        space=Space(total=parts.total),
        past=past(rng, parts, law, slots, named),
        sensor=_sensor(named) if kind == "weather" else Sensor(),
        threshold=0.5,
        trap=trap(parts, law, slots),
        best=Design(),
        tale={"trap": parts.trap},
    )


def _antenna_law(rng: Random, parts: Airframe) -> AntennaLaw:
    def exposed(name: str, factor: float, gale: float, breeze: float, width: float) -> Exposed:
        hp, scale = parts.hp(name), rng.uniform(0.95, 1.05)
        return Exposed(
            part=name,
            factor=round(factor * scale, 2),
            gale=(round(gale * hp), round((gale + width) * hp)),
            breeze=(round(breeze * hp), round((breeze + width) * hp)),
        )

    first, second, third, fourth = parts.heavy
    share = round(rng.uniform(0.7, 0.85), 2)
    return AntennaLaw(
        storm_share=(share, share),
        emitter=exposed(parts.emitter, 3.5, 1.1, 0.7, 0.4),
        camera=exposed(parts.eyes, 2.5, 1.25, 0.5, 0.7),
        gun=exposed(parts.teeth, 3.0, 1.15, 0.65, 0.5),
        gust=Strike(parts=(third, first), above=50, damage=(rng.randint(38, 42), 70)),
        surge=Strike(parts=(fourth, second), above=0.7, damage=(rng.randint(28, 32), 55)),
        emission_boost=round(rng.uniform(0.68, 0.8), 2),
        intensity=(0.3, round(rng.uniform(3.5, 4.5), 1)),
        camera_bonus=round(rng.uniform(0.25, 0.35), 2),
        gun_bonus=round(rng.uniform(0.3, 0.4), 2),
    )


def _zone_law(rng: Random, parts: Airframe, *, shifts: bool) -> ZoneLaw:
    names = rng.sample(words()["zones"], 5)
    heights = [*ALTITUDES, *rng.sample(ALTITUDES, 2)]
    rng.shuffle(heights)
    # Two quiet places, one between, two loud ones; altitude says little of which is which.
    levels = [rng.uniform(0.06, 0.14), rng.uniform(0.08, 0.18), 0.0, 0.0, 0.0]
    levels[2] = rng.uniform(0.28, 0.36) if shifts else rng.uniform(0.35, 0.45)
    levels[3:] = (rng.uniform(0.75, 0.9) for _ in range(2))
    raw = [rng.uniform(0.7, 1.3) for _ in names]
    first, second, third, fourth = parts.heavy
    return ZoneLaw(
        zones=tuple(
            Zone(
                name=name,
                altitude=height,
                emi=round(level, 2),
                share=_share(place, round(weight, 2), shifts=shifts),
            )
            for place, (name, height, level, weight) in enumerate(
                zip(names, heights, levels, raw, strict=True)
            )
        ),
        failure_rate=round(rng.uniform(2.2, 3.2), 1),
        shield=parts.shield,
        shield_effect=round(rng.uniform(0.010, 0.014), 3),
        shield_cap=round(rng.uniform(0.42, 0.48), 2),
        buffet={
            first: ((0, 0), (0, 0), (5, 15)),
            third: ((0, 0), (3, 10), (8, 20)),
        },
        crash={first: 120.0, third: 100.0, fourth: 80.0, second: 70.0},
        aerial=parts.emitter,
        lens=parts.eyes,
        detection=round(rng.uniform(0.16, 0.22), 2),
        detection_slope=round(rng.uniform(0.45, 0.55), 2),
    )


def _share(place: int, weight: float, *, shifts: bool) -> tuple[float, float]:
    if not shifts:
        return (weight, weight)
    loud = place > 2
    return (0.0, weight) if loud else (weight, 0.0)


def _weather_law(rng: Random, parts: Airframe) -> WeatherLaw:
    steep, middle = rng.uniform(0.38, 0.48), rng.uniform(7.0, 8.5)
    slope, offset = round(30 * steep, 1), round(steep * middle, 2)
    return WeatherLaw(
        storm_share=(round(rng.uniform(0.65, 0.78), 2), round(rng.uniform(0.2, 0.32), 2)),
        lift=parts.emitter,
        slope=(-slope, slope),
        offset=(offset, -offset),
        engine=parts.heavy[0],
        engine_bonus=round(rng.uniform(0.12, 0.18), 2),
        detection=round(rng.uniform(0.4, 0.55), 2),
        rounds=0.2,
    )


def _sensor(named: dict[str, str]) -> Sensor:
    return Sensor(spread=(0.05, 0.20), flip=(0.005, 0.02), by=named["is_storm"])


def _renamed(rng: Random, kind: Kind, found: tuple[Variable, ...]) -> tuple[Variable, ...]:
    """Return the variables, with new names for what is measured."""
    pool = words()["weather" if kind in {"antenna", "weather"} else "zone"]
    return tuple(
        one.model_copy(update=rng.choice(pool[one.key])) if one.key in pool else one
        for one in found
    )


def _distractors(rng: Random) -> tuple[Variable, ...]:
    return tuple(
        distractor(word["name"], 0, rng.choice((1, 10, 100)), word["about"])
        for word in rng.sample(words()["distractors"], 2)
    )

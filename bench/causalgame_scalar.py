"""The published flight one drone at a time, in plain Python: what the bench measures us against.

Written from the equations and not from our arrays, so that a test can hold one against the other.
It fills the same row of structural variables for each drone, and knows the published games only.
"""

import math
from random import Random

from causarium.families.causalgame.paper.model.game import (
    ALTITUDES,
    AntennaLaw,
    CalmLaw,
    Design,
    Effect,
    Game,
    Span,
    WearLaw,
    WeatherLaw,
    ZoneLaw,
    effect_of,
    resolve_equipment,
)

Row = dict[str, float]
"""The structural variables of one drone; categorical ones as codes."""


def fly_scalar(game: Game, design: Design, count: int, rng: Random, stage: int) -> list[Row]:
    """Fly `count` drones one after the other."""
    effect = effect_of(game, design)
    built: Row = {
        slot: game.variable(slot).values.index(option)
        for slot, option in resolve_equipment(game, design).items()
    }
    for name, points in game.armour(design).items():
        built[f"{name}_def"] = int(points * effect.armour_factor)
    return [_flight(game, dict(built), effect, rng, stage) for _ in range(count)]


def _flight(game: Game, row: Row, effect: Effect, rng: Random, stage: int) -> Row:
    weight = sum(row[f"{part.name}_def"] for part in game.components)
    low, high = game.combat.agility
    agility = 1 - 0.002 * weight * math.exp(-weight / 200) - 0.001 * weight
    row["agility"] = min(high, max(low, agility))
    for part in game.components:
        row[f"{part.name}_hp"] = part.hp
    law = CalmLaw() if game.has("law_missing") else game.law
    if isinstance(law, AntennaLaw):
        _antenna(row, law, effect, rng, stage)
    elif isinstance(law, ZoneLaw):
        _zone(row, law, effect, rng, stage, misfiled=game.has("shield_misfiled"))
    elif isinstance(law, WeatherLaw):
        _weather(row, law, rng, stage)
    else:
        _calm(row, law, rng)
    for variable in game.variables:
        if variable.span is not None:
            row[variable.name] = rng.uniform(*variable.span)
    _fight(game, row, effect, rng)
    return row


def _harm(row: Row, part: str, raw: float) -> None:
    if raw > 0:
        stopped = min(int(0.9 * row[f"{part}_def"]), int(0.65 * raw))
        row[f"{part}_hp"] = max(0, row[f"{part}_hp"] - max(1, raw - stopped))


def _fight(game: Game, row: Row, effect: Effect, rng: Random) -> None:
    chance = row["detection"] = row["detection"] + effect.detection
    row["detected"] = rng.random() < min(0.95, max(0.01, chance))
    fit = row["engine_hp"] > 0 and row["cockpit_hp"] > 0
    row["engaged"] = row["detected"] and fit
    aim = game.combat.accuracy * row["accuracy"] * math.exp(0.1 * (1 - row["agility"]))
    row["hit_chance"] = min(0.95, max(0.05, aim))
    row["hit_count"] = 0
    left = dict(row)
    if row["engaged"]:
        _combat(game, row, left, rng)
    alive = [left[f"{part.name}_hp"] > 0 for part in game.components if part.critical]
    row["survived"] = all(alive)


def _combat(game: Game, row: Row, left: Row, rng: Random) -> None:
    combat = game.combat
    targets = [part.name for part in game.components if row[f"{part.name}_hp"] > 0]
    weights = [part.exposure for part in game.components if row[f"{part.name}_hp"] > 0]
    raw: dict[str, int] = {}
    for _ in range(int(row["rounds"])):
        if rng.random() >= row["hit_chance"]:
            continue
        row["hit_count"] += 1
        target = rng.choices(targets, weights)[0]
        damage = int(combat.damage * rng.uniform(1 - combat.spread, 1 + combat.spread))
        if rng.random() < combat.crit_chance:
            damage = int(damage * combat.crit_factor)
        raw[target] = raw.get(target, 0) + int(damage * row["damage_factor"])
    for part, damage in raw.items():
        _harm(left, part, damage)


def _sky(row: Row, wind: Span, humidity: Span, temperature: Span, rng: Random) -> None:
    row["wind_speed"] = rng.uniform(*wind)
    row["humidity"] = rng.uniform(*humidity)
    row["temperature"] = rng.uniform(*temperature)


def _antenna(row: Row, law: AntennaLaw, effect: Effect, rng: Random, stage: int) -> None:
    storm = row["is_storm"] = rng.random() < law.storm_share[stage - 1]
    rough = rng.uniform(*(law.storm_pattern if storm else law.clear_pattern))
    row["weather_pattern"] = rough
    sky = law.storm if storm else law.clear
    _sky(row, sky.wind, sky.humidity, sky.temperature, rng)
    emission = _light(row, law.emitter, law, rng)
    sight = _light(row, law.camera, law, rng)
    fire = _light(row, law.gun, law, rng)
    if row["wind_speed"] > law.gust.above:
        for part in law.gust.parts:
            _harm(row, part, int(rng.uniform(*law.gust.damage) * _frailty(row, part, law)))
    if rough > law.surge.above:
        for part in law.surge.parts:
            _harm(row, part, int(rng.uniform(*law.surge.damage) * _frailty(row, part, law)))
    base = law.detection[0] * (1 - rough) + law.detection[1] * rough
    length = law.intensity[0] * (1 - rough) + law.intensity[1] * rough
    hiding = law.stealth * (1 - law.camera_bonus * sight) if sight > 0 else law.blind_stealth
    row["accuracy"] = 1 - law.camera_bonus * sight if sight > 0 else law.blind_accuracy
    row["damage_factor"] = 1 - law.gun_bonus * fire if fire > 0 else law.disarmed_damage
    if emission > 0:
        row["detection"] = base + law.emission_boost * effect.emission_factor * emission
        length *= law.loud_rounds
    else:
        row["detection"] = base * hiding
        length *= law.silent_rounds
    row["rounds"] = max(1, int(10 * length))


def _frailty(row: Row, part: str, law: AntennaLaw) -> float:
    points = row[f"{part}_def"]
    return 2 - points / law.frail_below if points < law.frail_below else 1.0


def _light(row: Row, exposed: WearLaw, law: AntennaLaw, rng: Random) -> float:
    """Wear a light part down, and return how well it still works."""
    name, whole, raw = exposed.part, row[f"{exposed.part}_hp"], 0
    if row["wind_speed"] > law.gale_above:
        raw = int(rng.uniform(*exposed.gale))
    elif row["wind_speed"] > law.breeze_above:
        raw = int(rng.uniform(*exposed.breeze))
    stopped = min(int(row[f"{name}_def"] * exposed.factor), int(law.worn_cap * raw))
    through = max(1, raw - stopped) if raw else 0
    row[f"{name}_damage"] = raw
    row[f"{name}_working"] = max(0, whole - through) / whole
    if name == law.emitter.part:
        row[f"{name}_hp"] = max(0, whole - through)
    else:
        _harm(row, name, through)
    return row[f"{name}_working"]


def _zone(
    row: Row, law: ZoneLaw, effect: Effect, rng: Random, stage: int, *, misfiled: bool
) -> None:
    shares = [zone.share[stage - 1] for zone in law.zones]
    row["mission_zone"] = rng.choices(range(len(law.zones)), shares)[0]
    zone = law.zones[int(row["mission_zone"])]
    height = ALTITUDES.index(effect.altitude or zone.altitude)
    emi = min(1.0, max(0.0, zone.emi + rng.uniform(-law.emi_spread, law.emi_spread)))
    row["emi_level"], row["altitude_band"] = emi, height
    row["wind_resistance"] = law.wind[height] + rng.uniform(-law.wind_spread, law.wind_spread)
    row["signal_strength"] = law.signal[height] + rng.uniform(-law.signal_spread, law.signal_spread)
    row["temperature"] = rng.uniform(*law.temperature[height])
    shield = 0 if misfiled else row[f"{law.shield}_def"]
    kept_out = min(law.shield_effect * shield, law.shield_cap) + effect.emi_resistance
    emi = row["effective_emi"] = emi * (1 - min(law.reduction_cap, kept_out))
    failure = 0.0 if emi < law.emi_threshold else law.failure_rate * (emi - law.emi_threshold)
    failure = min(law.failure_cap, max(0.0, failure + law.altitude_failure[height]))
    crashed = rng.random() < failure
    row["comm_failure"] = failure
    row["crash"] = rng.uniform(*law.crash_severity) * failure if crashed else 0.0
    _break(row, law, height, rng)
    row["detection"] = law.detection + law.detection_slope * failure
    row["rounds"] = max(1, int(10 * (law.long_rounds if failure > law.long_above else 1)))
    row["accuracy"] = 1.0
    row["damage_factor"] = 1 + law.hurt_slope * max(0.0, emi - law.hurt_above)


def _break(row: Row, law: ZoneLaw, height: int, rng: Random) -> None:
    """Do what wind, crash and interference do to a drone."""
    raw = {part: float(int(rng.uniform(*spans[height]))) for part, spans in law.buffet.items()}
    for part, worst in law.crash.items():
        raw[part] = raw.get(part, 0) + int(worst * row["crash"])
    burn = int(law.aerial_damage * max(0.0, row["effective_emi"] - law.emi_threshold))
    row[f"{law.aerial}_hp"] = max(0, row[f"{law.aerial}_hp"] - burn)
    if row["effective_emi"] > law.lens_above:
        raw[law.lens] = int(law.lens_share * burn)
    for part, damage in raw.items():
        _harm(row, part, damage)


def _weather(row: Row, law: WeatherLaw, rng: Random, stage: int) -> None:
    storm = row["is_storm"] = rng.random() < law.storm_share[stage - 1]
    sky = law.storm if storm else law.clear
    _sky(row, sky.wind, sky.humidity, sky.temperature, rng)
    odds = law.slope[storm] * row[f"{law.lift}_def"] / law.scale + law.offset[storm]
    low, high = law.engine_span
    strong = min(1.0, max(0.0, (row[f"{law.engine}_def"] - low) / (high - low)))
    chance = 1 / (1 + math.exp(-odds)) + law.engine_bonus * strong
    row["live_chance"] = min(1.0, max(0.0, chance))
    row["airworthy"] = rng.random() < row["live_chance"]
    if not row["airworthy"]:
        _harm(row, law.engine, 1000)
    row["detection"], row["rounds"] = law.detection, 1
    row["accuracy"] = row["damage_factor"] = 1.0


def _calm(row: Row, law: CalmLaw, rng: Random) -> None:
    _sky(row, law.wind, law.humidity, law.temperature, rng)
    row["detection"], row["rounds"] = law.detection, 10
    row["accuracy"] = row["damage_factor"] = 1.0

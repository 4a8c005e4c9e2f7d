"""The antenna law: armour keeps the emitter alive, and an emitter that lives is heard."""

import numpy as np

from causarium.families.causalgame.mechanics.published.flight import put_health, reduce_damage
from causarium.families.causalgame.mechanics.published.flight_state import Column, Trace
from causarium.families.causalgame.mechanics.published.weather_law import put_instruments
from causarium.families.causalgame.model.published.game import Effect
from causarium.families.causalgame.model.published.laws import AntennaLaw, Exposed


def _put_weather(trace: Trace, law: AntennaLaw, stage: int) -> None:
    """Put the storm, how rough it is, and what the instruments show of it."""
    draws = trace.draws
    storm = trace.put("is_storm", draws.draw_uniform("is_storm") < law.storm_share[stage - 1])
    rough = np.where(
        storm,
        draws.draw_between("weather_pattern", *law.storm_pattern),
        draws.draw_between("weather_pattern", *law.clear_pattern),
    )
    trace.put("weather_pattern", rough)
    put_instruments(trace, law.storm, law.clear)


def put_antenna(trace: Trace, law: AntennaLaw, effect: Effect, stage: int) -> None:
    """Put everything from the weather to what the enemy makes of the drone."""
    _put_weather(trace, law, stage)
    light = {exposed.part: exposed for exposed in (law.emitter, law.camera, law.gun)}
    for part in trace.game.components:
        if part.name in light:
            _put_light(trace, law, light[part.name], effect)
        else:
            put_health(trace, part, _blow(trace, law, part.name) * effect.wear_factor)
    _put_enemy(trace, law, effect)


def _put_light(trace: Trace, law: AntennaLaw, exposed: Exposed, effect: Effect) -> None:
    """Put the damage to a light part, what works of it, and what is left of it."""
    name, wind = exposed.part, trace.get("wind_speed")
    part = next(part for part in trace.game.components if part.name == name)
    raw = np.where(
        wind > law.gale_above,
        trace.draws.draw_between(f"{name}_damage", *exposed.gale),
        np.where(
            wind > law.breeze_above, trace.draws.draw_between(f"{name}_damage", *exposed.breeze), 0
        ),
    )
    raw = trace.put(f"{name}_damage", np.floor(raw * effect.wear_factor))
    through = reduce_damage(raw, trace.get(f"{name}_def"), exposed.factor, law.worn_cap)
    trace.put(f"{name}_working", np.maximum(0, part.hp - through) / part.hp)
    again = exposed is not law.emitter and trace.game.has("double_armour")
    put_health(trace, part, through, armoured=again)


def _blow(trace: Trace, law: AntennaLaw, part: str) -> Column:
    """Return what gusts and surges do to a heavy part."""
    found: Column = np.asarray(0.0)
    armour = trace.get(f"{part}_def")
    frail = np.where(armour < law.frail_below, 2 - armour / law.frail_below, 1)
    for strike, by in ((law.gust, "wind_speed"), (law.surge, "weather_pattern")):
        if part in strike.parts:
            force = np.floor(trace.draws.draw_between(f"{part}_hp:{by}", *strike.damage) * frail)
            found = found + np.where(trace.get(by) > strike.above, force, 0)
    return found


def _put_enemy(trace: Trace, law: AntennaLaw, effect: Effect) -> None:
    """Put detection, the length of the fight, the enemy's aim and the weight of its hits."""
    rough = trace.get("weather_pattern")
    emission = trace.get(f"{law.emitter.part}_working")
    sight = trace.get(f"{law.camera.part}_working")
    fire = trace.get(f"{law.gun.part}_working")
    loud = emission > 0
    base = law.detection[0] * (1 - rough) + law.detection[1] * rough
    hiding = np.where(sight > 0, law.stealth * (1 - law.camera_bonus * sight), law.blind_stealth)
    heard = law.emission_boost * effect.emission_factor * emission
    trace.put("detection", np.where(loud, base + heard, base * hiding) + effect.detection)
    length = law.intensity[0] * (1 - rough) + law.intensity[1] * rough
    length = length * np.where(loud, law.loud_rounds, law.silent_rounds)
    trace.put("rounds", np.maximum(1, np.floor(trace.game.combat.rounds * length)))
    aim = np.where(sight > 0, 1 - law.camera_bonus * sight, law.blind_accuracy)
    trace.put("accuracy", aim * effect.accuracy_factor)
    blunt = np.where(fire > 0, 1 - law.gun_bonus * fire, law.disarmed_damage)
    trace.put("damage_factor", blunt * effect.damage_factor)

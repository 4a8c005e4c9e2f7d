"""The flight of a fleet, from its design to who comes back: the published pipeline, as arrays.

A law says what the environment does (`antenna.py`, `zone.py`, `weather.py`); this module does what
every game has in common: armour and agility before it, detection and combat after it.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.games.description import Combat, Component, Effect
from causarium.families.causalgame.games.draws import BITS, lot
from causarium.families.causalgame.games.trace import Column, Trace

LEAST_DETECTION, MOST_DETECTION = 0.01, 0.95
LEAST_HIT, MOST_HIT = 0.05, 0.95


def put_armour(trace: Trace, armour: dict[str, int], effect: Effect) -> None:
    """Put every component's armour, and the agility that its weight leaves."""
    weight: Column = np.asarray(0)
    for name, points in armour.items():
        worn = points if effect.armour_factor == 1 else int(points * effect.armour_factor)
        weight = weight + trace.put(f"{name}_def", worn)
    low, high = trace.game.combat.agility
    free = 1 - 0.002 * weight * np.exp(-weight / 200) - 0.001 * weight
    trace.put("agility", np.clip(free, low, high))


def worn(raw: Column, armour: Column, factor: float, cap: float) -> Column:
    """Return the damage that armour lets through: something, wherever there was any."""
    stopped = np.minimum(np.floor(armour * factor), np.floor(cap * raw))
    return np.where(raw > 0, np.maximum(1, raw - stopped), 0)


def put_health(
    trace: Trace, part: Component, raw: Column | float, *, armoured: bool = True
) -> None:
    """Put what is left of a component after the environment did `raw` damage to it."""
    combat = trace.game.combat
    raw = np.asarray(raw)
    if armoured:
        raw = worn(raw, trace.get(f"{part.name}_def"), combat.armour_factor, combat.armour_cap)
    trace.put(f"{part.name}_hp", np.maximum(0, part.hp - raw))


def fight(trace: Trace) -> None:
    """Put detection, the fight and its outcome."""
    game, draws = trace.game, trace.draws
    chance = np.clip(trace.get("detection"), LEAST_DETECTION, MOST_DETECTION)
    detected = trace.put("detected", draws.uniform("detected") < chance)
    fit = np.asarray(True)  # noqa: FBT003 — an array of one
    for part in game.components:
        if part.vital:
            fit = fit & (trace.get(f"{part.name}_hp") > 0)
    engaged = trace.put("engaged", detected & fit)
    eager = game.combat.accuracy * trace.get("accuracy")
    clumsy = np.exp(0.1 * (1 - trace.get("agility")))
    aim = trace.put("hit_chance", np.clip(eager * clumsy, LEAST_HIT, MOST_HIT))
    hits = trace.put("hit_count", _hits(trace, engaged, aim))
    damage = _damage(trace, np.broadcast_to(hits, draws.count))
    trace.put("survived", _survived(trace, damage))


def _hits(trace: Trace, engaged: Column, aim: Column) -> Column:
    """Return how many of its rounds hit each drone."""
    count = trace.draws.count
    found = np.zeros(count, dtype=np.int64)
    rounds = np.broadcast_to(trace.get("rounds"), count)
    who = np.flatnonzero(np.broadcast_to(engaged, count))
    if not who.size:
        return found
    rounds = rounds[who]
    # Longest fights first: round after round, those still fighting are a shrinking head.
    order = np.argsort(-rounds, kind="stable")
    who, rounds = who[order], rounds[order]
    below = np.rint(np.broadcast_to(aim, count)[who] * BITS).astype(np.uint32)
    longest = int(rounds[0])
    still = np.searchsorted(-rounds, -np.arange(longest), side="left")
    tally = np.zeros(who.size, dtype=np.int64)
    for number, row in enumerate(trace.draws.rows("hit", longest)):
        head = still[number]
        tally[:head] += row[who[:head]] < below[:head]
    found[who] = tally
    return found


def _damage(trace: Trace, hits: Column) -> Column:
    """Return the damage of the fight to each component of each drone, armour taken off."""
    game = trace.game
    parts = game.components
    size = len(parts)
    who = np.flatnonzero(hits)
    total = np.zeros((trace.draws.count, size))
    if not who.size:
        return total
    hits = hits[who].astype(np.int64)
    drone = np.repeat(np.arange(who.size), hits)
    turn = np.arange(drone.size) - np.repeat(np.cumsum(hits) - hits, hits)
    most = int(hits.max())
    pick = (turn, who[drone])
    target = _targets(trace, who, drone, trace.draws.rows("target", most)[pick])
    force = _force(game.combat)[trace.draws.rows("damage", most)[pick]]
    crit = trace.draws.rows("crit", most)[pick] < game.combat.crit_chance * BITS
    force = np.where(crit, np.floor(force * game.combat.crit_factor), force)
    factor = np.broadcast_to(trace.get("damage_factor"), trace.draws.count)
    force = np.floor(force * factor[who][drone])
    armour = np.stack(
        [np.broadcast_to(trace.get(f"{part.name}_def"), trace.draws.count)[who] for part in parts],
        1,
    )
    how = (game.combat.armour_factor, game.combat.armour_cap)
    place = drone * size + target
    if not game.has("armour_on_sum"):
        force = worn(force, armour.ravel()[place], *how)
    summed = np.bincount(place, weights=force, minlength=who.size * size).reshape(-1, size)
    total[who] = worn(summed, armour, *how) if game.has("armour_on_sum") else summed
    return total


@lru_cache(maxsize=64)
def _force(combat: Combat) -> NDArray[np.float64]:
    """Return a table from a short draw to the damage of a hit."""
    share = 1 + combat.spread * (2 * (np.arange(BITS) + 0.5) / BITS - 1)
    return np.floor(combat.damage * share)


def _targets(
    trace: Trace, who: NDArray[np.int64], drone: NDArray[np.int64], draw: Column
) -> NDArray[np.int64]:
    """Return which component each hit finds, among those that were alive when the fight began."""
    parts = trace.game.components
    pattern = np.zeros(who.size, dtype=np.int64)
    for number, part in enumerate(parts):
        alive = np.broadcast_to(trace.get(f"{part.name}_hp"), trace.draws.count)[who] > 0
        pattern |= alive.astype(np.int64) << number
    kinds, which = np.unique(pattern, return_inverse=True)
    tables = np.stack([lot(_exposure(parts, int(kind))) for kind in kinds])
    found: NDArray[np.int64] = tables[which[drone], draw].astype(np.int64)
    return found


def _exposure(parts: tuple[Component, ...], alive: int) -> tuple[float, ...]:
    return tuple(part.exposure * (alive >> number & 1) for number, part in enumerate(parts))


def _survived(trace: Trace, damage: Column) -> Column:
    alive = np.ones(trace.draws.count, dtype=bool)
    for number, part in enumerate(trace.game.components):
        if part.critical:
            alive &= trace.get(f"{part.name}_hp") > damage[:, number]
    return alive

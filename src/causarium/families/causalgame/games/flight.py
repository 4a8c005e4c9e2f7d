"""The flight of a fleet, from its design to who comes back: the published pipeline, as arrays.

A law says what the environment does (`antenna.py`, `zone.py`, `weather.py`); this module does what
every game has in common: armour and agility before it, detection and combat after it.
"""

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.games.description import Component, Effect
from causarium.families.causalgame.games.draws import BITS, BLOCK
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
    trace.put("survived", _survived(trace, np.broadcast_to(hits, draws.count)))


def _hits(trace: Trace, engaged: Column, aim: Column) -> Column:
    """Return how many of its rounds hit each drone."""
    count = trace.draws.count
    rounds = np.where(engaged, trace.get("rounds"), 0)
    longest = int(rounds.max())
    if not longest:
        return np.zeros(count, dtype=np.uint16)
    below = np.minimum(np.rint(aim * BITS), BITS - 1).astype(np.uint16)
    shot = trace.draws.bits("hit", longest) < below
    if longest > rounds.min():
        shot &= np.arange(longest, dtype=np.uint16)[:, None] < rounds.astype(np.uint16)
    found: Column = np.add.reduce(shot, axis=0, dtype=np.uint16)
    return found


def _survived(trace: Trace, hits: Column) -> Column:
    """Return who is left after the fight.

    Damage only grows, so that who is lost after some hits is lost; a long fight goes on with
    those who are left.
    """
    alive = np.ones(trace.draws.count, dtype=bool)
    for part in trace.game.components:
        if part.critical:
            alive &= trace.get(f"{part.name}_hp") > 0
    fighters = _Fighters(trace, np.flatnonzero(alive & (hits > 0)), hits)
    block = 0
    while fighters.who.size:
        fighters.take_hits(block)
        lost = fighters.lost()
        alive[fighters.who[lost]] = False
        block += 1
        fighters.keep(~lost & (fighters.hits > block * BLOCK))
    return alive


class _Fighters:
    """Those under fire: a row each component, a column each drone."""

    def __init__(self, trace: Trace, who: NDArray[np.int64], hits: Column) -> None:
        parts = trace.game.components
        self.trace = trace
        self.who = who
        self.hits = hits[who]
        self.factor = self._of("damage_factor")
        self.armour = np.stack([self._of(f"{part.name}_def") for part in parts])
        self.health = np.stack([self._of(f"{part.name}_hp") for part in parts])
        self.damage = np.zeros(self.health.shape)
        exposure = np.array([[part.exposure] for part in parts])
        shares = np.cumsum(exposure * (self.health > 0), axis=0)
        self.bounds = np.rint(shares[:-1] / shares[-1] * BITS).astype(np.uint32)
        """Up to which draw a hit finds each component: those alive when the fight begins."""
        self.critical = np.array([part.critical for part in parts])

    def _of(self, key: str) -> Column:
        column = self.trace.get(key)
        return column[self.who] if column.ndim else np.full(self.who.size, column)

    def take_hits(self, block: int) -> None:
        """Add what a block of hits does, as far as each drone takes them."""
        combat = self.trace.game.combat
        words = self.trace.draws.words("wound", block)[:, self.who]
        late = block * BLOCK + np.arange(BLOCK)[:, None] >= self.hits
        find, force, crit = ((words >> np.uint64(16 * n)).astype(np.uint16) for n in range(3))
        target = np.zeros(words.shape, dtype=np.int64)
        for bound in self.bounds:
            target += find >= bound
        blow = combat.damage * (1 - combat.spread + 2 * combat.spread / BITS * (force + 0.5))
        blow = np.floor(blow)
        hard = crit < round(combat.crit_chance * BITS)
        blow = np.floor(np.where(hard, blow * combat.crit_factor, blow) * self.factor)
        if not self.trace.game.has("armour_on_sum"):
            worn_by = np.take_along_axis(self.armour, target, axis=0)
            blow = worn(blow, worn_by, combat.armour_factor, combat.armour_cap)
        blow[late] = 0
        place = target * self.who.size + np.arange(self.who.size)
        added = np.bincount(place.ravel(), weights=blow.ravel(), minlength=self.damage.size)
        self.damage += added.reshape(self.damage.shape)

    def lost(self) -> Column:
        """Return who has lost a critical component by now."""
        combat, damage = self.trace.game.combat, self.damage
        if self.trace.game.has("armour_on_sum"):
            damage = worn(damage, self.armour, combat.armour_factor, combat.armour_cap)
        found: Column = ((damage >= self.health) & self.critical[:, None]).any(axis=0)
        return found

    def keep(self, who: Column) -> None:
        """Go on with some of the drones."""
        self.who, self.hits = self.who[who], self.hits[who]
        self.factor = self.factor[who]
        self.armour, self.health = self.armour[:, who], self.health[:, who]
        self.damage, self.bounds = self.damage[:, who], self.bounds[:, who]

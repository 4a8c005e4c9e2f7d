"""The flight of a fleet, from its design to who comes back: the published pipeline, as arrays.

A law says what the environment does (antennas, zones, weather); this module does what every game
has in common: armour and agility before it, detection and combat after it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from causarium.families.causalgame.mechanics.published.flight_state import (
    BITS,
    BLOCK,
    Column,
    Trace,
)
from causarium.families.causalgame.model.published.game import Component, Effect

LEAST_DETECTION, MOST_DETECTION = 0.01, 0.95
LEAST_HIT, MOST_HIT = 0.05, 0.95


def put_armour(trace: Trace, armour: dict[str, int], effect: Effect) -> None:
    """Put every component's armour, and the agility that its weight leaves."""
    weight: Column | int = 0
    for name, points in armour.items():
        worn = points if effect.armour_factor == 1 else int(points * effect.armour_factor)
        weight = weight + trace.put(f"{name}_def", worn)
    free = _agility(weight) if getattr(weight, "ndim", 0) else _agility_of(float(weight))
    trace.put("agility", clip_column(free, *trace.game.combat.agility))


def _agility(weight: Column | float) -> Column:
    found: Column = 1 - 0.002 * weight * np.exp(-weight / 200) - 0.001 * weight
    return found


_agility_of = lru_cache(maxsize=512)(_agility)
"""Few weights occur, and most of them many times."""


def clip_column(value: Column, low: float, high: float) -> Column:
    """Return `value` within bounds; half the price of `np.clip` on a small fleet."""
    if not value.ndim:
        return cast("Column", np.float64(min(max(float(value), low), high)))
    found: Column = np.minimum(np.maximum(value, low), high)
    return found


def column(values: Sequence[float | Column]) -> Column:
    """Return one value for each of some rows."""
    return np.array(values, dtype=float)[:, None]


def stack_columns(columns: Sequence[Column]) -> Column:
    """Return variables as rows, with a single column if all drones have the same."""
    size = max([one.size for one in columns if one.ndim], default=0)
    if not size:
        return column(columns)
    rows = np.empty((len(columns), size))
    for row, one in zip(rows, columns, strict=True):
        row[:] = one
    return rows


def reduce_damage(raw: Column, armour: Column, factor: float, cap: float) -> Column:
    """Return the damage that armour lets through: something, wherever there was any."""
    stopped = np.minimum(np.floor(armour * factor), np.floor(cap * raw))
    through: Column = np.maximum(raw > 0, raw - stopped)
    return through


def put_health(trace: Trace, part: Component, raw: Column, *, armoured: bool = True) -> None:
    """Put what is left of a component after the environment did `raw` damage to it."""
    if armoured:
        combat = trace.game.combat
        raw = reduce_damage(
            raw, trace.get(f"{part.name}_def"), combat.armour_factor, combat.armour_cap
        )
    trace.put(f"{part.name}_hp", np.maximum(0, part.hp - raw))


def fight(trace: Trace) -> None:
    """Put detection, the fight and its outcome."""
    game, draws = trace.game, trace.draws
    chance = clip_column(trace.get("detection"), LEAST_DETECTION, MOST_DETECTION)
    detected = trace.put("detected", draws.draw_uniform("detected") < chance)
    engaged = trace.put("engaged", _with_all(trace, detected, trace.frame.vital))
    eager = game.combat.accuracy * trace.get("accuracy")
    clumsy = np.exp(0.1 * (1 - trace.get("agility")))
    aim = trace.put("hit_chance", clip_column(eager * clumsy, LEAST_HIT, MOST_HIT))
    hits = trace.put("hit_count", _hits(trace, engaged, aim))
    trace.put("survived", _find_survivors(trace, hits if hits.ndim else np.full(draws.count, hits)))


def _with_all(trace: Trace, who: Column, parts: tuple[str, ...]) -> Column:
    """Return those of `who` with something left of all these parts."""
    for part in parts:
        left = trace.get(part)
        if left.ndim or left <= 0:
            who = who & (left > 0)
    return who


def _hits(trace: Trace, engaged: Column, aim: Column) -> Column:
    """Return how many of its rounds hit each drone."""
    rounds = trace.get("rounds")
    if rounds.ndim:
        rounds = np.where(engaged, rounds, 0)
    longest = int(rounds.max() if rounds.ndim else rounds)
    if not longest:
        return np.zeros(trace.draws.count, dtype=np.uint16)
    if aim.ndim:
        below = np.minimum(np.rint(aim * BITS), BITS - 1).astype(np.uint16)
    else:
        below = np.uint16(min(round(float(aim) * BITS), BITS - 1))
    shot = trace.draws.bits("hit", longest) < below
    if rounds.ndim:
        shot &= np.arange(longest, dtype=np.uint16)[:, None] < rounds.astype(np.uint16)
    found: Column = np.add.reduce(shot, axis=0, dtype=np.uint16)
    return found if rounds.ndim else found * engaged


def _find_survivors(trace: Trace, hits: Column) -> Column:
    """Return who is left after the fight.

    Damage only grows, so that who is lost after some hits is lost; a long fight goes on with
    those who are left.
    """
    alive = _with_all(trace, np.ones(trace.draws.count, dtype=bool), trace.frame.critical)
    who = np.flatnonzero(alive & (hits > 0))
    if not who.size:
        return alive
    fighters = _Fighters(trace, who, hits)
    while True:
        lost = fighters.take_hits()
        alive[fighters.who[lost]] = False
        if not fighters.go_on(lost):
            return alive


@lru_cache(maxsize=16)
def _aim(parts: tuple[tuple[float, bool], ...]) -> NDArray[np.uint8]:
    """Return tables from a short draw to what a hit finds, one for each pattern of live parts.

    Parts that are not critical may be dead when a fight begins, and then nothing finds them; bit
    `i` of a pattern says whether the `i`-th of them lives. What is found is the number of the
    critical part, or one more than the last for any other.
    """
    exposure, critical = zip(*parts, strict=True)
    spare = critical.count(False)
    rows = np.where(critical, np.cumsum(critical) - 1, sum(critical)).astype(np.uint8)
    tables = []
    for pattern in range(1 << spare):
        bits = iter([pattern >> number & 1 for number in range(spare)])
        alive = [1 if vital else next(bits) for vital in critical]
        shares = np.cumsum(np.array(exposure) * alive)
        edges = np.rint(shares / shares[-1] * BITS).astype(np.int64)
        tables.append(np.repeat(rows, np.diff(edges, prepend=0)))
    return np.concatenate(tables)


@lru_cache(maxsize=16)
def _blows(damage: float, spread: float) -> NDArray[np.uint16]:
    """Return a table from a short draw to how hard a hit is."""
    step = 2 * damage * spread / BITS
    hard: NDArray[np.float64] = np.floor(damage * (1 - spread) + step / 2 + step * np.arange(BITS))
    return hard.astype(np.uint16)


class _Fighters:
    """Those under fire: a row for each critical part and one for the rest, a column for each."""

    def __init__(self, trace: Trace, who: NDArray[np.int64], hits: Column) -> None:
        frame = trace.frame
        self.trace = trace
        self.who = who
        self.block = 0
        self.hits = hits.take(who)
        self.most = int(self.hits.max())
        factor = trace.get("damage_factor")
        self.factor = factor.take(who) if factor.ndim else factor
        self.armour = self._stack_variables(frame.armour)
        self.health = self._stack_variables(frame.critical)
        self.damage: Any = 0.0
        self.on_sum = trace.game.has("armour_on_sum")
        self.aim = _aim(frame.exposure)
        self.pattern = self._pattern()

    def _stack_variables(self, keys: tuple[str, ...]) -> Column:
        """Return variables as rows."""
        found = [self.trace.get(key) for key in keys]
        return stack_columns([one.take(self.who) if one.ndim else one for one in found])

    def _pattern(self) -> Column:
        """Return where the table of `aim` begins that goes with the parts that live."""
        pattern: Any = np.intp(0)
        for number, part in enumerate(self.trace.frame.spare):
            left = self.trace.get(part)
            if left.ndim:
                pattern = pattern + ((left.take(self.who) > 0) << number)
            elif left > 0:
                pattern = pattern + (1 << number)
        return cast("Column", pattern * BITS)

    def take_hits(self) -> Column:
        """Take a block of hits, as far as each drone has them, and return who is lost by now."""
        combat = self.trace.game.combat
        rows = min(BLOCK, self.most)
        words = self.trace.draws.words("wound", self.block, rows).take(self.who, axis=1)
        # A word holds the draws of a hit: its target, its force, its luck.
        short = words.view("<u2")
        find, force, crit = short[:, 0::4], short[:, 1::4], short[:, 2::4]
        target = self.aim.take(find + self.pattern)
        blow = _blows(combat.damage, combat.spread).take(force)
        if rows > 1:
            blow *= np.arange(rows, dtype=np.uint16)[:, None] < self.hits
        hard = crit < round(combat.crit_chance * BITS)
        blow = np.floor(np.where(hard, blow * combat.crit_factor, blow) * self.factor)
        if not self.on_sum:
            blow = self._reduce_blow(blow, target)
        sorts = len(self.armour) + 1
        places = target + np.arange(0, sorts * self.who.size, sorts)
        added = np.bincount(places.ravel(), blow.ravel(), sorts * self.who.size)
        self.damage = self.damage + added.reshape(-1, sorts).T
        damage = self.damage[:-1]
        if self.on_sum:
            damage = reduce_damage(damage, self.armour, combat.armour_factor, combat.armour_cap)
        found: Column = np.logical_or.reduce(damage >= self.health, axis=0)
        return found

    def _reduce_blow(self, blow: Column, target: Column) -> Column:
        """Return what armour lets through of each hit."""
        combat = self.trace.game.combat
        armour = np.zeros((len(self.armour) + 1, self.who.size))
        armour[:-1] = self.armour
        worn_by = np.take_along_axis(armour, target.astype(np.intp), axis=0)
        return reduce_damage(blow, worn_by, combat.armour_factor, combat.armour_cap)

    def go_on(self, lost: Column) -> bool:
        """Go on to the next block with those not lost who have more hits, if there are any."""
        if self.most <= BLOCK:
            return False
        everyone = self.who.size
        who = np.flatnonzero(~lost & (self.hits > BLOCK))
        if not who.size:
            return False
        self.block += 1
        self.who, self.hits = self.who[who], self.hits[who] - BLOCK
        self.most = int(self.hits.max())
        self.damage = self.damage.take(who, axis=1)
        self.factor, self.pattern = (
            row[who] if row.ndim else row for row in (self.factor, self.pattern)
        )
        self.armour, self.health = (
            rows[:, who] if rows.shape[1] == everyone else rows
            for rows in (self.armour, self.health)
        )
        return True

"""Paper edition: fly fleets by chance, on given draws, or with some variables held fixed.

A law says what the environment does; armour and agility before it, detection and combat after it,
are the same in every game. `fly` is what a session uses, `fly_recipe` what came before it, `fly_on`
compares designs or interventions drone by drone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from causarium.seeds import entropy
from .model.game import (
    ALTITUDES,
    AntennaLaw,
    CalmLaw,
    Component,
    Design,
    Effect,
    Game,
    Recipe,
    Span,
    Stage,
    WearLaw,
    WeatherLaw,
    ZoneLaw,
    effect_of,
    resolve_equipment,
)

Floats = NDArray[np.float64]
Bits = NDArray[np.uint16]
Words = NDArray[np.uint64]
BITS = 65_536
"""How many values a short draw has."""
BLOCK = 8
"""Rows are drawn so many at a time."""


class Draws:
    """The noise of `count` drones; drawn when asked for, and kept."""

    def __init__(self, seed: int, count: int) -> None:
        self.seed = seed
        self.count = count
        self._source = np.random.PCG64DXSM(entropy(seed, "draws"))
        self._at = 0
        self._generator = np.random.Generator(self._source)
        self._uniforms: dict[str, Floats] = {}
        self._blocks: dict[tuple[str, int], Words] = {}

    def draw_uniform(self, name: str) -> Floats:
        """Return one number in [0, 1) for each drone."""
        if name not in self._uniforms:
            self._go_to(_place(name, 0), self.count)
            self._uniforms[name] = self._generator.random(self.count)
        return self._uniforms[name]

    def draw_between(self, name: str, low: float | Floats, high: float | Floats) -> Floats:
        """Return one number in [low, high) for each drone."""
        found: Floats = low + (high - low) * self.draw_uniform(name)
        return found

    def words(self, name: str, block: int, rows: int = BLOCK) -> Words:
        """Return the first rows of a block, each with a word of 64 bits for every drone."""
        return self._block(name, block, rows * self.count).reshape(rows, self.count)

    def bits(self, name: str, rows: int) -> Bits:
        """Return rows of short draws; more rows of the same name begin with the same rows."""
        found = []
        for block, start in enumerate(range(0, rows, BLOCK)):
            size = min(BLOCK, rows - start) * self.count
            found.append(self._block(name, block, -(-size // 4)).view("<u2")[:size])
        joined = np.concatenate(found) if len(found) > 1 else found[0]
        return joined.reshape(rows, self.count)

    def _block(self, name: str, block: int, size: int) -> Words:
        """Return the first words of a block; no more are drawn than are asked for."""
        kept = self._blocks.get((name, block))
        if kept is None or kept.size < size:
            self._go_to(_place(name, block), size)
            kept = self._source.random_raw(size).astype("<u8", copy=False)
            self._blocks[name, block] = kept
        return kept[:size]

    def _go_to(self, place: int, size: int) -> None:
        """Set the generator to a place, from which so many words are going to be drawn."""
        self._source.advance(place - self._at)
        self._at = place + size


def _place(name: str, block: int) -> int:
    """Return where the draws of this name are."""
    # Odd, so that no two places share the generator's low bits.
    return entropy(block, name) >> 128 | 1


Column: TypeAlias = NDArray[Any]
"""One value for each drone; categorical variables as codes."""
Held: TypeAlias = float | int | bool | str | Column
"""What an intervention sets a variable to: one value for all drones, or one for each."""


# Numpy's own scalars: as good as an array of one, and several times as fast.
_SCALARS: dict[type, Callable[[Any], Any]] = {int: np.int64, float: np.float64, bool: np.bool_}


class Flights(Mapping[str, Column]):
    """A fleet after its flight, variable by variable; what nobody asks for is not worked out.

    Categorical variables are codes.
    """

    def __init__(self, count: int, found: dict[str, Column]) -> None:
        """Begin with what is found: a value for each drone, or one for all."""
        self.count = count
        self._found = found
        self.later: dict[str, Callable[[], Column]] = {}
        """How to find what has not been asked for."""

    def get_unspread(self, name: str) -> Column:
        """Return a variable, not spread over the drones if all have the same value."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self.later[name]()
        return found

    def __getitem__(self, name: str) -> Column:
        found = self.get_unspread(name)
        return found if found.ndim else np.full(self.count, found)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._found, **self.later})

    def __len__(self) -> int:
        return len({**self._found, **self.later})


class Trace:
    """A fleet being flown."""

    def __init__(self, game: Game, draws: Draws, do: Mapping[str, Held]) -> None:
        self.game = game
        self.draws = draws
        parts = game.components
        self.vital = tuple(f"{part.name}_hp" for part in parts if part.vital)
        """What is left of the components without which no drone reaches the enemy, by key."""
        self.critical = tuple(f"{part.name}_hp" for part in parts if part.critical)
        """What is left of the components with which a drone is lost, likewise."""
        self.spare = tuple(f"{part.name}_hp" for part in parts if not part.critical)
        self._held = {name: self._encode_value(name, value) for name, value in do.items()}
        # Where nothing harms a component, all of it is left.
        whole = {f"{part.name}_hp": np.asarray(part.hp)[()] for part in parts}
        self._found: dict[str, Column] = {**whole, **self._held}
        self.flights = Flights(draws.count, self._found)
        """The fleet, once everything is put."""

    def put(self, key: str, value: Column | float) -> Column:
        """Record a variable and return the values to go on with."""
        if key in self._held:
            return self._held[key]
        scalar = _SCALARS.get(type(value))
        found: Column = scalar(value) if scalar else value  # type: ignore[assignment]
        self._found[key] = found
        return found

    def put_later(self, key: str, find: Callable[[], Column]) -> None:
        """Record a variable that is worked out when it is asked for.

        `find` had better not hold the trace: a fleet that holds itself is freed late, and the next
        one flies in memory that is not at hand.
        """
        if key not in self._held:
            self.flights.later[key] = find

    def get(self, key: str) -> Column:
        """Return a variable that has been put."""
        found = self._found.get(key)
        return self.flights.get_unspread(key) if found is None else found

    def _encode_value(self, name: str, value: Held) -> Column:
        values = self.game.variable(name).values
        return np.asarray(values.index(value) if isinstance(value, str) else value)


LEAST_DETECTION, MOST_DETECTION = 0.01, 0.95
LEAST_HIT, MOST_HIT = 0.05, 0.95


def put_armour(trace: Trace, armour: dict[str, int], effect: Effect) -> None:
    """Put every component's armour, and the agility that its weight leaves."""
    weight: Column | int = 0
    for name, points in armour.items():
        worn = points if effect.armour_factor == 1 else int(points * effect.armour_factor)
        weight = weight + trace.put(f"{name}_def", worn)
    free = 1 - 0.002 * weight * np.exp(-weight / 200) - 0.001 * weight
    trace.put("agility", clip_column(free, *trace.game.combat.agility))


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
    engaged = trace.put("engaged", _with_all(trace, detected, trace.vital))
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
    alive = _with_all(trace, np.ones(trace.draws.count, dtype=bool), trace.critical)
    who = np.flatnonzero(alive & (hits > 0))
    if not who.size:
        return alive
    fighters = _Fighters(trace, who, hits)
    while True:
        lost = fighters.take_hits()
        alive[fighters.who[lost]] = False
        if not fighters.go_on(lost):
            return alive


@lru_cache(maxsize=16)  # 2.3 ms each, a fifth of playing and scoring otherwise
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


@lru_cache(maxsize=16)  # 2.2 ms each, a third of playing and scoring otherwise
def _blows(damage: float, spread: float) -> NDArray[np.uint16]:
    """Return a table from a short draw to how hard a hit is."""
    step = 2 * damage * spread / BITS
    hard: NDArray[np.float64] = np.floor(damage * (1 - spread) + step / 2 + step * np.arange(BITS))
    return hard.astype(np.uint16)


class _Fighters:
    """Those under fire: a row for each critical part and one for the rest, a column for each."""

    def __init__(self, trace: Trace, who: NDArray[np.int64], hits: Column) -> None:
        parts = trace.game.components
        self.trace = trace
        self.who = who
        self.block = 0
        self.hits = hits.take(who)
        self.most = int(self.hits.max())
        factor = trace.get("damage_factor")
        self.factor = factor.take(who) if factor.ndim else factor
        self.armour = self._stack_variables(
            tuple(f"{part.name}_def" for part in parts if part.critical)
        )
        self.health = self._stack_variables(trace.critical)
        self.damage: Any = 0.0
        self.aim = _aim(tuple((part.exposure, part.critical) for part in parts))
        self.pattern = self._pattern()

    def _stack_variables(self, keys: tuple[str, ...]) -> Column:
        """Return variables as rows."""
        found = [self.trace.get(key) for key in keys]
        return stack_columns([one.take(self.who) if one.ndim else one for one in found])

    def _pattern(self) -> Column:
        """Return where the table of `aim` begins that goes with the parts that live."""
        pattern: Any = np.intp(0)
        for number, part in enumerate(self.trace.spare):
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
        sorts = len(self.armour) + 1
        places = target + np.arange(0, sorts * self.who.size, sorts)
        added = np.bincount(places.ravel(), blow.ravel(), sorts * self.who.size)
        self.damage = self.damage + added.reshape(-1, sorts).T
        # Published: armour is taken off the sum of all hits on a component.
        damage = reduce_damage(
            self.damage[:-1], self.armour, combat.armour_factor, combat.armour_cap
        )
        found: Column = np.logical_or.reduce(damage >= self.health, axis=0)
        return found

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


def _draw_within_spans(draws: Draws, key: str, spans: tuple[Span, ...], which: Column) -> Column:
    """Return what is drawn for each drone within one of some spans."""
    low, high = np.array(spans, dtype=float).T
    found: Column = low.take(which) + (high - low).take(which) * draws.draw_uniform(key)
    return found


_INSTRUMENTS = {"wind_speed": "wind", "humidity": "humidity", "temperature": "temperature"}
"""Each with what a climate calls its span."""


def _put_storm(trace: Trace, law: AntennaLaw | WeatherLaw, stage: int) -> Column:
    """Put what the instruments show in storms and in clear weather, and who meets a storm."""
    draws = trace.draws
    storm = trace.put("is_storm", draws.draw_uniform("is_storm") < law.storm_share[stage - 1])
    for key, field in _INSTRUMENTS.items():
        spans = (getattr(law.clear, field), getattr(law.storm, field))
        trace.put_later(key, partial(_draw_within_spans, draws, key, spans, storm))
    return storm


def put_weather(trace: Trace, law: WeatherLaw, effect: Effect, stage: int) -> None:
    """Put everything from the weather to what the enemy makes of the drone."""
    storm = _put_storm(trace, law, stage)
    low, high = law.engine_span
    strong = clip_column((trace.get(f"{law.engine}_def") - low) / (high - low), 0, 1)
    lift = trace.get(f"{law.lift}_def") / law.scale
    # There are two weathers only: what follows from each is worked out once, not for every drone.
    in_clear, in_storm = (
        clip_column(
            1 / (1 + np.exp(-(slope * lift + offset))) + law.engine_bonus * strong,
            0,
            1,
        )
        for slope, offset in zip(law.slope, law.offset, strict=True)
    )
    chance = trace.put("live_chance", np.where(storm, in_storm, in_clear))
    airworthy = trace.put("airworthy", trace.draws.draw_uniform("airworthy") < chance)
    engine = f"{law.engine}_hp"
    trace.put(engine, trace.get(engine) * airworthy)
    _put_plain_enemy(trace, law.detection, law.rounds, effect)


def put_calm(trace: Trace, law: CalmLaw, effect: Effect) -> None:
    """Put an environment that does nothing."""
    for key, field in _INSTRUMENTS.items():
        trace.put_later(key, partial(trace.draws.draw_between, key, *getattr(law, field)))
    _put_plain_enemy(trace, law.detection, law.rounds, effect)


def _put_plain_enemy(trace: Trace, detection: float, length: float, effect: Effect) -> None:
    trace.put("detection", detection + effect.detection)
    least = 1 if trace.game.has("one_round_least") else 0
    trace.put("rounds", max(least, int(trace.game.combat.rounds * length)))
    trace.put("accuracy", 1.0)
    trace.put("damage_factor", 1.0)


def put_antenna(trace: Trace, law: AntennaLaw, effect: Effect, stage: int) -> None:
    """Put everything from the weather to what the enemy makes of the drone."""
    storm, patterns = _put_storm(trace, law, stage), (law.clear_pattern, law.storm_pattern)
    rough = _draw_within_spans(trace.draws, "weather_pattern", patterns, storm)
    trace.put("weather_pattern", rough)
    light = {exposed.part: exposed for exposed in (law.emitter, law.camera, law.gun)}
    for part in trace.game.components:
        if part.name in light:
            _put_light(trace, law, part, light[part.name])
        else:
            put_health(trace, part, _blow(trace, law, part.name))
    _put_storm_enemy(trace, law, effect)


def _put_light(trace: Trace, law: AntennaLaw, part: Component, exposed: WearLaw) -> None:
    """Put the damage to a light part, what works of it, and what is left of it."""
    name, spans = part.name, ((0.0, 0.0), exposed.breeze, exposed.gale)
    strength = np.searchsorted((law.breeze_above, law.gale_above), trace.get("wind_speed"))
    raw = _draw_within_spans(trace.draws, f"{name}_damage", spans, strength)
    raw = trace.put(f"{name}_damage", np.floor(raw))
    through = reduce_damage(raw, trace.get(f"{name}_def"), exposed.factor, law.worn_cap)
    trace.put(f"{name}_working", np.maximum(0, part.hp - through) / part.hp)
    # Published: damage to the camera and the gun is armoured twice on the drone itself.
    put_health(trace, part, through, armoured=exposed is not law.emitter)


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


def _put_storm_enemy(trace: Trace, law: AntennaLaw, effect: Effect) -> None:
    """Put detection, the length of the fight, the enemy's aim and the weight of its hits."""
    rough = trace.get("weather_pattern")
    emission = trace.get(f"{law.emitter.part}_working")
    sight = trace.get(f"{law.camera.part}_working")
    fire = trace.get(f"{law.gun.part}_working")
    loud = emission > 0
    base = law.detection[0] * (1 - rough) + law.detection[1] * rough
    hiding = np.where(sight > 0, law.stealth * (1 - law.camera_bonus * sight), law.blind_stealth)
    heard = law.emission_boost * emission
    trace.put("detection", np.where(loud, base + heard, base * hiding) + effect.detection)
    length = law.intensity[0] * (1 - rough) + law.intensity[1] * rough
    length = length * np.where(loud, law.loud_rounds, law.silent_rounds)
    trace.put("rounds", np.maximum(1, np.floor(trace.game.combat.rounds * length)))
    aim = np.where(sight > 0, 1 - law.camera_bonus * sight, law.blind_accuracy)
    trace.put("accuracy", aim)
    blunt = np.where(fire > 0, 1 - law.gun_bonus * fire, law.disarmed_damage)
    trace.put("damage_factor", blunt)


def put_zone(trace: Trace, law: ZoneLaw, effect: Effect, stage: int) -> None:
    """Put everything from the zone to what the enemy makes of the drone."""
    _put_place(trace, law, effect, stage)
    _put_zone_instruments(trace, law)
    _put_failure(trace, law, effect)
    _put_health(trace, law)
    _put_zone_enemy(trace, law, effect)


def _put_place(trace: Trace, law: ZoneLaw, effect: Effect, stage: int) -> None:
    draws = trace.draws
    bounds = np.cumsum([zone.share[stage - 1] for zone in law.zones])
    bounds = bounds / bounds[-1]
    drawn = bounds.searchsorted(draws.draw_uniform("mission_zone"), side="right")
    zone = trace.put("mission_zone", drawn)
    spans = _spread([place.emi for place in law.zones], law.emi_spread)
    trace.put("emi_level", clip_column(_draw_within_spans(draws, "emi_level", spans, zone), 0, 1))
    heights = np.array([ALTITUDES.index(place.altitude) for place in law.zones]).take(zone)
    chosen = effect.altitude
    trace.put("altitude_band", heights if chosen is None else ALTITUDES.index(chosen))


def _put_zone_instruments(trace: Trace, law: ZoneLaw) -> None:
    height = trace.get("altitude_band")
    for key, spans in (
        ("wind_resistance", _spread(law.wind, law.wind_spread)),
        ("signal_strength", _spread(law.signal, law.signal_spread)),
        ("temperature", law.temperature),
    ):
        trace.put_later(key, partial(_draw_within_spans, trace.draws, key, spans, height))


def _spread(middles: Sequence[float], spread: float) -> tuple[Span, ...]:
    return tuple((middle - spread, middle + spread) for middle in middles)


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


def _put_health(trace: Trace, law: ZoneLaw) -> None:
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
            blown = _draw_within_spans(trace.draws, f"{part.name}_hp", spans, height)
            raw[number] += np.floor(blown)
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


def _put_zone_enemy(trace: Trace, law: ZoneLaw, effect: Effect) -> None:
    failure, emi = trace.get("comm_failure"), trace.get("effective_emi")
    trace.put("detection", law.detection + law.detection_slope * failure + effect.detection)
    length = np.where(failure > law.long_above, law.long_rounds, 1.0)
    trace.put("rounds", np.maximum(1, np.floor(trace.game.combat.rounds * length)))
    trace.put("accuracy", 1.0)
    harder = 1 + law.hurt_slope * np.maximum(0, emi - law.hurt_above)
    trace.put("damage_factor", harder)


def fly(game: Game, design: Design, count: int, rng: Random, stage: Stage) -> Flights:
    """Fly `count` drones of one design."""
    return fly_on(game, design, Draws(rng.getrandbits(128), count), stage)


def fly_on(
    game: Game, design: Design, draws: Draws, stage: Stage, do: Mapping[str, Held] | None = None
) -> Flights:
    """Fly one design on given draws, so that two flights differ only by what was done.

    Raises:
        KeyError: `do` names no variable of the game.
        ValueError: It names no value of a categorical one.
    """
    held = dict(do or {})
    trace = Trace(game, draws, held)
    chosen = {slot.name: str(held[slot.name]) for slot in game.slots if slot.name in held}
    effect = effect_of(game, design, chosen)
    for slot in game.slots:
        trace.put_later(slot.name, partial(_code, game, design, chosen, slot.name))
    put_armour(trace, game.armour(design), effect)
    _put_law(trace, effect, stage)
    fight(trace)
    for variable in game.variables:
        if variable.span is not None:
            key = variable.key
            trace.put_later(key, partial(draws.draw_between, key, *variable.span))
    return trace.flights


def fly_recipe(game: Game, recipe: Recipe, count: int, rng: Random) -> Flights:
    """Fly some drones of the opening history, as its recipe says."""
    draws = Draws(rng.getrandbits(128), count)
    held: dict[str, Held] = {**recipe.force}
    for name, (low, high) in recipe.spread.items():
        held[name] = draws.draw_between(f"{name}:recipe", low, high)
    if game.has("forced_halfway"):
        drawn = fly_on(game, recipe.design, draws, 1)
        for key in ("wind_resistance", "signal_strength", "temperature"):
            held[key] = drawn[key]
    return fly_on(game, recipe.design, draws, 1, held)


def _code(game: Game, design: Design, chosen: Mapping[str, str], name: str) -> Column:
    option = resolve_equipment(game, design, chosen)[name]
    return np.asarray(game.variable(name).values.index(option))


def _put_law(trace: Trace, effect: Effect, stage: Stage) -> None:
    law = trace.game.working_law
    if isinstance(law, AntennaLaw):
        put_antenna(trace, law, effect, stage)
    elif isinstance(law, ZoneLaw):
        put_zone(trace, law, effect, stage)
    elif isinstance(law, CalmLaw):
        put_calm(trace, law, effect)
    else:
        put_weather(trace, law, effect, stage)

"""Fly fleets: by chance, on given draws, or with some variables held.

`fly` is what a session uses, `fly_recipe` what came before it, `fly_on` compares designs or
interventions drone by drone, and `survival` measures a design.
"""

from collections.abc import Mapping
from functools import partial
from random import Random

import numpy as np

from causarium.errors import UsageError
from causarium.families.causalgame.mechanics.published.antenna_law import put_antenna
from causarium.families.causalgame.mechanics.published.flight import fight, put_armour
from causarium.families.causalgame.mechanics.published.flight_state import (
    Column,
    Flights,
    Held,
    Trace,
)
from causarium.families.causalgame.mechanics.published.noise import Draws
from causarium.families.causalgame.mechanics.published.weather_law import put_calm, put_weather
from causarium.families.causalgame.mechanics.published.zone_law import put_zone
from causarium.families.causalgame.model.published.equipment import effect_of, resolve_equipment
from causarium.families.causalgame.model.published.game import (
    Design,
    Effect,
    Game,
    Recipe,
    Stage,
)
from causarium.families.causalgame.model.published.laws import AntennaLaw, CalmLaw, ZoneLaw
from causarium.scoring.intervals import Interval, wilson_interval
from causarium.seeds import entropy

_CALM = CalmLaw()
CHUNK = 20_000
"""So many drones fly at once in a large fleet; more would only fill the memory."""


def fly(
    game: Game,
    design: Design,
    count: int,
    rng: Random,
    stage: Stage,
    do: Mapping[str, Held] | None = None,
) -> Flights:
    """Fly `count` drones of one design; `do` holds structural variables, by name.

    Raises:
        UsageError: `do` names no variable of the game, or no value of a categorical one.
    """
    return fly_on(game, design, Draws(rng.getrandbits(128), count), stage, do)


def fly_on(
    game: Game,
    design: Design,
    draws: Draws,
    stage: Stage,
    do: Mapping[str, Held] | None = None,
) -> Flights:
    """Fly one design on given draws, so that two flights differ only by what was done.

    Raises:
        UsageError: `do` names no variable of the game, or no value of a categorical one.
    """
    held = dict(do or {})
    trace = Trace(game, draws, held)
    chosen = _held_equipment(game, held) if held else {}
    effect = effect_of(game, design, chosen)
    for slot in game.slots:
        trace.put_later(slot.name, partial(_code, game, design, chosen, slot.name))
    put_armour(trace, game.armour(design), effect)
    _put_law(trace, effect, stage)
    fight(trace)
    for key, span in trace.frame.distractors:
        trace.put_later(key, partial(draws.draw_between, key, *span))
    return trace.flights()


def fly_recipe(game: Game, recipe: Recipe, count: int, rng: Random) -> Flights:
    """Fly some drones of the opening history, as its recipe says."""
    draws = Draws(rng.getrandbits(128), count)
    held: dict[str, Held] = {**recipe.force}
    for name, (low, high) in recipe.spread.items():
        held[name] = draws.draw_between(f"{name}:recipe", low, high)
    if game.has("forced_halfway"):
        drawn = fly_on(game, recipe.design, draws, 1)
        for key in ("wind_resistance", "signal_strength", "temperature"):
            held[key] = drawn.columns[key]
    return fly_on(game, recipe.design, draws, 1, held)


def survival(
    game: Game,
    design: Design,
    n: int,
    seed: int,
    stage: Stage = 2,
    do: Mapping[str, Held] | None = None,
) -> Interval:
    """Measure how many of `n` drones survive, with the interval of that share."""
    alive = 0
    for start in range(0, n, CHUNK):
        draws = Draws(entropy(seed, "survival", start), min(CHUNK, n - start))
        alive += int(np.count_nonzero(fly_on(game, design, draws, stage, do).survived))
    return wilson_interval(alive, n)


def _code(game: Game, design: Design, chosen: Mapping[str, str], name: str) -> Column:
    option = resolve_equipment(game, design, chosen)[name]
    return np.asarray(game.variable(name).values.index(option))


def _held_equipment(game: Game, held: Mapping[str, Held]) -> dict[str, str]:
    chosen = {}
    for slot in game.slots:
        value = held.get(slot.name)
        if isinstance(value, str):
            chosen[slot.name] = value
        elif value is not None:
            raise UsageError(f"{slot.name} is held by the name of an option, not by {value!r}")
    return chosen


def _put_law(trace: Trace, effect: Effect, stage: Stage) -> None:
    law = _CALM if trace.game.has("law_missing") else trace.game.law
    if isinstance(law, AntennaLaw):
        put_antenna(trace, law, effect, stage)
    elif isinstance(law, ZoneLaw):
        put_zone(trace, law, effect, stage)
    elif isinstance(law, CalmLaw):
        put_calm(trace, law, effect)
    else:
        put_weather(trace, law, effect, stage)

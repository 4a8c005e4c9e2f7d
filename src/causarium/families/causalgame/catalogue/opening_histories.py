"""The opening histories of the certified games: who flew what, where, and which rows are kept.

Each history is a doctrine: crews fitted what they thought the conditions called for, so that what
was fitted and what was met go together. The doctrines are written as recipes, drawn once from a
named stream; every session flies them anew.

* **usual**: crews armoured the trap for rough conditions. Drones hit there never came back, so
  the records that are left praise the trap. With the lost ones shown, they condemn it.
* **high_def**: the same, by crews who put all they had on the trap.
* **local_optima**: crews near one mediocre design, none of whom tried what wins.
* **shift** and **weather**: crews tried things in the conditions of their time, which will change.
* **simpsons_paradox**: all rows are shown, and the wise choice was sent where most are lost: over
  all flights it looks worse, in each kind of place it is better.
"""

from random import Random

from causarium.families.causalgame.catalogue.published_hardware import design
from causarium.families.causalgame.mechanics.game import (
    Design,
    Paradox,
    Past,
    Recipe,
    Value,
)
from causarium.seeds import stream

CREWS = 25
"""Recipes in a history; fifty rows are two rounds of them."""
PARADOX_ROWS = 160
"""A reversal takes more rows to be seen in."""

Range = tuple[int, int]


def crews(
    rng: Random, count: int, ranges: tuple[Range, ...], force: dict[str, Value], **fitted: str
) -> tuple[Recipe, ...]:
    """Draw what some crews fitted: armour in the published order, within these ranges."""
    return tuple(
        Recipe(design=design(*(rng.randint(*ends) for ends in ranges), **fitted), force=force)
        for _ in range(count)
    )


def _rng(name: str) -> Random:
    return stream(0, "causalgame", "pasts", name)


_STORM: dict[str, Value] = {"is_storm": True}
_CLEAR: dict[str, Value] = {"is_storm": False}


def _antenna(name: str, in_storm: Range, in_clear: Range, light: Range, engine: Range) -> Past:
    rng, rest = _rng(name), ((14, 14), (12, 12), (11, 11))
    return Past(
        recipes=(
            *crews(rng, 15, (engine, *rest, in_storm, light, light), _STORM),
            *crews(rng, 10, (engine, *rest, in_clear, light, light), _CLEAR),
        )
    )


def antenna_pasts() -> dict[str, Past]:
    """Return the history of every antenna game, by what its name ends in."""
    usual = _antenna("antenna", (15, 24), (2, 12), (4, 6), (13, 17))
    bare = (20, 20, 0, 15)
    return {
        "": usual,
        "_high_def": _antenna("antenna_high_def", (22, 30), (14, 22), (4, 5), (8, 12)),
        "_local_optima": _antenna("antenna_local_optima", (8, 13), (3, 8), (8, 12), (13, 16)),
        "_no_history": usual.model_copy(update={"rows": 0}),
        "_no_selection_bias": usual.model_copy(update={"hide_failed": False}),
        "_simpsons_paradox": _paradox(
            wise=design(*bare, 0, 10, 10),
            unwise=design(*bare, 12, 10, 10),
            easy=_CLEAR,
            hard=_STORM,
            paradox=Paradox(lever="antenna", group="is_storm"),
        ),
    }


def _paradox(
    wise: Design,
    unwise: Design,
    easy: dict[str, Value],
    hard: dict[str, Value],
    paradox: Paradox,
) -> Past:
    """Return a history in which the wise design was flown where most drones are lost."""
    return Past(
        rows=PARADOX_ROWS,
        hide_failed=False,
        recipes=(
            Recipe(design=wise, force=hard, weight=7),
            Recipe(design=unwise, force=easy, weight=7),
            Recipe(design=wise, force=easy),
            Recipe(design=unwise, force=hard),
        ),
        paradox=paradox,
    )


def _zone(
    name: str, rough: tuple[Range, ...], quiet: tuple[Range, ...], modules: tuple[str, ...]
) -> Past:
    """Return a history in which the first module went to rough zones, the others to quiet ones."""
    rng = _rng(name)
    recipes: list[Recipe] = []
    for number in range(CREWS):
        if number % 5 < 3:
            zone, ranges, module = ("gamma", "epsilon")[number % 2], rough, modules[0]
        else:
            zone, ranges, module = ("alpha", "delta")[number % 2], quiet, rng.choice(modules[1:])
        recipes += crews(rng, 1, ranges, {"mission_zone": zone}, enhancement_module=module)
    return Past(recipes=tuple(recipes))


def zone_pasts() -> dict[str, Past]:
    """Return the history of every zone game, by what its name ends in."""
    small, none = (0, 3), (0, 0)
    usual = _zone(
        "zone",
        ((22, 27), (10, 10), (18, 22), (5, 5), small, none, none, none),
        ((10, 16), (10, 10), (8, 14), (5, 5), small, none, none, (4, 14)),
        ("radar_boost", "stealth_coating", "thermal_shield", "signal_filter"),
    )
    heavy = _zone(
        "zone_high_def",
        ((26, 30), (12, 14), (20, 24), none, none, none, none, none),
        ((20, 25), (8, 12), (14, 19), none, none, none, none, (0, 6)),
        ("radar_boost", "stealth_coating", "thermal_shield", "power_core"),
    )
    near = _zone(
        "zone_local_optima",
        ((14, 22), (12, 16), (12, 16), (4, 6), none, none, none, (0, 2)),
        ((14, 22), (12, 16), (12, 16), (4, 6), none, none, none, (3, 7)),
        ("signal_filter", "signal_filter"),
    )
    rest = (15, 15, 10, 10, 0, 0, 0)
    return {
        "": usual,
        "_high_def": heavy,
        "_local_optima": near,
        "_no_history": usual.model_copy(update={"rows": 0}),
        "_no_selection_bias": usual.model_copy(update={"hide_failed": False}),
        "_simpsons_paradox": _paradox(
            wise=design(*rest, 14, enhancement_module="signal_filter"),
            unwise=design(*rest, 0, enhancement_module="signal_filter"),
            easy={"mission_zone": "beta"},
            hard={"mission_zone": "gamma"},
            paradox=Paradox(lever="shield", group="mission_zone"),
        ),
    }


def shift_past() -> Past:
    """Return the history of the game whose zones change: crews tried things where they were."""
    rng, few = _rng("shift"), (0, 4)
    ranges = ((14, 26), (12, 20), (12, 20), (10, 15), few, few, few, (0, 8))
    halves = (("normal", 13), ("boost", 12))
    return Past(
        recipes=tuple(
            recipe
            for mode, count in halves
            for recipe in crews(rng, count, ranges, {}, power_mode=mode)
        )
    )


def weather_past() -> Past:
    """Return the history of the noisy game: antennas of every kind, in stormy months."""
    ranges = ((14, 24), (8, 14), (8, 12), (8, 12), (0, 26), (0, 2), (0, 2))
    crew = crews(_rng("weather"), CREWS, ranges, {})
    return Past(hide_failed=False, recipes=crew)

"""Find the best design inside a game's action space.

Designs are compared on the same draws, drone by drone, so that small differences show in small
fleets. Many random designs are screened, the best few are improved by moving armour from one
component to another and by refitting, and the winner is measured once more on draws that the
search never saw: what it reached by luck on its own draws is not counted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from causarium.families.causalgame.evidence.search_policies import offer, scatter
from causarium.families.causalgame.mechanics.game import Design, Game, Slot, Stage
from causarium.families.causalgame.mechanics.noise import Draws
from causarium.families.causalgame.mechanics.simulate import fly_on, survival
from causarium.scoring.intervals import Interval
from causarium.seeds import entropy, stream

Point = tuple[tuple[int, ...], tuple[str, ...]]
"""A design: armour in the order of components, options in the order of slots."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to search."""

    screened: int = 300
    """Random designs that are looked at."""
    climbs: int = 3
    """How many of them are improved."""
    glance: int = 1_000
    """Drones a design in the screening."""
    look: int = 4_000
    """Drones a design while climbing."""
    stare: int = 20_000
    """Drones a design in the last climb, from the best point so far."""
    measured: int = 200_000
    """Drones that measure the winner."""


FULL = Effort()
QUICK = Effort(screened=150, climbs=2, glance=500, look=1_500, stare=6_000, measured=40_000)
"""Enough to draw games by; `FULL` confirms what it finds."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best design that a search found."""

    design: Design
    survival: Interval
    """Its survival at evaluation, on draws that the search never saw."""
    tried: int
    """How many designs were compared on the way."""


def open_slots(game: Game) -> tuple[Slot, ...]:
    """Return the slots that an agent may fill."""
    return tuple(slot for slot in game.slots if slot.declared)


def is_legal(game: Game, design: Design) -> bool:
    """Return whether a design lies inside the action space."""
    armour, space = game.armour(design), game.space
    slots = {slot.name: {option.name for option in slot.options} for slot in open_slots(game)}
    return (
        set(design.armour) <= set(game.default)
        and all(space.low <= points <= space.high for points in armour.values())
        and sum(armour.values()) <= space.total
        and all(choice in slots.get(name, ()) for name, choice in design.equipment.items())
    )


def best_design(game: Game, *, effort: Effort = FULL, seed: int = 0, stage: Stage = 2) -> Found:
    """Search the action space for the design that survives best at a stage."""
    rng, given = stream(seed, "causalgame", "search"), offer(game)
    starts = [_point(game, scatter(given, rng)) for _ in range(effort.screened)]
    starts += [_point(game, Design()), _point(game, game.trap)]
    return _search(_Ground(game, stage, _everywhere(game)), starts, rng, effort, seed)


def best_flown(game: Game, *, effort: Effort = QUICK, seed: int = 0) -> Found:
    """Search among the designs that keep within what the history has flown, part by part."""
    starts = [_point(game, recipe.design) for recipe in game.past.recipes]
    ground = _Ground(game, 2, _flown(game))
    return _search(ground, starts, stream(seed, "causalgame", "flown"), effort, seed)


def _search(
    ground: "_Ground", starts: list[Point], rng: Random, effort: Effort, seed: int
) -> Found:
    game, stage = ground.game, ground.stage
    glance = _Arena(ground, entropy(seed, "glance"), effort.glance)
    starts = sorted(starts, key=glance.rate, reverse=True)
    look = _Arena(ground, entropy(seed, "look"), effort.look)
    tops = [_climb(look, start, (12, 6, 3, 1), rng) for start in starts[: effort.climbs]]
    stare = _Arena(ground, entropy(seed, "stare"), effort.stare)
    top = _climb(stare, max(tops, key=stare.rate), (2, 1), rng)
    design = _design(game, top)
    return Found(
        design=design,
        survival=survival(game, design, effort.measured, entropy(seed, "measured"), stage),
        tried=len(glance.seen | look.seen | stare.seen),
    )


@dataclass(frozen=True, slots=True)
class _Reach:
    """How far a search may go."""

    ends: tuple[tuple[int, int], ...]
    """The least and the most armour of each component."""
    options: tuple[tuple[str, ...], ...]
    """What may be fitted in each slot."""


def _everywhere(game: Game) -> _Reach:
    slots = open_slots(game)
    return _Reach(
        ends=((game.space.low, game.space.high),) * len(game.components),
        options=tuple(tuple(option.name for option in slot.options) for slot in slots),
    )


def _flown(game: Game) -> _Reach:
    points = [_point(game, recipe.design) for recipe in game.past.recipes]
    armour = list(zip(*(one[0] for one in points), strict=True))
    fitted = list(zip(*(one[1] for one in points), strict=True))
    return _Reach(
        ends=tuple((min(flown), max(flown)) for flown in armour),
        options=tuple(tuple(sorted(set(names))) for names in fitted),
    )


@dataclass(frozen=True, slots=True)
class _Ground:
    """Where a search takes place."""

    game: Game
    stage: Stage
    reach: _Reach


class _Arena:
    """Designs flown on the same draws, each once."""

    def __init__(self, ground: _Ground, seed: int, count: int) -> None:
        self.game = ground.game
        self.stage = ground.stage
        self.reach = ground.reach
        self.draws = Draws(seed, count)
        self._rates: dict[Point, float] = {}

    @property
    def seen(self) -> set[Point]:
        """The designs that were flown."""
        return set(self._rates)

    def rate(self, point: Point) -> float:
        """Return the share of drones that survive."""
        if point not in self._rates:
            fleet = fly_on(self.game, _design(self.game, point), self.draws, self.stage)
            self._rates[point] = float(fleet.survived.mean())
        return self._rates[point]


def _climb(arena: _Arena, start: Point, steps: tuple[int, ...], rng: Random) -> Point:
    """Move to better neighbours, by ever smaller steps, until there are none."""
    here = start
    for step in steps:
        better = True
        while better:
            better = False
            moves = list(_moves(arena.reach, step))
            rng.shuffle(moves)
            for move in moves:
                there = _moved(arena.reach, here, move, arena.game.space.total)
                if there is not None and arena.rate(there) > arena.rate(here):
                    here, better = there, True
    return here


def _moves(reach: _Reach, step: int) -> Iterator[tuple[int, int, int, str]]:
    """Yield every move: points off a component, points on a component, a slot's new option."""
    places = range(-1, len(reach.ends))
    for off in places:
        for on in places:
            if off != on:
                yield off, on, step, ""
    for number, names in enumerate(reach.options):
        for name in names:
            yield number, number, 0, name


def _moved(
    reach: _Reach, point: Point, move: tuple[int, int, int, str], total: int
) -> Point | None:
    """Return the point after a move, or None where it would go too far."""
    armour, options = list(point[0]), list(point[1])
    off, on, step, option = move
    if option:
        if options[off] == option:
            return None
        options[off] = option
        return point[0], tuple(options)
    if off >= 0:
        armour[off] -= step
    if on >= 0:
        armour[on] += step
    ends = zip(reach.ends, armour, strict=True)
    inside = all(low <= points <= high for (low, high), points in ends)
    return (tuple(armour), point[1]) if inside and sum(armour) <= total else None


def _point(game: Game, design: Design) -> Point:
    """Return a design as a point, with less armour where it has more than is allowed."""
    space = game.space
    armour = [min(space.high, max(space.low, points)) for points in game.armour(design).values()]
    while sum(armour) > space.total:
        armour[armour.index(max(armour))] -= 1
    chosen = tuple(slot.option(design.equipment.get(slot.name)).name for slot in open_slots(game))
    return tuple(armour), chosen


def _design(game: Game, point: Point) -> Design:
    armour = dict(zip((part.name for part in game.components), point[0], strict=True))
    fitted = dict(zip((slot.name for slot in open_slots(game)), point[1], strict=True))
    return Design(armour=armour, equipment=fitted)

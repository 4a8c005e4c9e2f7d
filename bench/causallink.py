"""CausalLink: the world's speed, the time of a draw, and what a score is worth without reasoning.

Speed is set against a plain networkx reading of the same rules. In long walks the cap is lifted.
Episodes have the length that the cap allows and open their world anew each time, as playing,
scoring and replaying a case do, by one player after another; a graph keeps what the games before
worked out. The lines on first openings begin with nothing kept: a hundred cases of the published
levels, several of which ask about one graph, and a hundred of our own, each with its own graph:
opened once; twice, as to play a case and to score it; and so by each player of an audit.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from bench.causallink_baselines import PlainWorld, draw_as_version_1
from bench.causallink_separation import separation_lines
from bench.measure import Measurement, compare
from causarium.families.causallink import FAMILY
from causarium.families.causallink.actions import Intervene
from causarium.families.causallink.instance import LinkInstance
from causarium.families.causallink.interface.board import forget_boards

WALK = 1_000
"""How many random interventions are timed in one go."""
FRESH = 100
"""How many cases are opened for the first time in one go."""
PLAYERS = 8
"""How many players an audit of the certified edition has at least."""
DRAWN_SIZES = (4, 5, 6, 7)
WANTED = "at least 5x"


def run() -> Iterator[Measurement]:
    """Time worlds of two to seven variables and draws, then measure what shortcuts earn."""
    for size in range(2, 8):
        instances = _instances("paper-core" if size < 4 else f"paper-advanced-{size}", size)
        ours = _instances("core" if size < 4 else f"advanced-{size}", size)
        yield _time_long_walk(size, instances[0])
        yield _time_episodes(size, instances[:1], "opened again")
        yield _time_episodes(size, instances, "first opened, published level", fresh=True)
        yield _time_episodes(size, ours, "first opened, a graph each", fresh=True)
        what = "played and scored, a graph each"
        yield _time_episodes(size, ours, what, fresh=True, times=2)
        what = f"played and scored by {PLAYERS} players, a graph each"
        yield _time_episodes(size, ours, what, fresh=True, walks=PLAYERS, times=2)
    for size in DRAWN_SIZES:
        yield _time_draws(size)
    yield from separation_lines()


def _instances(level_name: str, size: int) -> list[LinkInstance]:
    level = FAMILY.level(level_name)
    drawn = (FAMILY.generate(level, 0, index) for index in range(84 * FRESH))
    cases = (instance for instance in drawn if len(instance.public.shapes) == size)
    return [next(cases) for _ in range(FRESH)]


def _walk(instance: LinkInstance, length: int, rng: Random) -> list[Intervene]:
    return [
        Intervene(shape=rng.choice(instance.public.shapes), action=rng.choice(("move", "hold")))
        for _ in range(length)
    ]


def _time_long_walk(size: int, instance: LinkInstance) -> Measurement:
    public = instance.public.model_copy(update={"cap": 2 * WALK})
    free = instance.model_copy(update={"public": public})
    games = [(free, _walk(free, WALK, Random(7)))]
    mine, theirs = _compare(_ours(games), _plain(games))
    return Measurement(f"long walk, n={size}", "steps/s", mine, theirs, WANTED)


def _time_episodes(
    size: int,
    instances: list[LinkInstance],
    what: str,
    *,
    fresh: bool = False,
    walks: int | None = None,
    times: int = 1,
) -> Measurement:
    rng = Random(7)
    games = [
        game
        for instance in instances
        for _ in range(walks or FRESH // len(instances))
        for game in [(instance, _walk(instance, instance.public.cap, rng))] * times
    ]
    mine, theirs = _compare(_ours(games, fresh=fresh), _plain(games))
    return Measurement(f"episodes, world {what}, n={size}", "steps/s", mine, theirs, WANTED)


_compare = partial(compare, rounds=5, seconds=0.1, clock=time.process_time)


def _ours(
    games: list[tuple[LinkInstance, list[Intervene]]], *, fresh: bool = False
) -> Callable[[], int]:
    rules = FAMILY.rules_for("certified", interface="tools")

    def work() -> int:
        if fresh:
            forget_boards()
        for instance, walk in games:
            act = FAMILY.open_world(instance, rules).act
            for step in walk:
                act(step)
        return sum(len(walk) for _, walk in games)

    return work


def _plain(games: list[tuple[LinkInstance, list[Intervene]]]) -> Callable[[], int]:
    orders = [(instance, [(step.shape, step.action) for step in walk]) for instance, walk in games]

    def work() -> int:
        for instance, walk in orders:
            act = PlainWorld(instance).act
            for shape, action in walk:
                act(shape, action)
        return sum(len(walk) for _, walk in orders)

    return work


def _time_draws(size: int) -> Measurement:
    level = FAMILY.level(f"advanced-{size}")
    counts = {"ours": 0, "version 1": 0}

    def ours() -> int:
        begin = counts["ours"] = counts["ours"] + FRESH
        for index in range(begin, begin + FRESH):
            FAMILY.generate(level, 5, index)
        return FRESH

    def version_1() -> int:
        begin = counts["version 1"] = counts["version 1"] + FRESH
        for index in range(begin, begin + FRESH):
            draw_as_version_1(level, 5, index)
        return FRESH

    mine, theirs = compare(ours, version_1, rounds=3, seconds=0.2)
    return Measurement(f"cases drawn, n={size}, against version 1", "cases/s", mine, theirs)

"""CausalLink: the speed of its worlds, of its draws and of its certificates.

Worlds of the paper edition are set against a plain networkx reading of the same rules: shapes are
nodes, activity is a set, starting a shape adds its descendants, stopping it goes down from effect
to effect and looks at each one's direct causes. Every episode opens its world anew.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import networkx as nx

from bench.measure import Measurement, compare
from causarium.families.causallink.certified import FAMILY
from causarium.families.causallink.paper import FAMILY as PAPER
from causarium.families.causallink.paper.model.instance import Intervene, LinkInstance

FRESH = 100
"""How many cases are opened in one go."""
DRAWS = 10

_compare = partial(compare, rounds=5, seconds=0.1, clock=time.process_time)


class PlainWorld:
    """The same rules, said with networkx."""

    def __init__(self, instance: LinkInstance) -> None:
        public = instance.public
        self.graph = nx.DiGraph()
        self.graph.add_nodes_from(public.shapes)
        self.graph.add_edges_from(edge.split(">") for edge in instance.secret.edges)
        self.active = set(public.moving)

    def act(self, shape: str, action: str) -> str:
        """Carry out one intervention and describe the state after it."""
        if action == "move":
            self.active |= {shape} | nx.descendants(self.graph, shape)
        else:
            self._hold(shape)
        return "\n".join(
            f"{name} is {'moving' if name in self.active else 'static'}" for name in self.graph
        )

    def _hold(self, shape: str) -> None:
        if shape not in self.active:
            return
        if any(cause in self.active for cause in self.graph.predecessors(shape)):
            return
        self.active.remove(shape)
        for effect in self.graph.successors(shape):
            self._hold(effect)


def run() -> Iterator[Measurement]:
    """Time worlds of two to seven variables, then draws and certificates of rungs."""
    for size in range(2, 8):
        yield _time_episodes(size)
    for level in ("rung-1", "rung-3", "rung-5"):
        yield _time_draws(level)


def _time_episodes(size: int) -> Measurement:
    level = PAPER.level("paper-core" if size < 4 else f"paper-advanced-{size}")
    drawn = (PAPER.generate(level, 0, index) for index in range(84 * FRESH))
    cases = (instance for instance in drawn if len(instance.public.shapes) == size)
    rng = Random(7)
    games = [(case, _walk(case, rng)) for case in (next(cases) for _ in range(FRESH))]
    mine, theirs = _compare(_ours(games), _plain(games))
    return Measurement(f"episodes, n={size}, against networkx", "steps/s", mine, theirs)


def _walk(instance: LinkInstance, rng: Random) -> list[Intervene]:
    return [
        Intervene(shape=rng.choice(instance.public.shapes), action=rng.choice(("move", "hold")))
        for _ in range(instance.public.cap)
    ]


def _ours(games: list[tuple[LinkInstance, list[Intervene]]]) -> Callable[[], int]:
    rules = PAPER.rules_for("paper", interface="tools")

    def work() -> int:
        for instance, walk in games:
            act = PAPER.open_world(instance, rules).act
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


def _time_draws(level_name: str) -> Measurement:
    level, drawn = FAMILY.level(level_name), 0

    def ours() -> int:
        nonlocal drawn
        for _ in range(DRAWS):
            FAMILY.proofs.certify(FAMILY.generate(level, 5, drawn))
            drawn += 1
        return DRAWS

    mine, _ = _compare(ours, ours)
    return Measurement(f"cases drawn and certified, {level_name}", "cases/s", mine)

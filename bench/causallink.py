"""World steps a second, with state text, against a plain networkx reading of the same rules.

The baseline is written for this bench: shapes are nodes, activity is a set, starting a shape adds
its descendants, stopping it goes down from effect to effect and looks at each one's direct causes.
It writes every text anew; ours keeps the text of each state that a world has been in, and most of
the advantage in the long walks (with the cap lifted) comes from that. The lines on short episodes
show what is left of it in worlds that are opened, wording and all, played once and thrown away.
"""

from collections.abc import Callable
from random import Random

import networkx as nx

from bench.measure import Measurement, compare
from causarium.families.causallink import FAMILY
from causarium.families.causallink.instance import Intervene, LinkInstance
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.mechanics.theme import theme
from causarium.families.causallink.prompts import state_lines, states_text

WALK = 1_000
"""How many random interventions are timed in one go."""
WORLDS = ("paper-core", *(f"paper-advanced-{size}" for size in range(4, 8)))
WANTED = "at least 5x"


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


def run() -> list[Measurement]:
    """Time bare dynamics with text, and the whole of `World.act`, for two to seven variables."""
    lines = []
    for label, instance in _instances():
        walk = _walk(instance)
        plain = _plain(instance, walk)
        for what, ours in (("dynamics and text", _bare), ("World.act", _act)):
            mine, theirs = compare(ours(instance, walk), plain, rounds=3, seconds=0.2)
            lines.append(Measurement(f"{what}, {label}", "steps/s", mine, theirs, WANTED))
        lines.append(_episodes(label, instance, walk))
    return lines


def _episodes(label: str, instance: LinkInstance, walk: list[Intervene]) -> Measurement:
    """Time walks of an episode's length, each in a new world, with nothing kept from before."""
    cap = instance.public.cap
    rules = FAMILY.rules_for("certified", interface="tools")
    cuts = [walk[begin : begin + cap] for begin in range(0, WALK - cap, cap)]

    def ours() -> int:
        for cut in cuts:
            act = FAMILY.open_world(instance, rules).act
            for step in cut:
                act(step)
        return len(cuts) * cap

    def theirs() -> int:
        for cut in cuts:
            world = PlainWorld(instance)
            for step in cut:
                world.act(step.shape, step.action)
        return len(cuts) * cap

    mine, baseline = compare(ours, theirs, rounds=3, seconds=0.2)
    what = f"World.act in short episodes, opening included, {label}"
    return Measurement(what, "steps/s", mine, baseline, "no target")


def _instances() -> list[tuple[str, LinkInstance]]:
    core, *advanced = (FAMILY.level(name) for name in WORLDS)
    found = [("n=2", FAMILY.generate(core, 0, 0)), ("n=3", FAMILY.generate(core, 0, 6))]
    return found + [(f"n={level.size}", FAMILY.generate(level, 0, 0)) for level in advanced]


def _walk(instance: LinkInstance) -> list[Intervene]:
    rng = Random(7)
    return [
        Intervene(shape=rng.choice(instance.public.shapes), action=rng.choice(("move", "hold")))
        for _ in range(WALK)
    ]


def _plain(instance: LinkInstance, walk: list[Intervene]) -> Callable[[], int]:
    orders = [(step.shape, step.action) for step in walk]

    def work() -> int:
        world = PlainWorld(instance)
        for shape, action in orders:
            world.act(shape, action)
        return WALK

    return work


def _bare(instance: LinkInstance, walk: list[Intervene]) -> Callable[[], int]:
    public = instance.public
    lines = state_lines(theme(public.theme), public.shapes)
    orders = [(public.shapes.index(step.shape), step.action == "move") for step in walk]

    def work() -> int:
        reach: Reach = instance.secret.reach(public.shapes)
        texts: dict[int, str] = {}
        state = public.start
        for x, starts in orders:
            state = reach.move(state, x) if starts else reach.hold(state, x)
            if state not in texts:
                texts[state] = states_text(lines, state)
        return WALK

    return work


def _act(instance: LinkInstance, walk: list[Intervene]) -> Callable[[], int]:
    # The cap is lifted so that a long walk fits into one world.
    public = instance.public.model_copy(update={"cap": 2 * WALK})
    free = instance.model_copy(update={"public": public})
    rules = FAMILY.rules_for("certified", interface="tools")

    def work() -> int:
        act = FAMILY.open_world(free, rules).act
        for step in walk:
            act(step)
        return WALK

    return work

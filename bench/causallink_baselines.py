"""What CausalLink is measured against: the rules said with networkx, and version 1's draw.

The world is written for this bench: shapes are nodes, activity is a set, starting a shape adds its
descendants, stopping it goes down from effect to effect and looks at each one's direct causes.
The draw is that of version 1-A: a connected graph with each edge at even odds, and six of its
questions, half of them with the answer yes.
"""

from functools import lru_cache
from itertools import permutations
from random import Random

import networkx as nx

from causarium.families.causallink.config import LinkConfig
from causarium.families.causallink.generate import Case, word_case
from causarium.families.causallink.instance import LinkInstance
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.mechanics.theme import theme
from causarium.seeds import stream

QUESTIONS = 6


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


def draw_as_version_1(config: LinkConfig, seed: int, index: int) -> LinkInstance:
    """Draw one all-active case as version 1-A did."""
    number, question = divmod(index, QUESTIONS)
    edges, names, questions = _graph(config.size, seed, number)
    cause, effect = questions[question]
    case = Case(names, edges, (1 << config.size) - 1, cause, effect)
    reach = Reach.of_edges(config.size, edges)
    truths = [reach.causes(*asked) for asked in questions]
    rng = stream(seed, "version 1", "listing", config.size, number)
    pair = stream(seed, "version 1", "listing", config.size, "pair", number // 2)
    more = (pair.random() < 0.5) == (number % 2 == 0)
    flags = {}
    for truth in (True, False):
        count = truths.count(truth)
        first = (count + (more == truth)) // 2
        flags[truth] = [True] * first + [False] * (count - first)
        rng.shuffle(flags[truth])
    rank = truths[:question].count(truths[question])
    listed = case.turn_listing(cause_first=flags[truths[question]][rank])
    return word_case(config, seed, index, listed)


@lru_cache(maxsize=256)
def _graph(
    size: int, seed: int, number: int
) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...], list[tuple[int, int]]]:
    address = ("version 1", size, number)
    edges = _draw_connected(stream(seed, *address, "graph"), size)
    names = tuple(stream(seed, *address, "names").sample(theme("shapes").names, size))
    rng = stream(seed, *address, "questions")
    reach = Reach.of_edges(size, edges)
    pairs = list(permutations(range(size), 2))
    yes = [pair for pair in pairs if reach.causes(*pair)]
    no = [pair for pair in pairs if not reach.causes(*pair)]
    asked = rng.sample(yes, QUESTIONS // 2) + rng.sample(no, QUESTIONS // 2)
    rng.shuffle(asked)
    return edges, names, asked


def _draw_connected(rng: Random, size: int) -> tuple[tuple[int, int], ...]:
    while True:
        order = rng.sample(range(size), size)
        edges = tuple(
            (order[i], order[j])
            for i in range(size)
            for j in range(i + 1, size)
            if rng.random() < 0.5
        )
        if _is_connected(size, edges):
            return edges


def _is_connected(size: int, edges: tuple[tuple[int, int], ...]) -> bool:
    joined = 1
    for _ in range(size):
        for a, b in edges:
            if joined >> a & 1 or joined >> b & 1:
                joined |= 1 << a | 1 << b
    return joined == (1 << size) - 1

"""Causal loop graphs: connected, sparse, and made of feedback loops as published ones are."""

from dataclasses import dataclass
from random import Random

ACYCLIC_SHARE = 0.1
"""About as many of the published graphs have no cycle at all."""

EDGES_PER_NODE = (1.25, 1.75)
"""Published graphs have 1.5 edges a node on average."""

LOOP_SIZES = (3, 6)


@dataclass(frozen=True, slots=True)
class Loops:
    """A graph over nodes 0, 1, … with the sign of each edge."""

    size: int
    edges: tuple[tuple[int, int], ...]
    rises: tuple[bool, ...]
    """For each edge whether more of the cause means more of the effect."""


def draw_loops(rng: Random, size: int) -> Loops:
    """Draw a connected graph: feedback loops that share a node with what is there, then chords.

    No two nodes act on each other directly, so that an arrow turned round is always wrong. A tenth
    of the graphs have no cycle; their edges all point the same way along an order.
    """
    acyclic = rng.random() < ACYCLIC_SHARE
    wanted = round(size * rng.uniform(*EDGES_PER_NODE))
    edges: dict[tuple[int, int], None] = {}
    reached = [0]
    while len(reached) < size:
        length = min(rng.randint(*LOOP_SIZES) - 1, size - len(reached))
        fresh = list(range(len(reached), len(reached) + length))
        ring = [rng.choice(reached), *fresh]
        back = ring[0] if rng.random() < 0.6 else rng.choice(reached)
        for edge in zip(ring, [*fresh, back], strict=True):
            if edge[::-1] not in edges:
                edges[edge] = None
        reached += fresh
    while len(edges) < wanted:
        cause, effect = rng.sample(range(size), 2)
        if (effect, cause) not in edges:
            edges[cause, effect] = None
    pairs = [(min(e), max(e)) if acyclic else e for e in edges]
    places = rng.sample(range(size), size)
    placed = list(dict.fromkeys((places[cause], places[effect]) for cause, effect in pairs))
    rng.shuffle(placed)
    return Loops(size, tuple(placed), tuple(rng.random() < 0.6 for _ in placed))

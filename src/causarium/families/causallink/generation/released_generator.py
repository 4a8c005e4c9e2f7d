"""The released generator's mechanics, draw by draw, for the paper edition.

Edges run from lower to higher node ids only, so the order in which shapes are listed is a causal
order. A draw in which some node is not reachable from node 0 is replaced by its complement, which
is not tested again. Questions run from the lower id to the higher, whatever the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from causarium.families.causallink.generation.core_cases import Edges
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.mechanics.theme import theme

POOL_SIZE = 8
"""How many names the published pool of shapes has."""


@dataclass(frozen=True, slots=True)
class ReleasedDraw:
    """A graph, its shapes in node order, and the pairs asked about, in order."""

    edges: Edges
    shapes: tuple[str, ...]
    pairs: Edges


def draw_released(rng: Random, n: int, questions: int) -> ReleasedDraw:
    """Draw one graph and its questions, in the released order of random draws."""
    slots = list(combinations(range(n), 2))
    edges = complete_edges(n, [rng.random() < 0.5 for _ in slots])
    shapes = rng.sample(theme("shapes").names[:POOL_SIZE], n)
    for _ in range(n):
        # A kind of change is drawn for every shape from a list of one and never used.
        rng.choice(("moving",))
    pairs = rng.sample(slots, questions)
    return ReleasedDraw(edges, tuple(shapes), tuple(pairs))


def complete_edges(n: int, present: Sequence[bool]) -> Edges:
    """Return the graph of one draw: its edges, or where node 0 does not reach all, the others."""
    slots = list(combinations(range(n), 2))
    drawn = tuple(slot for slot, is_present in zip(slots, present, strict=True) if is_present)
    if Reach.of_edges(n, drawn).below[0] == (1 << n) - 1:
        return drawn
    return tuple(slot for slot in slots if slot not in drawn)

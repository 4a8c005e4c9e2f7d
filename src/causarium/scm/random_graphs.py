"""Draw directed acyclic graphs.

`draw_to_outcome` follows the recipe that reproduces the published graphs of CausaLab: the number of
edges is drawn first, one edge into a chosen outcome comes first, and the rest are ordered pairs
drawn evenly, those that would repeat an edge or close a cycle being thrown away. No node's place
in the numbering says anything about its place in the graph.
"""

from random import Random

from causarium.errors import GraphError
from causarium.scm.dag import Dag

Edges = tuple[tuple[int, int], ...]
"""`(cause, effect)` pairs, in the order in which they were drawn."""


def edge_range(size: int) -> range:
    """Return the numbers of edges that a graph of `size` nodes may be given.

    Example:
        >>> [len(edge_range(k)) for k in (3, 4, 7)]
        [2, 4, 9]
    """
    return range(size - 1, min(size * (size - 1) // 2, 2 * size) + 1)


def draw_to_outcome(rng: Random, size: int, outcome: int, *, outcome_may_cause: bool) -> Edges:
    """Draw the edges of a graph in which `outcome` has at least one parent.

    Args:
        rng: Where the draws come from.
        size: How many nodes the graph has.
        outcome: The node that the first edge leads to.
        outcome_may_cause: Whether edges may leave the outcome.
    """
    if size < 2:
        raise GraphError(f"a graph with an outcome and a cause has 2 nodes or more, not {size}")
    wanted = rng.choice(edge_range(size))
    first = rng.choice([node for node in range(size) if node != outcome])
    edges = [(first, outcome)]
    above = [1 << node for node in range(size)]
    above[outcome] |= 1 << first
    while len(edges) < wanted:
        cause, effect = rng.randrange(size), rng.randrange(size)
        closes = above[cause] >> effect & 1
        if closes or (cause, effect) in edges or (cause == outcome and not outcome_may_cause):
            continue
        edges.append((cause, effect))
        for node in range(size):
            if above[node] >> effect & 1:
                above[node] |= above[cause]
    return tuple(edges)


def depth_first_order(dag: Dag, edges: Edges, start: int) -> tuple[int, ...]:
    """Return the order in which a depth-first walk from `start` finishes the nodes, causes first.

    Parents are visited in the order of `edges`, the remaining nodes by their number.
    """
    order: list[int] = []

    def visit(node: int) -> None:
        if node in order:
            return
        for cause, effect in edges:
            if effect == node:
                visit(cause)
        order.append(node)

    for node in (start, *range(dag.size)):
        visit(node)
    return tuple(order)

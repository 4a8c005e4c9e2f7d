"""Count directed acyclic graphs whose nodes have parents of given kinds, without listing them."""

from collections.abc import Collection, Sequence

from causarium.errors import UsageError
from causarium.scm.dag import bits

MAX_NODES = 12
"""The work grows with three to the power of the nodes, so larger graphs are not counted."""


def count_dags(options: Sequence[Collection[int]]) -> int:
    """Return how many acyclic graphs give every node one of its sets of parents.

    Graphs are counted by their sinks, with inclusion and exclusion over sets of them.

    Args:
        options: For each node, the masks of parents that it may have.

    Raises:
        UsageError: There are more than `MAX_NODES` nodes.

    Example:
        >>> count_dags([[0, 0b10], [0, 0b01]])
        3
    """
    size = len(options)
    if size > MAX_NODES:
        raise UsageError(f"graphs over {size} nodes are not counted; at most {MAX_NODES} nodes are")
    allowed = [_count_within(masks, size) for masks in options]
    counts = [1] + [0] * (2**size - 1)
    for nodes in range(1, 2**size):
        total, sinks = 0, nodes
        while sinks:
            rest = nodes & ~sinks
            ways = counts[rest]
            for sink in bits(sinks) if ways else ():
                ways *= allowed[sink][rest]
            total += ways if sinks.bit_count() % 2 else -ways
            sinks = (sinks - 1) & nodes
        counts[nodes] = total
    return counts[-1]


def _count_within(masks: Collection[int], size: int) -> list[int]:
    """Return, for each set of nodes, how many of `masks` lie within it."""
    counts = [0] * 2**size
    for mask in set(masks):
        counts[mask] += 1
    for node in range(size):
        bit = 1 << node
        for nodes in range(2**size):
            if nodes & bit:
                counts[nodes] += counts[nodes ^ bit]
    return counts

"""Directed acyclic graphs as bit masks: small, exact and fast.

A `Dag` has nodes 0, 1, … and, for each, the set of its parents as one integer: its bit `i` says
whether `i` is a parent. A set of nodes is a mask everywhere in this module. Names belong to
whoever uses the graph.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from causarium.errors import GraphError


def mask_of(nodes: Iterable[int]) -> int:
    """Return the mask of `nodes`.

    Example:
        >>> bin(mask_of([0, 3]))
        '0b1001'
    """
    mask = 0
    for node in nodes:
        mask |= 1 << node
    return mask


def bits(mask: int) -> Iterator[int]:
    """Yield the nodes of `mask`, smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Dag:
    """A directed acyclic graph."""

    parents: tuple[int, ...]
    """For each node, the mask of its parents."""

    def __post_init__(self) -> None:
        _ = self.order

    @classmethod
    def of(cls, size: int, edges: Iterable[tuple[int, int]]) -> "Dag":
        """Return the graph with these `(cause, effect)` edges.

        Raises:
            GraphError: An edge leaves the graph, or the edges form a cycle.
        """
        masks = [0] * size
        for cause, effect in edges:
            if not (0 <= cause < size and 0 <= effect < size):
                raise GraphError(f"edge {cause} -> {effect} leaves a graph of {size} nodes")
            masks[effect] |= 1 << cause
        return cls(tuple(masks))

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.parents)

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """All `(cause, effect)` pairs, by effect and then by cause."""
        return tuple((p, node) for node, mask in enumerate(self.parents) for p in bits(mask))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The topological order that takes the smallest node that is ready."""
        order = _order(self.parents)
        if order is None:
            raise GraphError(f"the parent masks {self.parents} contain a cycle or an unknown node")
        return order

    @cached_property
    def children(self) -> tuple[int, ...]:
        """For each node, the mask of its children."""
        masks = [0] * self.size
        for cause, effect in self.edges:
            masks[cause] |= 1 << effect
        return tuple(masks)

    @cached_property
    def ancestors(self) -> tuple[int, ...]:
        """For each node, the mask of its proper ancestors."""
        masks = [0] * self.size
        for node in self.order:
            for parent in bits(self.parents[node]):
                masks[node] |= masks[parent] | 1 << parent
        return tuple(masks)

    @cached_property
    def descendants(self) -> tuple[int, ...]:
        """For each node, the mask of its proper descendants."""
        masks = [0] * self.size
        for node, above in enumerate(self.ancestors):
            for ancestor in bits(above):
                masks[ancestor] |= 1 << node
        return tuple(masks)

    @property
    def roots(self) -> int:
        """The mask of the nodes without parents."""
        return mask_of(node for node, mask in enumerate(self.parents) if not mask)

    @property
    def adjacency(self) -> tuple[int, ...]:
        """For each node, the mask of its neighbours: the skeleton."""
        return tuple(p | c for p, c in zip(self.parents, self.children, strict=True))


def is_acyclic(parents: tuple[int, ...]) -> bool:
    """Say whether these parent masks form a directed acyclic graph."""
    return _order(parents) is not None


def _order(parents: tuple[int, ...]) -> tuple[int, ...] | None:
    placed, order, left = 0, [], list(range(len(parents)))
    while left:
        ready = next((node for node in left if not parents[node] & ~placed), None)
        if ready is None:
            return None
        placed |= 1 << ready
        order.append(ready)
        left.remove(ready)
    return tuple(order)

"""Which graphs no data can tell apart: Markov equivalence, and what interventions make of it.

Two graphs are equivalent when they have the same skeleton and the same v-structures; experiments on
single nodes tell them apart further by the direction of every edge at such a node (Hauser and
Bühlmann 2012). The class is described by its essential graph, and counted without listing it:
each undirected part is a chordal graph; its orientations are counted root by root (He, Jia and
Yu 2015).

Knowing that a node is a sink is worth the same as an experiment on it: both fix its edges.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from causarium.scm.dag import Dag, bits


@dataclass(frozen=True, slots=True)
class Essential:
    """What all graphs of a class agree on, and what they do not."""

    parents: tuple[int, ...]
    """For each node, the mask of its parents in every graph of the class."""
    undecided: tuple[int, ...]
    """For each node, the mask of neighbours that are parents in some and children in others."""


def essential(dag: Dag, targets: int = 0) -> Essential:
    """Return the essential graph of `dag` under experiments on each node of the mask `targets`."""
    parents = [0] * dag.size
    for node in range(dag.size):
        for parent in bits(dag.parents[node]):
            # A parent that another parent is not joined to makes a v-structure.
            unshielded = dag.parents[node] & ~dag.adjacency[parent] & ~(1 << parent)
            if unshielded or (targets >> node | targets >> parent) & 1:
                parents[node] |= 1 << parent
    undecided = [dag.adjacency[n] & ~parents[n] for n in range(dag.size)]
    for node in range(dag.size):
        for parent in bits(parents[node]):
            undecided[parent] &= ~(1 << node)
    _close(parents, undecided)
    return Essential(tuple(parents), tuple(undecided))


def _close(parents: list[int], undecided: list[int]) -> None:
    """Orient what follows from what is oriented, until nothing more does (Meek 1995)."""
    changed = True
    while changed:
        changed = False
        for node, left in enumerate(list(undecided)):
            for other in bits(left):
                if undecided[node] >> other & 1 and _follows(other, node, parents, undecided):
                    parents[node] |= 1 << other
                    undecided[node] &= ~(1 << other)
                    undecided[other] &= ~(1 << node)
                    changed = True


def _follows(cause: int, effect: int, parents: list[int], undecided: list[int]) -> bool:
    """Say whether the undecided edge between the two must lead from `cause` to `effect`."""

    def mask_neighbours(node: int) -> int:
        children = sum(1 << n for n, mask in enumerate(parents) if mask >> node & 1)
        return parents[node] | undecided[node] | children

    if parents[cause] & ~mask_neighbours(effect) & ~(1 << effect):
        return True
    if any(parents[node] >> cause & 1 for node in bits(parents[effect])):
        return True
    middles = [n for n in bits(undecided[cause]) if parents[effect] >> n & 1]
    if any(not mask_neighbours(a) >> b & 1 for a in middles for b in middles if a < b):
        return True
    return any(
        parents[middle] & undecided[cause] & ~mask_neighbours(effect)
        for middle in bits(parents[effect])
    )


def class_size(dag: Dag, targets: int = 0) -> int:
    """Return how many graphs experiments on `targets` cannot tell from `dag`, itself included.

    Example:
        >>> chain = Dag.of(3, [(0, 1), (1, 2)])
        >>> class_size(chain), class_size(chain, targets=0b001)
        (3, 1)
    """
    undecided = essential(dag, targets).undecided
    size, known = 1, dict[tuple[int, ...], int]()
    for part in _components(undecided, (1 << dag.size) - 1):
        size *= _orientations(tuple(mask & part for mask in undecided), part, known)
    return size


def _components(adjacency: tuple[int, ...], within: int) -> Iterator[int]:
    while within:
        part = fringe = within & -within
        while fringe:
            reached = 0
            for node in bits(fringe):
                reached |= adjacency[node]
            fringe = reached & within & ~part
            part |= fringe
        yield part
        within &= ~part


def _orientations(adjacency: tuple[int, ...], part: int, known: dict[tuple[int, ...], int]) -> int:
    """Count the acyclic orientations without v-structures of a connected chordal graph.

    What was counted before is known, and added to: parts of parts come again and again.
    """
    if adjacency in known:
        return known[adjacency]
    count = part.bit_count()
    edges = sum(adjacency[node].bit_count() for node in bits(part)) // 2
    if edges == count - 1:
        return count
    total = 0
    for root in bits(part):
        undecided = _orient_from_root(adjacency, part, root)
        ways = 1
        for inner in _components(undecided, part):
            ways *= _orientations(tuple(mask & inner for mask in undecided), inner, known)
        total += ways
    known[adjacency] = total
    return total


def _orient_from_root(adjacency: tuple[int, ...], part: int, root: int) -> tuple[int, ...]:
    """Return the undecided edges that are left when `root` is the only source of the part."""
    parents = [0] * len(adjacency)
    undecided = [mask if part >> n & 1 else 0 for n, mask in enumerate(adjacency)]
    for node in bits(adjacency[root]):
        parents[node] |= 1 << root
        undecided[node] &= ~(1 << root)
    undecided[root] = 0
    _close(parents, undecided)
    return tuple(undecided)

"""A story: the causal diagram of one leg, with arrows and unrecorded common causes.

Nodes are numbered: the recorded columns come first, then the module, then the return. Sets of
nodes are bit masks.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

NONE, FORTH, BACK, HIDDEN, BOTH = ".><~x"
"""The marks of a pair of nodes: no link, an arrow to the later node, an arrow to the earlier one,
an unrecorded common cause, and an arrow to the later node beside such a cause."""


@dataclass(frozen=True)
class Story:
    """An acyclic diagram whose last two nodes are the module and the return."""

    nodes: int
    arrows: frozenset[tuple[int, int]]
    """Cause and effect."""
    hidden: frozenset[tuple[int, int]] = frozenset()
    """Pairs that share an unrecorded cause, the smaller node first."""

    @property
    def module(self) -> int:
        """The node of the module."""
        return self.nodes - 2

    @property
    def result(self) -> int:
        """The node of the return."""
        return self.nodes - 1

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The mask of the told causes of each node."""
        return self._collect((effect, cause) for cause, effect in self.arrows)

    @cached_property
    def children(self) -> tuple[int, ...]:
        """The mask of the direct effects of each node."""
        return self._collect(self.arrows)

    @cached_property
    def siblings(self) -> tuple[int, ...]:
        """The mask of the nodes with which each node shares an unrecorded cause."""
        return self._collect((*self.hidden, *((b, a) for a, b in self.hidden)))

    def _collect(self, pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        masks = [0] * self.nodes
        for node, other in pairs:
            masks[node] |= 1 << other
        return tuple(masks)

    @property
    def is_confounded(self) -> bool:
        """Whether module and return share an unrecorded cause."""
        return (self.module, self.result) in self.hidden

    @cached_property
    def order(self) -> tuple[int, ...] | None:
        """The nodes with causes before effects; None if the arrows run in a circle."""
        placed: list[int] = []
        done = 0
        while len(placed) < self.nodes:
            ready = [
                node
                for node in range(self.nodes)
                if not done >> node & 1 and not self.parents[node] & ~done
            ]
            if not ready:
                return None
            placed.append(ready[0])
            done |= 1 << ready[0]
        return tuple(placed)

    def write(self) -> str:
        """Return the story as one mark for each pair of nodes."""
        return "".join(self._mark(*pair) for pair in combinations(range(self.nodes), 2))

    def _mark(self, a: int, b: int) -> str:
        if (a, b) in self.hidden:
            return BOTH if (a, b) in self.arrows else HIDDEN
        return FORTH if (a, b) in self.arrows else BACK if (b, a) in self.arrows else NONE

    def rename(self, places: tuple[int, ...]) -> "Story":
        """Return the story with each node `v` called `places[v]`."""
        arrows = frozenset((places[a], places[b]) for a, b in self.arrows)
        pairs = ((places[a], places[b]) for a, b in self.hidden)
        return Story(self.nodes, arrows, frozenset((min(p), max(p)) for p in pairs))


def read_story(text: str) -> Story:
    """Return the story that `Story.write` wrote."""
    nodes = next(size for size in range(2, 12) if size * (size - 1) // 2 == len(text))
    arrows, hidden = set(), set()
    for (a, b), mark in zip(combinations(range(nodes), 2), text, strict=True):
        if mark in {FORTH, BOTH}:
            arrows.add((a, b))
        if mark == BACK:
            arrows.add((b, a))
        if mark in {HIDDEN, BOTH}:
            hidden.add((a, b))
    return Story(nodes, frozenset(arrows), frozenset(hidden))


def list_nodes(mask: int) -> Iterator[int]:
    """Yield the nodes of a mask, the smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def spread(start: int, steps: tuple[int, ...], within: int) -> int:
    """Return the mask of the nodes that steps inside a mask reach, the start included."""
    found, fresh = start & within, start & within
    while fresh:
        reached = 0
        for node in list_nodes(fresh):
            reached |= steps[node]
        fresh = reached & within & ~found
        found |= fresh
    return found


def are_separate(story: Story, one: int, others: int, given: int) -> bool:
    """Tell whether the story makes a node independent of other nodes, given some.

    By the moral graph of the ancestors: all of a district and its causes are joined.
    """
    everything = (1 << story.nodes) - 1
    relevant = spread(1 << one | others | given, story.parents, everything)
    joined = [0] * story.nodes
    left = relevant
    while left:
        district = spread(left & -left, story.siblings, relevant)
        left &= ~district
        clique = district
        for node in list_nodes(district):
            clique |= story.parents[node]
        for node in list_nodes(clique):
            joined[node] |= clique
    return not spread(1 << one, tuple(joined), relevant & ~given) & others

"""The mechanism of the bench: every value is a base plus whole multiples of at most two causes.

Everything is said in changes against a crystal at rest, so that bases play no part: a node that is
not held changes by the sum of its weights times its causes' changes, a held one by its offset.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from causarium.scm.dag import bits

Terms = tuple[tuple[int, int], ...]
"""The direct causes of one node, each with its weight, in ascending order of causes."""


@dataclass(frozen=True)
class WholeMechanism:
    """The equations of all nodes, the frequency last.

    Example:
        >>> chain = WholeMechanism(((), ((0, 2),), ((0, 1), (1, -1))))
        >>> chain.changes({0: 3}), chain.changes({0: 3, 1: 0})
        ((3, 6, -3), (3, 0, 3))
    """

    terms: tuple[Terms, ...]

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The direct causes of each node, as bits."""
        return tuple(sum(1 << cause for cause, _ in terms) for terms in self.terms)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The nodes, causes before effects.

        Raises:
            ValueError: The equations run in a circle.
        """
        order: list[int] = []
        placed, left = 0, set(range(len(self.terms)))
        while left:
            ready = sorted(node for node in left if not self.parents[node] & ~placed)
            if not ready:
                raise ValueError("the equations run in a circle")
            order += ready
            left.difference_update(ready)
            placed |= sum(1 << node for node in ready)
        return tuple(order)

    def changes(self, held: Mapping[int, int]) -> tuple[int, ...]:
        """Return how far each node is from rest when some are held at offsets from it."""
        found = [0] * len(self.terms)
        for node in self.order:
            if node in held:
                found[node] = held[node]
            else:
                found[node] = sum(weight * found[cause] for cause, weight in self.terms[node])
        return tuple(found)

    @cached_property
    def effects(self) -> tuple[tuple[int, ...], ...]:
        """Row x is what one unit of x, held alone, changes in every node."""
        size = len(self.terms)
        by_effect: list[list[int]] = [[0] * size for _ in range(size)]
        for node in self.order:
            column = by_effect[node]
            for cause, weight in self.terms[node]:
                for source, change in enumerate(by_effect[cause]):
                    column[source] += weight * change
            column[node] = 1
        return tuple(zip(*by_effect, strict=True))

    @cached_property
    def moved_by(self) -> tuple[int, ...]:
        """What each node moves when it is held alone, itself left out, as bits."""
        return tuple(
            sum(1 << node for node, change in enumerate(row) if change and node != source)
            for source, row in enumerate(self.effects)
        )

    @cached_property
    def ancestors(self) -> tuple[int, ...]:
        """The direct and indirect causes of each node, as bits, whether their effects cancel."""
        found = [0] * len(self.terms)
        for node in self.order:
            found[node] = self.parents[node]
            for cause in bits(self.parents[node]):
                found[node] |= found[cause]
        return tuple(found)

    def share_by_hold(self, held: Sequence[int], node: int) -> tuple[int, ...]:
        """Return what one unit of each held node adds to `node` while the others stay at rest."""
        return tuple(
            self.changes({other: int(other == one) for other in held})[node] for one in held
        )

"""The rules of a CausalLink world, on bit masks.

A state is the set of active variables. Starting one makes it and all its effects active. Stopping
one has an effect only if it is active and none of its causes is; then it becomes inactive, and so
does every effect of it that no other active variable keeps going.

All this depends on which variable reaches which, never on single edges, so a world is its
reachability relation. States are closed: an effect of an active variable is active.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

from causarium.errors import GraphError


def row_width(n: int) -> int:
    """Return how many bits a row over n variables has: a byte, where that holds it."""
    return max(n, 8)


def close_relation(n: int, direct: int) -> tuple[int, ...]:
    """Return, for each variable, the mask of itself and everything that it causes.

    A relation is one number of n rows of `row_width(n)` bits: who causes whom. Whoever reaches a
    variable reaches all that it reaches: its row, times the rows in which it stands, is added to
    these.

    Args:
        n: How many variables there are.
        direct: The relation of direct causes: bit `cause * row_width(n) + effect` for each edge.

    Raises:
        GraphError: The edges run in a circle.
    """
    rows, row, column, diagonal = _masks(n)
    closed = direct
    for via, first in rows:
        if effects := closed >> first & row:
            closed |= (closed >> via & column) * effects
    if closed & diagonal:
        raise GraphError("the edges of a CausalLink world run in a circle")
    closed |= diagonal
    if n <= 8:
        return tuple(closed.to_bytes(n, "little"))
    return tuple([closed >> first & row for _, first in rows])


@cache
def _masks(n: int) -> tuple[tuple[tuple[int, int], ...], int, int, int]:
    """Return where each row begins, and the bits of the first row, first column and diagonal."""
    rows = tuple((x, x * row_width(n)) for x in range(n))
    column = sum(1 << first for _, first in rows)
    return rows, (1 << n) - 1, column, sum(1 << first + x for x, first in rows)


@dataclass(frozen=True)
class Reach:
    """Who reaches whom: a strict partial order on variables 0 to n-1."""

    below: tuple[int, ...]
    """For each variable, the mask of itself and everything it causes."""

    @classmethod
    def of_edges(cls, n: int, edges: Iterable[tuple[int, int]]) -> "Reach":
        """Return the transitive closure of `edges`, each cause first.

        Raises:
            GraphError: The edges run in a circle.

        Example:
            >>> Reach.of_edges(3, [(0, 1), (1, 2)]).below
            (7, 6, 4)
        """
        direct, width = 0, row_width(n)
        for cause, effect in edges:
            direct |= 1 << cause * width + effect
        return cls(close_relation(n, direct))

    @property
    def n(self) -> int:
        """How many variables there are."""
        return len(self.below)

    @cached_property
    def above(self) -> tuple[int, ...]:
        """For each variable, the mask of everything that causes it."""
        variables = range(len(self.below))
        return tuple(
            sum(1 << z for z in variables if z != x and self.below[z] >> x & 1) for x in variables
        )

    def causes(self, cause: int, effect: int) -> bool:
        """Say whether a path leads from `cause` to `effect`."""
        return cause != effect and bool(self.below[cause] >> effect & 1)

    def move(self, state: int, x: int) -> int:
        """Return the state after starting `x`."""
        return state | self.below[x]

    def hold(self, state: int, x: int) -> int:
        """Return the state after trying to stop `x`.

        What stays active is what the others keep going; where one of them causes `x`, that is all.
        """
        return self.close(state & ~self.below[x]) if state >> x & 1 else state

    def close(self, state: int) -> int:
        """Return a set of variables with everything that they cause."""
        closed = 0
        while state:
            lowest = state & -state
            mask = self.below[lowest.bit_length() - 1]
            closed |= mask
            state &= ~mask
        return closed

    def is_closed(self, state: int) -> bool:
        """Say whether every effect of an active variable is active."""
        return self.close(state) == state

    def closed_states(self) -> list[int]:
        """Return every closed state, smallest mask first."""
        return [state for state in range(1 << self.n) if self.is_closed(state)]

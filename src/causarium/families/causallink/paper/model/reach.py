"""The rules of a CausalLink world, on bit masks.

A state is the set of active variables. Starting one makes it and all its effects active. Stopping
one has an effect only if it is active and none of its causes is; then it becomes inactive, and so
does every effect of it that no other active variable keeps going.

All this depends on which variable reaches which, never on single edges, so a world is its
reachability relation. States are closed: an effect of an active variable is active. Some released
dialogues start in states that are not; `hold_by_edges` continues those as the released program did.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from causarium.errors import GraphError
from causarium.scm.dag import Dag


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
        try:
            below = Dag.of(n, edges).descendants
        except GraphError as wrong:
            raise GraphError("the edges of a CausalLink world run in a circle") from wrong
        return cls(tuple(mask | 1 << x for x, mask in enumerate(below)))

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

    def toggle(self, state: int, x: int) -> int:
        """Return the state after trying to stop `x` if it is active, and else starting it."""
        return self.hold(state, x) if state >> x & 1 else self.move(state, x)

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


def hold_by_edges(state: int, x: int, edges: Collection[tuple[int, int]]) -> int:
    """Return the state after trying to stop `x`, from any state, as released: cause by cause.

    From a closed state it is what `Reach.hold` returns.

    Args:
        state: Who is active.
        x: Who is to stop; it does not while one of its direct causes is active.
        edges: The direct edges, each cause first.
    """
    if not state >> x & 1 or any(state >> cause & 1 for cause, effect in edges if effect == x):
        return state
    state &= ~(1 << x)
    for cause, effect in edges:
        if cause == x:
            state = hold_by_edges(state, effect, edges)
    return state

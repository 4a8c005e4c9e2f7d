"""Structural equations with linear and square terms, and what it means to intervene on them.

A `Mechanism` says how each node follows from its base value and its parents. A `Specimen` is one
thing that obeys a mechanism: it has a base value per node, and it can be intervened upon.

To put node X at v moves X's base so that X now reads v, rounded as values are. Its parents stay
active, so X moves again when they do. Whatever was done stays done.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from causarium.errors import GraphError
from causarium.scm.dag import Dag


@dataclass(frozen=True, slots=True)
class Term:
    """What one parent adds to a node: `square * x * x + linear * x`."""

    parent: int
    linear: float
    square: float = 0.0


@dataclass(frozen=True)
class Mechanism:
    """How each node follows from its base value and its parents."""

    terms: tuple[tuple[Term, ...], ...]
    """For each node, its parents' terms, in the order in which they are added up."""
    decimals: int | None = 2
    """Each node is rounded so as it is computed, and its children see the rounded value."""

    @cached_property
    def dag(self) -> Dag:
        """The graph: a node's parents are the nodes that have a term in its equation.

        Raises:
            GraphError: The terms form a cycle.
        """
        edges = [(term.parent, node) for node, terms in enumerate(self.terms) for term in terms]
        return Dag.of(len(self.terms), edges)

    @cached_property
    def _steps(self) -> "Steps":
        # Plain tuples in evaluation order: this is the inner loop of every world turn.
        return tuple(
            (node, tuple((t.parent, t.linear, t.square) for t in self.terms[node]))
            for node in self.dag.order
        )

    def evaluate(
        self, bases: Sequence[float], *, added: Mapping[int, float] | None = None
    ) -> list[float]:
        """Return the value of every node.

        Args:
            bases: The base value of every node.
            added: What a disturbance adds to a node after it is computed and before its
                children see it.
        """
        if len(bases) != len(self.terms):
            raise GraphError(f"{len(bases)} base values for {len(self.terms)} nodes")
        return self._compute(list(bases), bases, self._steps, added)

    def _compute(
        self,
        values: list[float],
        bases: Sequence[float],
        steps: "Steps",
        added: Mapping[int, float] | None = None,
    ) -> list[float]:
        decimals = self.decimals
        for node, terms in steps:
            total = bases[node]
            for parent, linear, square in terms:
                x = values[parent]
                if square:
                    total += square * (x * x)
                total += linear * x
            if decimals is not None:
                total = round(total, decimals)
            if added and node in added:
                total += added[node]
                if decimals is not None:
                    total = round(total, decimals)
            values[node] = total
        return values

    @cached_property
    def _steps_below(self) -> "tuple[Steps, ...]":
        below = self.dag.descendants
        return tuple(
            tuple(step for step in self._steps if (below[node] | 1 << node) >> step[0] & 1)
            for node in range(len(self.terms))
        )

    def update(self, values: Sequence[float], bases: Sequence[float], node: int) -> list[float]:
        """Return the values after `node`'s base alone has changed; the rest of `values` holds."""
        return self._compute(list(values), bases, self._steps_below[node])


Steps = tuple[tuple[int, tuple[tuple[int, float, float], ...]], ...]
"""Nodes in the order in which they are computed, each with the numbers of its terms."""


class Specimen:
    """One thing that obeys a mechanism, and can be intervened upon."""

    def __init__(self, mechanism: Mechanism, bases: Sequence[float]) -> None:
        self.mechanism = mechanism
        self.bases = list(bases)
        self.values = mechanism.evaluate(self.bases)
        self._calm = True

    def put(self, node: int, value: float, added: Mapping[int, float] | None = None) -> list[float]:
        """Intervene on `node` and return the new values; `added` disturbs only what is read."""
        if self.mechanism.terms[node]:
            calm = self.values if self._calm else self.mechanism.evaluate(self.bases)
            value -= calm[node] - self.bases[node]
        decimals = self.mechanism.decimals
        # A base is kept to the decimals of a value: it counts when X moves again with its parents.
        self.bases[node] = value if decimals is None else round(value, decimals)
        if self._calm and not added:
            self.values = self.mechanism.update(self.values, self.bases, node)
        else:
            self.values = self.mechanism.evaluate(self.bases, added=added)
        self._calm = not added
        return self.values

    def state(self) -> tuple[list[float], list[float], bool]:
        """Return what `restore` needs to bring the crystal back to how it is now."""
        return list(self.bases), self.values, self._calm

    def restore(self, state: tuple[list[float], list[float], bool]) -> None:
        """Bring the crystal back to an earlier state."""
        self.bases, self.values, self._calm = state

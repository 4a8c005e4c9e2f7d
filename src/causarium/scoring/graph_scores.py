"""Compare a proposed causal graph with the true one, edge by edge.

Two variables joined in both graphs but in opposite directions count once, as `reversed`: the agent
saw that they are related and mistook which one acts. That is one edit in the structural Hamming
distance and never a match in precision, recall or F1. All four counts are kept, so a distance that
charges a reversal twice can be had from them (`distance + reversed`).

Empty graphs follow the conventions of `scoring.set_scores`: two of them agree (1), and where only
one is empty every ratio is 0. None is ever nan.

Reading edges out of a reply is a family's work. Edges that reach this module are well formed, so
an impossible one is our own bug and raises.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

from causarium.errors import GraphError
from causarium.scoring.set_scores import SetAgreement

Edge: TypeAlias = tuple[str, str]
"""A directed edge, cause first."""


@dataclass(frozen=True, slots=True)
class EdgeAgreement:
    """How the edges of a proposed graph relate to the true ones."""

    matched: int
    """True edges proposed in the right direction."""
    reversed: int
    """True edges proposed in the wrong direction only."""
    missing: int
    """True edges proposed in neither direction."""
    extra: int
    """Proposed edges that neither match nor reverse a true edge."""

    @property
    def distance(self) -> int:
        """Structural Hamming distance: single-edge edits from the proposal to the truth."""
        return self.reversed + self.missing + self.extra

    @property
    def directed(self) -> SetAgreement:
        """The same as sets of directed edges: a reversed edge is one missing and one extra."""
        return SetAgreement(
            matched=self.matched,
            missing=self.missing + self.reversed,
            extra=self.extra + self.reversed,
        )

    @property
    def precision(self) -> float:
        """The share of proposed edges that are true, direction included."""
        return self.directed.precision

    @property
    def recall(self) -> float:
        """The share of true edges that were proposed, direction included."""
        return self.directed.recall

    @property
    def f1(self) -> float:
        """The F1 of directed edges; 1 when both graphs are empty, which is agreement."""
        return self.directed.f1


def compare_edges(
    proposed: Collection[Edge], true: Collection[Edge], *, variables: Collection[str]
) -> EdgeAgreement:
    """Count how `proposed` agrees with `true`; repeated edges count once.

    Args:
        proposed: The edges of the answer, `(cause, effect)` each.
        true: The edges of the true graph.
        variables: Every name that an edge may use.

    Raises:
        GraphError: An edge names something that is not one of `variables`, or joins a variable
            to itself.

    Example:
        >>> got = compare_edges([("wet", "rain")], [("rain", "wet")], variables={"rain", "wet"})
        >>> got.distance, got.f1
        (1, 0.0)
    """
    names = set(variables)
    for cause, effect in (*proposed, *true):
        if unknown := {cause, effect} - names:
            raise GraphError(
                f"edge {cause!r} -> {effect!r} names {sorted(unknown)}, "
                f"but this model's variables are {sorted(names)}"
            )
        if cause == effect:
            raise GraphError(f"edge {cause!r} -> {effect!r} joins a variable to itself")
    matched = set(proposed) & set(true)
    claimed, unclaimed = set(proposed) - matched, set(true) - matched
    turned = {(effect, cause) for cause, effect in claimed} & unclaimed
    return EdgeAgreement(
        matched=len(matched),
        reversed=len(turned),
        missing=len(unclaimed) - len(turned),
        extra=len(claimed) - len(turned),
    )

"""Compare a proposed set with the true one, and a causal graph edge by edge.

| proposed | true      | precision | recall | F1 |
|----------|-----------|-----------|--------|----|
| empty    | empty     | 1         | 1      | 1  |
| empty    | not empty | 0         | 0      | 0  |
| not empty| empty     | 0         | 0      | 0  |

Two empty sets agree, so the truth scores 1 even where there is nothing to find; and where just one
is empty, nothing was got right. Hence none of the three is ever nan. A family that would rather
leave empty truths out of a mean says so in its own scorer.

Two variables joined in both graphs but in opposite directions count once, as `reversed`: the agent
saw that they are related and mistook which one acts. That is one edit in the structural Hamming
distance and never a match in precision, recall or F1. All four counts are kept, so a distance that
charges a reversal twice can be had from them (`distance + reversed`).

Reading edges out of a reply is a family's work. Edges that reach this module are well formed, so
an impossible one is our own bug and raises.
"""

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import TypeAlias

from causarium.errors import GraphError


@dataclass(frozen=True, slots=True)
class SetAgreement:
    """How a proposed set relates to the true one."""

    matched: int
    """Members of both."""
    missing: int
    """True members that were not proposed."""
    extra: int
    """Proposed members that are not true."""

    @property
    def precision(self) -> float:
        """The share of what was proposed that is true."""
        return _share(self.matched, self.matched + self.extra, empty=not self.missing)

    @property
    def recall(self) -> float:
        """The share of what is true that was proposed."""
        return _share(self.matched, self.matched + self.missing, empty=not self.extra)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        # From counts: it is then exact, and defined wherever one of the two sets has a member.
        return _share(2 * self.matched, 2 * self.matched + self.missing + self.extra, empty=True)


def compare_sets(proposed: Collection[Hashable], true: Collection[Hashable]) -> SetAgreement:
    """Count how `proposed` agrees with `true`; repeated members count once.

    Example:
        >>> compare_sets(["rain", "wind"], ["rain"]).precision
        0.5
    """
    given, wanted = set(proposed), set(true)
    return SetAgreement(
        matched=len(given & wanted), missing=len(wanted - given), extra=len(given - wanted)
    )


def _share(part: int, whole: int, *, empty: bool) -> float:
    return part / whole if whole else float(empty)


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

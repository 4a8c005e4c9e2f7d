"""Precision, recall and F1 of sets, with the conventions for empty ones written down.

| proposed | true      | precision | recall | F1 |
|----------|-----------|-----------|--------|----|
| empty    | empty     | 1         | 1      | 1  |
| empty    | not empty | 0         | 0      | 0  |
| not empty| empty     | 0         | 0      | 0  |

Two empty sets agree, so the truth scores 1 even where there is nothing to find; and where just one
is empty, nothing was got right. Hence none of the three is ever nan, and each is 1 exactly when
nothing counts against it. A family that would rather leave empty truths out of a mean says so in
its own scorer.
"""

from collections.abc import Collection, Hashable
from dataclasses import dataclass


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

"""Certified edition: `reading`, what an answer earns on a text that has a twin.

The twin has the same names in the same places and tells other edges. For an answer P to a text
that tells T, while its twin tells U, with the own part T - U, the twin's part U - T and the common
part T & U:

    contrast  = |P & own| / |own| - |P & twin's| / |twin's|
    common_f1 = F1 of P less own and twin's, against the common part
    reading   = contrast x common_f1

The same P earns opposite readings on the two texts, so whoever answers both alike earns 0. Nothing
here is cut at 0 or scaled for one text: that would break the sum.
"""

from collections.abc import Collection, Set
from dataclasses import dataclass

from causarium.scoring.graph_scores import Edge


@dataclass(frozen=True, slots=True)
class TwinScore:
    """How an answer reads one of two twins."""

    told_found: float
    """The share of the edges that only this text tells which the answer has."""
    twin_taken: float
    """The share of the edges that only the twin tells which the answer has."""
    turned_taken: float
    """The share of the edges told by this text alone that the answer has turned round."""
    common_f1: float

    @property
    def contrast(self) -> float:
        """What was found less what was taken: -1 to 1."""
        return self.told_found - self.twin_taken

    @property
    def reading(self) -> float:
        """The headline: 1 for the text's own graph alone, -1 for the twin's."""
        return self.contrast * self.common_f1


def score_twin(answer: Collection[Edge], told: Set[Edge], twin: Set[Edge]) -> TwinScore:
    """Score an answer to a text with a twin that tells other edges.

    Args:
        answer: The edges handed in.
        told: What the text tells.
        twin: What its twin tells.

    Example:
        >>> told, twin = {("a", "b"), ("c", "d"), ("g", "h")}, {("d", "c"), ("e", "f"), ("g", "h")}
        >>> one = score_twin({*told, ("h", "g")}, told, twin)
        >>> other = score_twin({("a", "b"), ("d", "c"), ("g", "h")}, told, twin)
        >>> round(one.reading, 3), other.reading
        (0.667, 0.0)
    """
    handed, own, others, common = set(answer), told - twin, twin - told, told & twin
    rest = handed - own - others
    hits = len(rest & common)
    return TwinScore(
        told_found=_share(len(handed & own), len(own)),
        twin_taken=_share(len(handed & others), len(others)),
        turned_taken=_share(sum((sink, source) in handed for source, sink in own), len(own)),
        common_f1=_share(2 * hits, len(rest) + len(common)),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0

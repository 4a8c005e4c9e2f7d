"""The published name-assisted "precision", "recall" and "F1", which are none of the three.

The published code takes the area under a precision-recall curve of three points for precision, and
the mean of all six coordinates for recall. With P and R the true precision and recall of edges and
q the share of all n² ordered pairs, self-loops included, that are true edges:

    "precision" = R(1 + P)/2 + (1 - R)(P + q)/2        "recall" = (2 + q + P + R)/6

An answer without edges has a curve of two points: (1 + q)/2 and (2 + q)/4. On this scale a perfect
graph of the usual density has an F1 of about 0.81, and both an empty and a complete one about
0.52. It is kept so that published rows can be put beside new ones, and for nothing else.
"""

from dataclasses import dataclass
from math import nan

from causarium.families.recite.mechanics.named_graphs import CausalGraph
from causarium.families.recite.scoring.label_scores import harmonic, normalise_shd
from causarium.families.recite.scoring.name_match import compare


@dataclass(frozen=True, slots=True)
class LegacyCdt:
    """The published name-assisted numbers of one answer."""

    precision: float
    recall: float
    shd: int
    """Reversed edges cost two."""
    shd_norm: float
    """Over n(n-1) of the nodes of both graphs together."""

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return harmonic(self.precision, self.recall)


def legacy_cdt(proposed: CausalGraph, true: CausalGraph) -> LegacyCdt:
    """Return the published numbers; those of two empty graphs are nan, as they were an error."""
    found = compare(proposed, true)
    distance, n = found.shd_twice, found.n
    if not n:
        return LegacyCdt(nan, nan, distance, nan)
    q = len(true.edges) / n**2
    if not proposed.edges:
        curve = (1 + q) / 2, (2 + q) / 4
    else:
        p = found.edges.matched / len(proposed.edges)
        r = found.edges.matched / len(true.edges) if true.edges else 1.0
        curve = r * (1 + p) / 2 + (1 - r) * (p + q) / 2, (2 + q + p + r) / 6
    return LegacyCdt(*curve, distance, normalise_shd(distance, n))

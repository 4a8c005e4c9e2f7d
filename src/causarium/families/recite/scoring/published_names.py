"""Paper edition: the published name-assisted scores, with areas under a curve.

Both compare names letter by letter. The second is what the release computes: its precision is an
area and its recall a mean of coordinates, so that about 0.81 is perfect.
"""

from dataclasses import dataclass
from math import nan

from causarium.families.recite.model.graphs import CausalGraph
from causarium.families.recite.scoring.label_scores import harmonic, normalise_shd
from causarium.scoring.graph_scores import (
    Edge,
    EdgeAgreement,
    SetAgreement,
    compare_edges,
    compare_sets,
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two graphs agree."""

    nodes: SetAgreement
    edges: SetAgreement
    """Directed edges and self-loops; a reversed edge is one missing and one extra."""
    reversed: int
    """True edges that are there in the wrong direction only."""
    n: int
    """How many nodes the two graphs have together; what a distance is normalised with."""

    @property
    def shd_twice(self) -> int:
        """Edges to take out or put in until the graphs are the same."""
        return self.edges.missing + self.edges.extra

    @property
    def shd_once(self) -> int:
        """The same, where turning an edge round is one edit."""
        return self.shd_twice - self.reversed


def compare(proposed: CausalGraph, true: CausalGraph) -> Agreement:
    """Return how a proposed graph agrees with the true one.

    Example:
        >>> from causarium.families.recite.model.graphs import graph_of
        >>> found = compare(graph_of([("b", "a")]), graph_of([("a", "b")]))
        >>> found.shd_once, found.shd_twice, found.edges.f1
        (1, 2, 0.0)
    """
    names = {*proposed.nodes, *true.nodes}
    straight: EdgeAgreement = compare_edges(
        _drop_self_loops(proposed.edges), _drop_self_loops(true.edges), variables=names
    )
    return Agreement(
        nodes=compare_sets(proposed.nodes, true.nodes),
        edges=compare_sets(proposed.edges, true.edges),
        reversed=straight.reversed,
        n=len(names),
    )


def _drop_self_loops(edges: tuple[Edge, ...]) -> list[Edge]:
    return [edge for edge in edges if edge[0] != edge[1]]


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
    # With none of the n by n pairs proposed, or with all, self-loops too, the curve has two points.
    if len(proposed.edges) in {0, n**2}:
        curve = (1 + q) / 2, (2 + q) / 4
    else:
        p = found.edges.matched / len(proposed.edges)
        r = found.edges.matched / len(true.edges) if true.edges else 1.0
        curve = r * (1 + p) / 2 + (1 - r) * (p + q) / 2, (2 + q + p + r) / 6
    return LegacyCdt(*curve, distance, normalise_shd(distance, n) if n > 1 else 0.0)

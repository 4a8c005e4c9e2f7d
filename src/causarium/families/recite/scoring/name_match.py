"""Two graphs compared name by name: what can be said without any judge.

Names are compared as they are written. That is all the name-assisted task needs, since there both
sides use the names that were given; where an agent chooses its own words, `match_nodes` first says
which of its nodes are which of the document's.
"""

from dataclasses import dataclass

from causarium.families.recite.mechanics.named_graphs import CausalGraph
from causarium.scoring.graph_scores import Edge, EdgeAgreement, compare_edges
from causarium.scoring.set_scores import SetAgreement, compare_sets


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
        >>> from causarium.families.recite.mechanics.named_graphs import graph_of
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

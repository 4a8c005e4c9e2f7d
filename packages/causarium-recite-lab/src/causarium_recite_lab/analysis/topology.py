"""The shape of a graph: the quantities of the published table of topology statistics.

The publication names its quantities without defining them. The readings taken here are: density is
edges over n(n-1); degree counts edges in and out; clustering is the mean local coefficient of the
undirected graph; cycles are simple directed ones; path length is the mean over ordered pairs that
have a path; betweenness is normalised by (n-1)(n-2); a chain is A to B to C with three different
nodes, a fork a pair of edges out of one node, a collider a pair of edges into one.
"""

from collections import deque
from collections.abc import Hashable, Iterable, KeysView, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import comb
from statistics import fmean, median, pstdev, pvariance
from typing import TypeVar

from causarium.families.recite.paper.generation.facets import density

NodeT = TypeVar("NodeT", bound=Hashable)

MOST_CYCLES = 10_000
"""Counting simple cycles stops here: a dense graph has more of them than can be counted."""

MOST_STEPS = 1_000_000


@dataclass(frozen=True, slots=True)
class Topology:
    """The shape of one graph, a field for each row of the published table."""

    nodes: int
    edges: int
    density: float
    avg_degree: float
    sources: int
    sinks: int
    clustering: float
    cycles: int
    """At most `MOST_CYCLES`."""
    share_in_cycles: float
    """Of the nodes."""
    sccs: int
    largest_scc: int
    path_length: float
    betweenness_var: float
    chains: int
    forks: int
    colliders: int


def topology(nodes: Sequence[NodeT], edges: Iterable[tuple[NodeT, NodeT]]) -> Topology:
    """Return the shape of a graph. Self-loops and repeated edges are left out."""
    after = _list_successors(nodes, edges)
    before = _list_successors(nodes, ((b, a) for a, sinks in after.items() for b in sinks))
    count = sum(len(sinks) for sinks in after.values())
    parts = components(after)
    size = len(after)
    cyclic = sum(len(part) for part in parts if len(part) > 1)
    lengths, between = _paths(after)
    scale = (size - 1) * (size - 2) or 1
    return Topology(
        nodes=size,
        edges=count,
        density=density(size, [None] * count),
        avg_degree=2 * count / size if size else 0.0,
        sources=sum(not before[node] for node in after),
        sinks=sum(not after[node] for node in after),
        clustering=_clustering(after, before),
        cycles=count_cycles(after, parts),
        share_in_cycles=cyclic / size if size else 0.0,
        sccs=len(parts),
        largest_scc=max(map(len, parts), default=0),
        path_length=fmean(lengths) if lengths else 0.0,
        betweenness_var=pvariance([b / scale for b in between.values()]) if size else 0.0,
        chains=sum(len(before[n]) * len(after[n]) - len(before[n] & after[n]) for n in after),
        forks=sum(comb(len(after[n]), 2) for n in after),
        colliders=sum(comb(len(before[n]), 2) for n in after),
    )


def spreads(shapes: Sequence[Topology]) -> dict[str, dict[str, float]]:
    """Return what each quantity comes to over many graphs: the published table.

    The deviation is that of the sample itself (ddof 0).
    """
    columns: dict[str, list[float]] = {}
    for shape in shapes:
        for name, value in asdict(shape).items():
            columns.setdefault(name, []).append(float(value))
    return {
        name: {
            "mean": fmean(values),
            "std": pstdev(values),
            "min": min(values),
            "median": median(values),
            "max": max(values),
        }
        for name, values in columns.items()
    }


def components(after: Mapping[NodeT, Iterable[NodeT]]) -> list[list[NodeT]]:
    """Return the strongly connected components: nodes that reach each other."""
    reached: dict[NodeT, set[NodeT]] = {}
    for start in after:
        reached[start], work = {start}, [start]
        while work:
            fresh = set(after[work.pop()]) - reached[start]
            reached[start] |= fresh
            work += fresh
    found: list[list[NodeT]] = []
    left = dict.fromkeys(after)
    while left:
        start = next(iter(left))
        found.append([node for node in left if node in reached[start] and start in reached[node]])
        for node in found[-1]:
            del left[node]
    return found


def count_cycles(after: Mapping[NodeT, Iterable[NodeT]], parts: Iterable[Sequence[NodeT]]) -> int:
    """Return how many simple cycles there are, and at most `MOST_CYCLES`.

    Each cycle is found from its first node in listing order, by a search that never leaves the
    component and gives up after `MOST_STEPS` steps.
    """
    rank = {node: place for place, node in enumerate(after)}
    found = steps = 0
    for part in parts:
        inside = set(part)
        for start in sorted(part, key=rank.__getitem__) if len(part) > 1 else ():
            path, on_path = [(start, iter(after[start]))], {start}
            while path:
                steps += 1
                if found >= MOST_CYCLES or steps >= MOST_STEPS:
                    return min(found, MOST_CYCLES)
                other = next(path[-1][1], None)
                if other is None:
                    on_path.discard(path.pop()[0])
                elif other == start:
                    found += 1
                elif other in inside and rank[other] > rank[start] and other not in on_path:
                    path.append((other, iter(after[other])))
                    on_path.add(other)
    return found


def _list_successors(
    nodes: Iterable[NodeT], edges: Iterable[tuple[NodeT, NodeT]]
) -> dict[NodeT, KeysView[NodeT]]:
    sinks: dict[NodeT, dict[NodeT, None]] = {node: {} for node in nodes}
    for source, sink in edges:
        sinks.setdefault(source, {})
        sinks.setdefault(sink, {})
        if source != sink:
            sinks[source][sink] = None
    return {node: found.keys() for node, found in sinks.items()}


def _clustering(
    after: Mapping[NodeT, KeysView[NodeT]], before: Mapping[NodeT, KeysView[NodeT]]
) -> float:
    near = {node: after[node] | before[node] for node in after}
    local = []
    for others in near.values():
        triangles = sum(b in near[a] for a, b in combinations(others, 2))
        local.append(triangles / comb(len(others), 2) if len(others) > 1 else 0.0)
    return fmean(local) if local else 0.0


def _paths(after: Mapping[NodeT, Iterable[NodeT]]) -> tuple[list[int], dict[NodeT, float]]:
    """Return the length of every shortest path, and each node's betweenness (Brandes)."""
    lengths: list[int] = []
    between = dict.fromkeys(after, 0.0)
    for start in after:
        distance, ways, order = {start: 0}, {start: 1.0}, deque([start])
        causes: dict[NodeT, list[NodeT]] = {start: []}
        reached: list[NodeT] = []
        while order:
            node = order.popleft()
            reached.append(node)
            for other in after[node]:
                if other not in distance:
                    distance[other], ways[other], causes[other] = distance[node] + 1, 0.0, []
                    order.append(other)
                if distance[other] == distance[node] + 1:
                    ways[other] += ways[node]
                    causes[other].append(node)
        lengths += [distance[node] for node in reached[1:]]
        share = dict.fromkeys(reached, 0.0)
        for node in reversed(reached[1:]):
            for cause in causes[node]:
                share[cause] += ways[cause] / ways[node] * (1 + share[node])
            between[node] += share[node]
    return lengths, between

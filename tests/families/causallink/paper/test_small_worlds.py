"""The released generator, over every draw it can make: exact shares, not samples."""

from itertools import combinations, product
from statistics import fmean

import networkx as nx
import pytest

from causarium.families.causallink.paper.generation import complete_edges
from causarium.families.causallink.paper.model.reach import Reach


def every_graph(n: int):
    for present in product((False, True), repeat=n * (n - 1) // 2):
        yield complete_edges(n, present)


@pytest.mark.parametrize(
    ("n", "reachable", "connected", "density", "roots", "paths"),
    [(4, 0.6562, 0.8594, 0.6146, 1.391, 0.7370), (5, 0.6152, 0.8857, 0.5727, 1.463, 0.7254)],
)
def test_the_graphs_are_as_uneven_as_published(n, reachable, connected, density, roots, paths):
    found: dict[str, list[float]] = {
        name: [] for name in ("reach", "weak", "dense", "root", "path")
    }
    pairs = list(combinations(range(n), 2))
    for edges in every_graph(n):
        reach = Reach.of_edges(n, edges)
        graph = nx.DiGraph(edges)
        graph.add_nodes_from(range(n))
        found["reach"].append(reach.below[0] == (1 << n) - 1)
        found["weak"].append(nx.is_weakly_connected(graph))
        found["dense"].append(len(edges) / len(pairs))
        found["root"].append(sum(not reach.above[x] for x in range(n)))
        found["path"].append(fmean(reach.causes(a, b) for a, b in pairs))
    assert fmean(found["reach"]) == pytest.approx(reachable, abs=5e-5)
    assert fmean(found["weak"]) == pytest.approx(connected, abs=5e-5)
    assert fmean(found["dense"]) == pytest.approx(density, abs=5e-5)
    assert fmean(found["root"]) == pytest.approx(roots, abs=5e-4)
    assert fmean(found["path"]) == pytest.approx(paths, abs=5e-5)


@pytest.mark.parametrize(("n", "accuracy"), [(4, 0.648), (5, 0.574), (6, 0.514)])
def test_one_probe_of_the_cause_is_right_as_often_as_published(n, accuracy):
    everything = (1 << n) - 1
    hits = []
    for edges in every_graph(n):
        reach = Reach.of_edges(n, edges)
        for a, b in combinations(range(n), 2):
            stopped = not reach.hold(everything, a) >> b & 1
            hits.append(stopped == reach.causes(a, b))
    assert fmean(hits) == pytest.approx(accuracy, abs=5e-4)

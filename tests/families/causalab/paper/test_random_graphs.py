"""The graph recipe against the statistics that are published for it."""

from math import comb, sqrt
from statistics import fmean, pvariance, stdev

import pytest

from causarium.errors import GraphError
from causarium.families.causalab.paper.generation import (
    depth_first_order,
    draw_to_outcome,
    edge_range,
)
from causarium.scm.dag import Dag
from causarium.seeds import stream

PUBLISHED_GRAPHS = 50
DRAWN_GRAPHS = 4000
# nodes: edge mean, edge variance, mean forks, mean colliders (of 50 published graphs a size).
TABLE = {
    3: (2.56, 0.2464, 0.68, 0.72),
    4: (4.54, 1.0084, 2.18, 2.22),
    5: (7.26, 4.2324, 5.54, 5.26),
    6: (8.82, 5.1476, 6.72, 6.22),
    7: (10.26, 4.9524, 7.84, 7.00),
}


def _drawn(size, *, may_cause=False):
    rng = stream(0, "test", "graphs", size)
    return [
        draw_to_outcome(rng, size, size - 1, outcome_may_cause=may_cause)
        for _ in range(DRAWN_GRAPHS)
    ]


def _pairs(edges, end):
    degree = {}
    for edge in edges:
        degree[edge[end]] = degree.get(edge[end], 0) + 1
    return sum(comb(d, 2) for d in degree.values())


@pytest.fixture(scope="module")
def samples():
    return {size: _drawn(size) for size in TABLE}


STATISTICS = {
    "edge mean": lambda graphs: fmean(len(edges) for edges in graphs),
    "edge variance": lambda graphs: pvariance(len(edges) for edges in graphs),
    "forks": lambda graphs: fmean(_pairs(edges, 0) for edges in graphs),
    "colliders": lambda graphs: fmean(_pairs(edges, 1) for edges in graphs),
}


@pytest.mark.parametrize("size", sorted(TABLE))
@pytest.mark.parametrize("name", STATISTICS)
def test_graphs_agree_with_the_published_table_within_two_standard_errors(samples, size, name):
    # The published value is one draw of this statistic of 50 graphs; ours are eighty of them.
    published = TABLE[size][list(STATISTICS).index(name)]
    drawn = samples[size]
    ours = [
        STATISTICS[name](drawn[start : start + PUBLISHED_GRAPHS])
        for start in range(0, DRAWN_GRAPHS, PUBLISHED_GRAPHS)
    ]
    error = stdev(ours) * sqrt(1 + 1 / len(ours))
    assert abs(fmean(ours) - published) <= 2 * error


@pytest.mark.parametrize("size", sorted(TABLE))
def test_every_graph_is_acyclic_and_leads_to_an_outcome_that_causes_nothing(samples, size):
    for edges in samples[size][:300]:
        dag = Dag.of(size, edges)
        assert len(edges) == len(set(edges)) == len(dag.edges)
        assert len(edges) in edge_range(size)
        assert dag.parents[size - 1]
        assert not dag.children[size - 1]
        assert edges[0][1] == size - 1


def test_the_outcome_may_be_a_cause_when_it_is_allowed_to():
    # 27 of the 50 published graphs of this kind have an arrow that leaves the frequency.
    drawn = _drawn(4, may_cause=True)
    share = fmean(any(cause == 3 for cause, _ in edges) for edges in drawn)
    assert abs(share - 27 / 50) <= 2 * sqrt(share * (1 - share) / 50)


def test_place_in_the_numbering_says_nothing_about_place_in_the_graph(samples):
    forward = total = 0
    for edges in samples[6]:
        among = [(a, b) for a, b in edges if 5 not in (a, b)]
        forward += sum(a < b for a, b in among)
        total += len(among)
    assert abs(forward / total - 0.5) < 3 * sqrt(0.25 / len(samples[6]))


def test_a_depth_first_walk_finishes_causes_before_effects():
    edges = ((0, 2), (1, 0), (2, 3))
    order = depth_first_order(5, edges, 2)
    assert order == (1, 0, 2, 3, 4)


def test_one_node_is_too_few():
    with pytest.raises(GraphError, match="2 nodes or more"):
        draw_to_outcome(stream(0, "test"), 1, 0, outcome_may_cause=False)

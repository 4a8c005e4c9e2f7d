"""The shape of graphs, held against networkx and against cases worked out by hand."""

from statistics import fmean, pvariance

import networkx as nx
import pytest
from causarium_recite_lab.analysis.topology import MOST_CYCLES, spreads, topology
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.recite.paper.generation.written_documents import mini_document, mini_keys

GRAPHS = st.integers(1, 9).flatmap(
    lambda size: st.tuples(
        st.just(size),
        st.sets(
            st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(
                lambda pair: pair[0] != pair[1]
            ),
            max_size=16,
        ),
    )
)


@given(GRAPHS)
@settings(max_examples=80, deadline=None)
def test_every_quantity_agrees_with_networkx(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    size, edges = drawn
    shape = topology(range(size), edges)
    graph = nx.DiGraph(sorted(edges))
    graph.add_nodes_from(range(size))
    parts = list(nx.strongly_connected_components(graph))
    assert shape.sccs == len(parts)
    assert shape.largest_scc == max(map(len, parts))
    assert shape.cycles == sum(1 for _ in nx.simple_cycles(graph))
    assert shape.density == pytest.approx(nx.density(graph) if size > 1 else 0)
    assert shape.clustering == pytest.approx(nx.average_clustering(graph.to_undirected()))
    between = nx.betweenness_centrality(graph)
    assert shape.betweenness_var == pytest.approx(pvariance(between.values()))
    lengths = [
        n for _, reached in nx.all_pairs_shortest_path_length(graph) for n in reached.values()
    ]
    walked = [length for length in lengths if length]
    assert shape.path_length == pytest.approx(fmean(walked) if walked else 0)
    assert shape.sources == sum(degree == 0 for _, degree in graph.in_degree())
    assert shape.sinks == sum(degree == 0 for _, degree in graph.out_degree())


def test_motifs_are_counted_by_hand() -> None:
    shape = topology("ABCD", [("A", "B"), ("A", "C"), ("B", "D"), ("C", "D"), ("B", "A")])
    assert shape.chains == 3
    assert shape.forks == 2
    assert shape.colliders == 1
    assert shape.share_in_cycles == 0.5
    assert shape.avg_degree == 2.5


def test_loops_and_repetitions_are_left_out() -> None:
    assert topology("AB", [("A", "B"), ("A", "B"), ("A", "A")]).edges == 1


def test_counting_cycles_of_a_dense_graph_ends() -> None:
    everyone = [(a, b) for a in range(30) for b in range(30) if a != b]
    assert topology(range(30), everyone).cycles == MOST_CYCLES


def test_a_table_of_many_graphs_has_the_published_columns() -> None:
    shapes = [
        topology([n.name for n in one.nodes], [(e.source, e.sink) for e in one.edges])
        for one in map(mini_document, mini_keys())
    ]
    table = spreads(shapes)
    assert len(table) == 16
    assert table["nodes"]["min"] <= table["nodes"]["median"] <= table["nodes"]["max"]
    assert table["edges"]["mean"] == pytest.approx(fmean(shape.edges for shape in shapes))

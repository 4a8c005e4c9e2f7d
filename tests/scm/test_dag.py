"""Bit-mask graphs against networkx, and by hand."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import GraphError
from causarium.scm.dag import Dag, bits, is_acyclic


@st.composite
def dags(draw, max_size=7):
    size = draw(st.integers(1, max_size))
    order = draw(st.permutations(range(size)))
    pairs = [(order[i], order[j]) for i in range(size) for j in range(i + 1, size)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return Dag.of(size, chosen)


def _networkx(dag):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(dag.size))
    graph.add_edges_from(dag.edges)
    return graph


@given(dags())
def test_ancestors_and_descendants_agree_with_networkx(dag):
    graph = _networkx(dag)
    for node in range(dag.size):
        assert set(bits(dag.ancestors[node])) == nx.ancestors(graph, node)
        assert set(bits(dag.descendants[node])) == nx.descendants(graph, node)


@given(dags())
def test_causes_come_before_effects_in_the_order(dag):
    place = {node: i for i, node in enumerate(dag.order)}
    assert sorted(place) == list(range(dag.size))
    assert all(place[cause] < place[effect] for cause, effect in dag.edges)


@pytest.mark.parametrize("edges", [[(0, 1), (1, 0)], [(0, 0)], [(0, 5)]])
def test_an_impossible_graph_is_refused(edges):
    with pytest.raises(GraphError):
        Dag.of(2, edges)


def test_roots_are_the_nodes_without_parents():
    assert set(bits(Dag.of(3, [(0, 2)]).roots)) == {0, 1}


def test_a_cycle_among_masks_is_noticed():
    assert is_acyclic((0, 0b001))
    assert not is_acyclic((0b10, 0b01))

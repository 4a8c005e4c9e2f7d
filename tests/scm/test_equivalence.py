"""Equivalence classes, against listing every graph and against values known for the field."""

from itertools import combinations, product
from math import factorial

from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.scm.dag import Dag, bits, is_acyclic, mask_of
from causarium.scm.equivalence import class_size, essential
from tests.scm.test_dag import dags


def _colliders(dag):
    return {
        (a, node, b)
        for node in range(dag.size)
        for a, b in combinations(bits(dag.parents[node]), 2)
        if not dag.adjacency[a] >> b & 1
    }


def _listed(dag, targets):
    """Every graph of the class, by trying every orientation of the skeleton."""
    found = []
    for flips in product((False, True), repeat=len(dag.edges)):
        edges = [(b, a) if flip else (a, b) for (a, b), flip in zip(dag.edges, flips, strict=True)]
        if any(
            flip and (targets >> a | targets >> b) & 1
            for (a, b), flip in zip(dag.edges, flips, strict=True)
        ):
            continue
        masks = [0] * dag.size
        for a, b in edges:
            masks[b] |= 1 << a
        if is_acyclic(tuple(masks)) and _colliders(Dag(tuple(masks))) == _colliders(dag):
            found.append(Dag(tuple(masks)))
    return found


@settings(max_examples=60)
@given(dags(max_size=5), st.integers(0, 31))
def test_counting_agrees_with_listing_every_orientation(dag, targets):
    targets &= (1 << dag.size) - 1
    expected = _listed(dag, targets)
    assert class_size(dag, targets) == len(expected)


@given(dags(max_size=6), st.integers(0, 63))
def test_an_experiment_never_makes_a_class_larger(dag, targets):
    assert 1 <= class_size(dag, targets) <= class_size(dag)


@given(dags(max_size=6))
def test_experiments_on_every_node_leave_the_truth_alone(dag):
    everyone = (1 << dag.size) - 1
    assert class_size(dag, everyone) == 1
    assert essential(dag, everyone).parents == dag.parents


def test_a_complete_graph_can_be_ordered_in_any_way():
    for size in range(1, 8):
        dag = Dag.of(size, combinations(range(size), 2))
        assert class_size(dag) == factorial(size)


def test_a_collider_is_alone_and_a_chain_is_not():
    assert class_size(Dag.of(3, [(0, 1), (2, 1)])) == 1
    assert class_size(Dag.of(3, [(0, 1), (1, 2)])) == 3


def test_knowing_that_a_node_is_a_sink_is_worth_an_experiment_on_it():
    dag = Dag.of(3, [(0, 1), (0, 2), (1, 2)])
    sink_members = [m for m in _listed(dag, 0) if not m.children[2]]
    assert class_size(dag, mask_of([2])) == len(sink_members) == 2

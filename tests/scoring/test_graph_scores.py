"""Edge agreement, on graphs small enough to check by eye."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import GraphError
from causarium.scoring.graph_scores import EdgeAgreement, compare_edges

ABC = ["a", "b", "c"]
edges = st.sets(st.sampled_from([(x, y) for x in ABC for y in ABC if x != y]))


@given(edges, edges)
def test_no_graph_scores_above_the_truth_itself(proposed, true):
    got = compare_edges(proposed, true, variables=ABC)
    assert (got.f1 == 1.0) == (got.distance == 0) == (proposed == true)


@given(edges, edges)
def test_every_edge_falls_into_exactly_one_count(proposed, true):
    got = compare_edges(proposed, true, variables=ABC)
    assert min(got.matched, got.reversed, got.missing, got.extra) >= 0
    assert got.matched + got.reversed + got.missing == len(true)
    assert got.matched + got.reversed + got.extra == len(proposed)


@given(edges, edges)
def test_distance_is_the_same_from_either_side(proposed, true):
    there = compare_edges(proposed, true, variables=ABC)
    back = compare_edges(true, proposed, variables=ABC)
    assert there.distance == back.distance
    assert there.precision == back.recall


@pytest.mark.parametrize(
    ("proposed", "true", "expected"),
    [
        pytest.param([], [], EdgeAgreement(0, 0, 0, 0), id="both-empty"),
        pytest.param([], [("a", "b")], EdgeAgreement(0, 0, 1, 0), id="missing"),
        pytest.param([("a", "b")], [], EdgeAgreement(0, 0, 0, 1), id="extra"),
        pytest.param([("b", "a")], [("a", "b")], EdgeAgreement(0, 1, 0, 0), id="reversed"),
        pytest.param(
            [("a", "b"), ("b", "a")], [("a", "b")], EdgeAgreement(1, 0, 0, 1), id="both-ways"
        ),
        pytest.param(
            [("a", "b"), ("a", "b")], [("a", "b")], EdgeAgreement(1, 0, 0, 0), id="repeated"
        ),
    ],
)
def test_every_edge_is_counted_once(proposed, true, expected):
    assert compare_edges(proposed, true, variables=ABC) == expected


def test_a_chain_with_one_edge_turned_comes_out_as_by_hand():
    got = compare_edges([("a", "b"), ("c", "b")], [("a", "b"), ("b", "c")], variables=ABC)
    assert (got.distance, got.precision, got.recall, got.f1) == (1, 0.5, 0.5, 0.5)
    assert got.distance + got.reversed == 2


@pytest.mark.parametrize("ratio", ["precision", "recall", "f1"])
def test_an_empty_proposal_scores_one_only_for_an_empty_truth(ratio):
    assert getattr(compare_edges([], [], variables=ABC), ratio) == 1.0
    assert getattr(compare_edges([], [("a", "b")], variables=ABC), ratio) == 0.0
    assert getattr(compare_edges([("a", "b")], [], variables=ABC), ratio) == 0.0


def test_an_unknown_variable_is_named_with_the_known_ones():
    with pytest.raises(GraphError, match=r"names \['z'\].*variables are \['a', 'b', 'c'\]"):
        compare_edges([("a", "z")], [], variables=ABC)


def test_an_edge_to_itself_is_refused():
    with pytest.raises(GraphError, match="'a' -> 'a' joins a variable to itself"):
        compare_edges([], [("a", "a")], variables=ABC)

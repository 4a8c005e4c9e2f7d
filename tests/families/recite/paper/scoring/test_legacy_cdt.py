"""The published name-assisted scale, against values that were measured on the published code."""

from itertools import permutations, product
from math import isnan

import pytest

from causarium.families.recite.paper.model.graphs import CausalGraph
from causarium.families.recite.paper.scoring.score import legacy_cdt
from tests.families.recite.paper.papers import graph

CHAIN = graph(("A", "B"), ("B", "C"))
ONE = graph(("A", "B"))
NONE = graph()


def usual() -> CausalGraph:
    """Return 25 nodes and 37 edges: every node has one, as in the published graphs."""
    ring = [(f"n{i:02}", f"n{(i + 1) % 25:02}") for i in range(25)]
    chords = [(f"n{i:02}", f"n{(i + 5) % 25:02}") for i in range(12)]
    return graph(*ring, *chords)


@pytest.mark.parametrize(
    ("proposed", "true", "expected"),
    [
        (CHAIN, CHAIN, (1.0, 0.7037, 0.8261, 0, 0.0)),
        (NONE, CHAIN, (0.6111, 0.5556, 0.5820, 2, 0.3333)),
        (graph(("B", "A"), ("C", "B")), CHAIN, (0.1111, 0.3704, 0.1709, 4, 0.6667)),
        (graph(("A", "B"), ("A", "C")), CHAIN, (0.5556, 0.5370, 0.5461, 2, 0.3333)),
        (ONE, ONE, (1.0, 0.7083, 0.8293, 0, 0.0)),
        (graph(("B", "A")), ONE, (0.125, 0.375, 0.1875, 2, 1.0)),
        (graph(("C", "D")), ONE, (0.03125, 0.34375, 0.0573, 2, 0.1667)),
        (ONE, NONE, (0.5, 0.5, 0.5, 1, 0.5)),
        # Every pair is proposed, self-loops too: nothing is left to tell apart.
        (graph(*product("AB", "AB")), ONE, (0.625, 0.5625, 0.5921, 3, 1.5)),
        (graph(("A", "A")), graph(("A", "A")), (1.0, 0.75, 0.8571, 0, 0.0)),
        (graph(("A", "A"), ("A", "B")), ONE, (0.75, 0.625, 0.6818, 1, 0.5)),
    ],
)
def test_measured_values(
    proposed: CausalGraph, true: CausalGraph, expected: tuple[float, ...]
) -> None:
    """Small graphs, as measured."""
    found = legacy_cdt(proposed, true)
    values = (found.precision, found.recall, found.f1, found.shd, found.shd_norm)
    assert values == pytest.approx(expected, abs=6e-5)


def test_measured_values_of_a_usual_graph() -> None:
    """An empty and a complete answer both look better than the published 0.502 of a model."""
    true = usual()
    assert (len(true.nodes), len(true.edges)) == (25, 37)
    empty = legacy_cdt(NONE, true)
    assert (empty.precision, empty.recall, empty.f1) == pytest.approx(
        (0.5296, 0.5148, 0.5221), abs=6e-5
    )
    assert (empty.shd, empty.shd_norm) == (37, pytest.approx(0.0617, abs=6e-5))
    complete = legacy_cdt(graph(*permutations(true.nodes, 2)), true)
    assert (complete.precision, complete.recall, complete.f1) == pytest.approx(
        (0.5308, 0.5201, 0.5254), abs=6e-5
    )
    assert (complete.shd, complete.shd_norm) == (563, pytest.approx(0.9383, abs=6e-5))


def test_one_edge_decides_between_half_and_nothing() -> None:
    """One right edge, one wrong edge, and half of the right ones."""
    true = usual()
    right = legacy_cdt(graph(true.edges[0]), true)
    wrong = legacy_cdt(graph((true.edges[0][1], true.edges[0][0])), true)
    half = legacy_cdt(graph(*true.edges[:18]), true)
    assert (right.precision, right.recall, right.shd) == (
        pytest.approx(0.5423, abs=6e-5),
        pytest.approx(0.5144, abs=6e-5),
        36,
    )
    assert (wrong.precision, wrong.recall, wrong.shd) == (
        pytest.approx(0.0296, abs=6e-5),
        pytest.approx(0.3432, abs=6e-5),
        38,
    )
    assert (half.f1, half.shd) == (pytest.approx(0.6643, abs=6e-5), 19)


def test_published_recalls_follow_from_published_precisions() -> None:
    """With P = R and q = 0.088, the formulas give two published rows' second column."""
    q = 0.088
    for precision, recall in ((0.582, 0.536), (0.218, 0.409)):
        # The positive root of p(1 + p)/2 + (1 - p)(p + q)/2 = precision.
        p = (2 * precision - q) / (2 - q)
        assert (2 + q + 2 * p) / 6 == pytest.approx(recall, abs=0.0015)


def test_two_empty_graphs_have_no_value() -> None:
    """The published code raises there."""
    assert isnan(legacy_cdt(NONE, NONE).f1)

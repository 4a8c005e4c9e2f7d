"""ReCITE's tables, held against each other and their counts."""

from collections import defaultdict

import pytest

from causarium import published


@pytest.mark.parametrize("table", ["Table 14", "Table 15"])
def test_recite_parts_add_up_to_the_whole(table):
    whole = {r.agent: r.value for r in published.rows("recite", "Table 3") if r.metric == "f1"}
    parts = defaultdict(list)
    for row in published.rows("recite", table):
        parts[row.agent].append((row.value, row.n))
    assert parts.keys() == whole.keys()
    for agent, cells in parts.items():
        assert sum(n for _, n in cells) == 292
        mean = sum(value * n for value, n in cells) / 292
        # Qwen's 20 missing texts change the weights a little.
        assert mean == pytest.approx(whole[agent], abs=0.003 if "Qwen 2.5" in agent else 0.0012)


@pytest.mark.parametrize(("table", "what"), [("Table 10", "edge"), ("Table 11", "node")])
def test_recite_mean_f1_lies_below_the_harmonic_mean_of_the_means(table, what):
    by_agent = defaultdict(dict)
    for row in published.rows("recite", table):
        by_agent[row.agent][row.metric] = row.value
    assert len(by_agent) == 10
    for values in by_agent.values():
        p, r, f1 = (values[f"unweighted_{what}_{name}"] for name in ("precision", "recall", "f1"))
        assert f1 <= 2 * p * r / (p + r) + 0.0011


def test_recite_name_assisted_columns_fit_the_area_formulas():
    # With q the share of edges among all pairs, the area A and the mean of coordinates M are
    # both functions of the true precision and recall; take these equal, and A gives M.
    by_agent = defaultdict(dict)
    for row in published.rows("recite", "Table 4"):
        by_agent[row.agent][row.metric] = row.value
    q = 0.088
    for values in by_agent.values():
        area = values["legacy_precision"]
        # A = R (1 + P) / 2 + (1 - R)(P + q) / 2 with P = R = x gives x (2 - q) / 2 + q / 2.
        x = (2 * area - q) / (2 - q)
        assert values["legacy_recall"] == pytest.approx((2 + q + 2 * x) / 6, abs=0.0015)


def test_recite_matched_edges_are_right_or_reversed():
    by_agent = defaultdict(dict)
    for row in published.rows("recite", "Table 23"):
        by_agent[row.agent][row.metric] = row.value
    for values in by_agent.values():
        either = values["direction_right"] + values["direction_reversed"]
        assert either == pytest.approx(values["edge_in_graph"], abs=0.0035)

"""CausaLab's tables, held against each other: the same run is printed in several places."""

import pytest

from causarium import published

METRICS = {"prediction", "edge_f1", "freq_edge_f1", "weight_f1"}


def values(table, **setting):
    return {
        row.metric: row.value
        for row in published.rows("causalab", table)
        if setting.items() <= row.setting.items() and row.agent == "GPT-5-mini"
    }


def test_the_four_node_baseline_is_the_same_wherever_it_is_printed():
    main = values("Table 7", nodes="4")
    for table, setting in (
        ("Table 3", {"form": "linear"}),
        ("Table 4", {"hidden": "none"}),
        ("Table 5", {"frequency_parent": "no"}),
        ("Table 6", {"regime": "2o12i"}),
    ):
        printed = values(table, nodes="4", **setting)
        assert printed.keys() >= METRICS
        assert printed == {metric: main[metric] for metric in printed}


def test_the_six_node_baseline_is_the_same_wherever_it_is_printed():
    main = values("Table 7", nodes="6")
    for table, setting in (
        ("Table 5", {"frequency_parent": "no"}),
        ("Table 6", {"regime": "2o20i"}),
    ):
        printed = values(table, nodes="6", **setting)
        assert printed.keys() >= METRICS
        assert printed == {metric: main[metric] for metric in printed}


@pytest.mark.parametrize("table", ["Table 9", "Table 10", "Table 11", "Table 12"])
def test_settings_without_interventions_are_the_same_in_both_blocks(table):
    blocks = {"mixed": {}, "pure observation": {}}
    for row in published.rows("causalab", table):
        if row.setting["regime"] in {"3o0i", "5o0i"}:
            blocks[row.setting["block"]][row.metric] = row.value
    assert blocks["mixed"] == blocks["pure observation"]
    assert blocks["mixed"].keys() >= METRICS


def test_table_7_has_four_models_on_five_sizes_with_eight_numbers_each():
    rows = published.rows("causalab", "Table 7")
    assert len(rows) == 4 * 5 * 8
    assert len({(r.agent, r.setting["nodes"]) for r in rows}) == 20


def test_predictions_are_whole_numbers_of_cases():
    for row in published.rows("causalab"):
        if row.metric == "prediction":
            n = row.n or 50
            assert row.value == pytest.approx(round(row.value * n) / n, abs=0.00005 + 1e-9)


def test_a_mean_f1_lies_below_the_harmonic_mean_of_the_means():
    # F1 is a concave function of precision and recall, so Jensen's inequality holds.
    for row in published.rows("causalab"):
        if row.metric != "edge_f1" or row.table in {"Table 5", "Table 6"}:
            continue
        near = {
            r.metric: r.value
            for r in published.rows("causalab", row.table)
            if r.setting == row.setting and r.agent == row.agent
        }
        p, r = near["edge_precision"], near["edge_recall"]
        assert row.value <= 2 * p * r / (p + r) + 0.0011


def test_distances_are_whole_numbers_over_the_rows_except_where_noted():
    for row in published.rows("causalab", "Table 7"):
        if row.metric == "shd":
            whole = abs(row.value * row.n - round(row.value * row.n)) < 0.0005 * row.n + 1e-9
            assert whole == (not row.note), row


def test_the_graphs_have_between_k_minus_1_and_all_possible_edges():
    for row in published.rows("causalab", "Table 1"):
        if row.metric == "edges":
            k = int(row.setting["nodes"])
            assert k - 1 <= row.value <= k * (k - 1) / 2

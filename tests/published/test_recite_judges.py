"""ReCITE's tables on judges, graphs, clusters and reasoning, held against each other."""

import math
from collections import Counter, defaultdict

import pytest

from causarium import published


def cells(table, *by):
    found = defaultdict(dict)
    for row in published.rows("recite", table):
        key = tuple(row.agent if name == "agent" else row.setting[name] for name in by)
        found[key][row.metric] = row.value
    return found


def test_two_signs_that_contradict_the_text_say_so():
    noted = [row for n in (7, 9) for row in published.rows("recite", f"Table {n}") if row.note]
    assert len(noted) == 4
    assert all(row.value < 0 for row in noted)


def test_the_judges_of_three_families_differ_as_much_as_all_answers_together():
    by_source = [(row.value, row.n) for row in published.rows("recite", "Table 9")]
    whole = cells("Table 7", "judges")[("DeepSeek v3.2 and Gemini 3 Flash",)]["mean_difference"]
    total = sum(n for _, n in by_source)
    assert total == 595
    assert sum(value * n for value, n in by_source) / total == pytest.approx(whole, abs=0.001)


def test_repeated_rows_of_the_table_of_pairs_are_marked():
    rows = published.rows("recite", "Table 8")
    counts = Counter((row.metric, row.value) for row in rows)
    assert len(rows) == 12
    for row in rows:
        assert bool(row.note) == (counts[row.metric, row.value] > 1)


def test_every_spread_over_graphs_is_in_order():
    by_metric = defaultdict(dict)
    for row in published.rows("recite", "Table 12"):
        by_metric[row.metric][row.setting["over graphs"]] = row.value
    assert len(by_metric) == 16
    for found in by_metric.values():
        assert found["least"] <= found["median"] <= found["most"]
        assert found["least"] <= found["mean"] <= found["most"]
    # Twice the edges over the nodes, as far as rounded means of ratios go.
    assert by_metric["avg_degree"]["mean"] == pytest.approx(2 * 37.0 / 25.0, abs=0.1)


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_probabilities_follow_from_the_correlations(kind):
    for found in cells("Table 13", "statistic of the graph").values():
        z = math.atanh(found[kind]) * math.sqrt(287)
        assert math.erfc(abs(z) / math.sqrt(2)) == pytest.approx(found[f"{kind}_p"], abs=0.012)


def test_clusters_hold_all_documents():
    rows = published.rows("recite", "Table 18")
    assert sum(row.n for row in rows if row.metric == "f1") == 292


def test_longer_reasoning_goes_with_better_answers_in_two_models_only():
    found = cells("Table 19", "agent")
    assert {agent for (agent,), one in found.items() if one["pearson_p"] < 0.05} == {
        "Kimi K2",
        "DeepSeek R1",
    }


def test_differences_of_likeness_are_differences():
    found = cells("Table 22", "agent", "names")
    agents = {agent for agent, _ in found}
    assert len(agents) == 10
    for agent in agents:
        given, without = (
            found[agent, names]["embedding_cosine"] for names in ("given", "not given")
        )
        printed = found[agent, "given less not given"]["embedding_cosine_difference"]
        assert printed == pytest.approx(given - without, abs=0.00105)


@pytest.mark.parametrize(("table", "cells_of_it"), [("Table 3", 70), ("Table 5", 30)])
def test_every_mean_has_the_spread_that_is_printed_with_it(table, cells_of_it):
    rows = published.rows("recite", table)
    found = {(row.agent, *row.setting.values(), row.metric): row for row in rows}
    means = {key: row for key, row in found.items() if not row.metric.endswith("_sd")}
    assert len(means) == cells_of_it == len(found) / 2
    for (*at, metric), row in means.items():
        spread = found[(*at, f"{metric}_sd")]
        assert spread.value > 0
        assert (spread.n, spread.note) == (row.n, row.note)

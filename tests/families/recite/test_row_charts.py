"""Scores by what a document is like, and the tables of them."""

import pytest
from causarium_recite_lab.analysis.cutoff_effect import cutoffs_of
from causarium_recite_lab.analysis.row_tables import facet_tables, tables

from causarium.errors import UsageError
from causarium.families.recite.views.row_charts import by_facet, values_of
from tests.families.recite.analysis.test_judge_reliability import row


def with_facets(number, f1, agent="m", **facets):
    return row(agent, number, f1).model_copy(update={"facets": facets})


def test_means_are_by_value_and_bins_keep_their_order():
    rows = [
        with_facets(1, 0.9, explicitness="75-100 %"),
        with_facets(2, 0.4, explicitness="0-25 %"),
        with_facets(3, 0.6, explicitness="0-25 %"),
        with_facets(4, 0.1),
    ]
    assert values_of(rows, "explicitness") == ["0-25 %", "75-100 %"]
    means = by_facet(rows, "explicitness")["m"]
    assert means["0-25 %"].value == 0.5
    assert means["75-100 %"].value == 0.9


def test_a_document_of_two_domains_counts_under_both():
    rows = [
        with_facets(1, 0.2, domain="Education | Medicine"),
        with_facets(2, 0.4, domain="Medicine"),
    ]
    means = by_facet(rows, "domain")["m"]
    assert {value: mean.n for value, mean in means.items()} == {"Education": 1, "Medicine": 2}
    assert means["Medicine"].value == pytest.approx(0.3)


def test_a_facet_with_one_value_has_no_table():
    rows = [with_facets(n, 0.5, size="13-24", cyclic=bool(n % 2)) for n in range(4)]
    [found] = facet_tables(rows)
    assert found.header == ("cyclic", "False", "True")
    assert found.lines == (("m", "0.500 [0.500, 0.500] (2)", "0.500 [0.500, 0.500] (2)"),)


def test_a_cutoff_that_is_told_goes_before_a_published_one():
    agents = ["openrouter/deepseek/deepseek-r1", "acme/rocket-1", "player/oracle"]
    assert cutoffs_of(agents, ["rocket 1=2025-01", "DeepSeek R1=2024-01"]) == {
        "openrouter/deepseek/deepseek-r1": "2024-01",
        "acme/rocket-1": "2025-01",
    }


@pytest.mark.parametrize("told", ["rocket", "rocket=2025", "rocket=2025-13", "=2025-01"])
def test_a_cutoff_of_another_form_is_refused(told):
    with pytest.raises(UsageError, match="NAME=YYYY-MM"):
        cutoffs_of(["acme/rocket-1"], [told])


def test_a_cutoff_of_nobody_is_refused():
    with pytest.raises(UsageError, match="no agent is called 'moon'; there are acme/rocket-1"):
        cutoffs_of(["acme/rocket-1"], ["moon=2025-01"])


def test_months_decide_on_which_side_of_a_cutoff_a_document_lies():
    months = ["2024-05", "2024-06", "2024-07", "2024-08"]
    rows = [with_facets(n, n / 10, month=month, year="2024") for n, month in enumerate(months, 1)]
    [found] = [t for t in tables(rows, ["m=2024-06"]) if t.title.startswith("Before")]
    [line] = [dict(zip(found.header, line, strict=True)) for line in found.lines]
    assert (line["before"], line["after"], line["neither"]) == ("1", "2", "1")


def test_three_agents_have_an_order_with_and_without_weights():
    rows = [
        row(agent, 1, 0.5).model_copy(
            update={"numbers": {"edge_f1": weighted, "unweighted_edge_f1": plain}}
        )
        for agent, weighted, plain in (("a", 0.1, 0.1), ("b", 0.2, 0.3), ("c", 0.3, 0.2))
    ]
    [found] = [t for t in tables(rows) if t.title.startswith("Whether weights")]
    assert found.lines == (("edge F1", "3", "0.500", "0.333"),)


@pytest.mark.parametrize("label", ["by rule", "by rule and encoder"])
def test_scores_by_rule_say_how_far_it_can_be_trusted(label):
    rows = [row("m", 1, 0.5).model_copy(update={"labels": {"judged": label}})]
    [found] = [t for t in tables(rows) if t.title.startswith("How far the judge without")]
    assert found.lines[0][:2] == (label, "1")
    assert "approximate" in found.caption
    measured = label == "by rule"
    assert ("held-out aliases found" in found.caption) == measured
    assert ("labelled pairs of other documents" in found.caption) != measured

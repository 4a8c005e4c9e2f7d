"""Scores by what a document is like."""

import pytest

from causarium.families.recite.paper.views.row_charts import by_facet, values_of
from tests.families.recite.paper.papers import row


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


def test_draws_of_one_document_are_one_cluster():
    rows = [with_facets(n, n % 4 / 10, mechanism=f"m{n // 4}", size="13-24") for n in range(16)]
    assert by_facet(rows, "size")["m"]["13-24"].clusters == 4


def test_a_document_of_two_domains_counts_under_both():
    rows = [
        with_facets(1, 0.2, domain="Education | Medicine"),
        with_facets(2, 0.4, domain="Medicine"),
    ]
    means = by_facet(rows, "domain")["m"]
    assert {value: mean.n for value, mean in means.items()} == {"Education": 1, "Medicine": 2}
    assert means["Medicine"].value == pytest.approx(0.3)

"""The tables of scores."""

import re

import pytest
from causarium_recite_lab.analysis.row_tables import cutoffs_of, draw_tables, facet_tables, tables

from causarium.errors import UsageError
from tests.families.recite.paper.papers import row
from tests.families.recite.paper.test_row_charts import with_facets


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


@pytest.mark.parametrize(
    "told", ["rocket", "rocket=2025", "rocket=2025-13", "=2025-01", "!!=2025-01"]
)
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
    [found] = [t for t in tables(rows) if t.title.startswith("How far the rule judge")]
    assert found.lines[0][:2] == (label, "1")
    assert "approximate" in found.caption
    measured = label == "by rule"
    assert ("found (recall" in found.caption) == measured
    assert ("set on the others" in found.caption) != measured


def test_judges_are_tabled_where_there_are_several() -> None:
    """With how far they agree."""
    rows = [row("m", n, 0.5, stern=0.1 * n, kind=0.1 * n + 0.2) for n in range(4)]
    pictures = draw_tables(rows)
    assert pictures[-1].title == "How far judges agree"
    assert "kind and stern" in pictures[-1].svg
    assert "0.200" in pictures[-1].svg


def titles(rows) -> list[str]:
    return [picture.title for picture in draw_tables(rows)]


def test_scores_by_rule_say_how_far_the_rule_can_be_trusted() -> None:
    """With figures that are measured, and only where it was used."""
    rows = [row("m", 1, 0.5).model_copy(update={"labels": {"judged": "by rule"}})]
    (table,) = [p for p in draw_tables(rows) if "rule judge" in p.title]
    assert "Scoring by rule is approximate" in table.caption
    assert re.search(r"recall 0\.\d{3}", table.caption)
    judged = [row("m", 1, 0.5).model_copy(update={"labels": {"judged": "by judge"}})]
    assert not [title for title in titles(judged) if "rule judge" in title]


def test_kin_and_cutoffs_are_tabled() -> None:
    """Where there is something to compare."""
    rows = [
        row(agent, n, 0.1 * n, year, deepseek_v3=0.1 * n + 0.1, gemini_flash=0.1 * n)
        for agent in ("deepseek/deepseek-r1", "openai/gpt-5")
        for n, year in enumerate(("2022", "2023", "2025", "2026"))
    ]
    assert titles(rows)[-3:] == [
        "How far judges agree",
        "Whether judges favour their kin",
        "Before and after the knowledge cutoff",
    ]

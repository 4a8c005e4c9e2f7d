"""Published tables beside a run, and whether their numbers may be compared with it."""

import pytest

from causarium.report.data.build_report import build_report
from tests.report.rows import FACTS, rows


def beside(family, edition, set_name, metric):
    facts = FACTS.model_copy(
        update={"name": family, "headline": {edition: metric}, "numbers": (), "classes": ()}
    )
    changes = {"family": family, "edition": edition, "set": set_name}
    [section] = build_report(
        [one.model_copy(update=changes) for one in rows(m="10")], facts={family: facts}
    ).sections
    return section


@pytest.mark.parametrize(
    ("edition", "set_name", "comparable"),
    [("paper", "core", True), ("paper", "smoke", False), ("certified", "core", False)],
)
def test_only_the_paper_edition_on_the_same_set_is_comparable(edition, set_name, comparable):
    section = beside("causallink", edition, set_name, "accuracy")
    assert section.comparable == comparable
    assert section.papers


def test_a_family_without_a_paper_has_no_tables():
    section = beside("toy", "paper", "core", "accuracy")
    assert (section.papers, section.comparable) == ((), False)


@pytest.mark.parametrize(
    ("set_name", "tables"),
    [
        ("paper", {"Table 7"}),
        ("hidden", {"Table 4"}),
        ("grid", {f"Table {n}" for n in (9, 10, 11, 12)}),
        ("smoke", {"Table 7"}),
    ],
)
def test_each_set_of_the_paper_stands_beside_its_own_tables(set_name, tables):
    section = beside("causalab", "paper", set_name, "edge_f1")
    assert {grid.table.name for grid in section.papers} == tables


def test_numbers_of_no_named_set_are_of_the_published_sizes():
    assert beside("causalgame", "paper", "paper", "survival").comparable
    assert not beside("causalgame", "paper", "smoke", "survival").comparable

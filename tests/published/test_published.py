"""The published numbers agree with each other, so that a slip of transcription shows."""

import pytest

from causarium import published
from causarium.errors import UnknownName

RESULTS = {
    "causallink": ("1 2 4 5", "2 3"),
    "causalab": ("1 3 4 5 6 7 8 9 10 11 12", "2 3 4 5 6 8 9 10 11 12 13 14"),
    "causalgame": ("4 5 6 11 12 13 14 15 17", "4 7 8 9 10 12 14 16"),
    "recite": ("3 4 5 7 8 9 10 11 12 13 14 15 18 19 22 23", "2 3 8 15"),
    "replayscm": (
        "1 2 3 C.1 C.2 C.3 C.4 D.1 D.2 E.1 F.1 F.2 F.3 F.4 F.5 F.6 F.7 F.8 F.9 F.10 F.11 F.12 "
        "F.13 F.14 G.1 G.2 G.3 G.4 G.5 G.6 G.7 G.8 H.2",
        "1 D.1",
    ),
}
"""The tables and figures of each paper that hold results."""
NO_RESULTS = {
    "causallink": ("3", "1"),
    "causalab": ("2", "1 7"),
    "causalgame": ("1 2 3 7 8 9 10 16 18 19 20", "1 2 3 5 6 11 13 15"),
    "recite": ("1 2 6 16 17 20 21", "1 4 5 6 7 9 10 11 12 13 14"),
    "replayscm": ("A.1 A.2 A.3 B.1 B.2 H.1", "A.1"),
}
"""The others: pictures, lists, settings, one transcript, the published corpus and its annotators,
lengths of what models thought, and (CausalGame's Figure 6) other benchmarks."""


def name_all(listed):
    tables, figures = listed
    return {f"Table {n}" for n in tables.split()} | {f"Figure {n}" for n in figures.split()}


@pytest.mark.parametrize("family", published.families())
def test_every_table_and_figure_with_results_is_at_hand(family):
    found = {table.name for table in published.tables(family)}
    assert found == name_all(RESULTS[family])
    assert not found & name_all(NO_RESULTS[family])


def test_a_figure_has_the_numbers_and_runs_of_the_tables_that_print_them():
    drawn = published.find_table("causalab", "Figure 12")
    numbers = published.rows("causalab", drawn.name)
    printed = [row for n in (9, 10, 11, 12) for row in published.rows("causalab", f"Table {n}")]
    assert [row.value for row in numbers] == [r.value for r in printed if r.metric == "prediction"]
    assert {row.table for row in numbers} == {"Figure 12"}
    tenth = published.find_table("causalab", "Table 10")
    assert published.play_settings(drawn) == published.play_settings(tenth)


@pytest.mark.parametrize("family", published.families())
def test_every_table_has_rows_or_draws_and_every_row_has_a_table(family):
    found = dict.fromkeys(row.table for row in published.rows(family))
    known = published.tables(family)
    assert list(found) == [table.name for table in known if table.name in found]
    assert all(table.draws or table.shows for table in known if table.name not in found)


@pytest.mark.parametrize("family", published.families())
def test_no_number_is_given_twice(family):
    keys = [
        (row.table, tuple(sorted(row.setting.items())), row.agent, row.metric)
        for row in published.rows(family)
    ]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("family", published.families())
def test_shares_lie_between_zero_and_one(family):
    assert all(0 <= row.value <= 1 for row in published.rows(family) if row.unit == "share")


@pytest.mark.parametrize("family", published.families())
def test_each_family_has_a_main_table(family):
    assert any(table.main for table in published.tables(family))


def test_a_bare_number_is_a_tables_where_a_figure_has_it_too():
    assert published.find_table("causalgame", "4").name == "Table 4"
    assert published.find_table("causalgame", "figure 4").name == "Figure 4"
    assert published.find_table("causalgame", "16").name == "Figure 16"


def test_unknown_names_come_with_the_nearest_right_one():
    with pytest.raises(UnknownName, match="did you mean 'causallink'"):
        published.rows("causalink")
    with pytest.raises(UnknownName, match="tables: Figure 2, Figure 3, Table 1"):
        published.rows("causallink", "Table 9")
    with pytest.raises(UnknownName):
        published.tables("nothing")

"""The published numbers agree with each other, so that a slip of transcription shows."""

import pytest

from causarium import published
from causarium.errors import UnknownName


@pytest.mark.parametrize("family", published.families())
def test_every_table_has_rows_or_draws_and_every_row_has_a_table(family):
    found = dict.fromkeys(row.table for row in published.rows(family))
    known = published.tables(family)
    assert list(found) == [table.name for table in known if table.name in found]
    assert all(table.draws for table in known if table.name not in found)


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

"""Published tables in shape: every number has exactly one place."""

import pytest

from causarium import published


@pytest.mark.parametrize(
    "table",
    [table for family in published.families() for table in published.tables(family)],
    ids=lambda table: f"{table.family}-{table.name}",
)
def test_every_number_of_a_table_is_in_its_grid_once(table: published.Table) -> None:
    rows = published.rows(table.family, table.name)
    grid = published.grid(table)
    found = sorted(cell.value for _, cells in grid.lines for cell in cells.values())
    assert found == sorted(row.value for row in rows)
    marked = {note for _, cells in grid.lines for cell in cells.values() for note in cell.notes}
    assert marked == set(range(1, len(grid.notes) + 1))

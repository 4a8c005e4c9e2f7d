"""Published values as grids: one for each family, groups by common words, two modes folded."""

from causarium import published
from causarium.report.data.published_rows import PublishedValue, build_heat


def grids(family, metric):
    main = {table.name for table in published.tables(family) if table.main}
    values = [
        PublishedValue(row=row, comparable=False)
        for row in published.rows(family)
        if row.table in main
    ]
    return build_heat(values, metric)


def test_causallink_is_one_grid_of_core_and_sizes():
    (grid,) = grids("causallink", "accuracy")
    assert [column.short for column in grid.columns] == ["core", "4", "5", "6", "7"]
    assert grid.groups == [("", 1), ("size", 4)]
    first = [cells[0] for _, cells in grid.lines if cells[0] is not None]
    assert first == sorted(first, reverse=True)


def test_two_modes_of_causalgame_are_two_grids():
    agent, prompting = grids("causalgame", "survival")
    assert (agent.title, prompting.title) == ("mode agent", "mode prompting")
    assert len(agent.columns) == 15
    assert {name for name, _ in agent.groups} >= {"antenna trap", "deployment zone trap"}


def test_what_is_not_published_has_no_grid():
    assert grids("recite", "no_such_metric") == ()

"""Rows of the ladder of explicitness: the same graphs at every rung, and so a fair slope."""

from collections.abc import Sequence

from causarium.contract.row import Row


def same_graphs(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of graphs that their agent read at every rung, under one task.

    A set may hold further graphs at some of the rungs, or the same ones under another task at two
    of them; with these, rungs would differ in more than what is told.
    """
    rungs: dict[tuple[str, str], set[object]] = {}
    for row in rows:
        if "told" in row.facets:
            rungs.setdefault(_graph(row), set()).add(row.facets["told"])
    most = max(map(len, rungs.values()), default=0)
    return [row for row in rows if "told" in row.facets and len(rungs[_graph(row)]) == most]


def _graph(row: Row) -> tuple[str, str]:
    """Return the agent, and the address of the graph: the instance's id without its rung."""
    return row.agent, row.id.replace(f"-synth-{row.facets['told']}-", "-synth-", 1)

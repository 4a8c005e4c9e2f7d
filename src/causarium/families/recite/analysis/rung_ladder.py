"""Rows of made documents that tell the same graphs at different rungs, and so compare fairly.

Only those graphs count that their agent read at every rung and under one task; a set may hold
further graphs at some of them, and these would differ in more.
"""

import re
from collections.abc import Sequence

from causarium.contract.row import Row

_LEVEL = re.compile(r"-(synth|dev)-[a-z]+-")
"""The rung in an instance's id; without it, the id is the address of a graph and a task."""


def rung_of(row: Row) -> str | None:
    """Return at which rung a row's graph was told; None for documents that were not made."""
    rung = row.facets.get("rung")
    return str(rung) if rung and f"-{rung}-" in row.id else None


def select_same_graphs(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of graphs that their agent read at every rung."""
    rungs: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if (rung := rung_of(row)) is not None:
            rungs.setdefault(_graph(row), set()).add(rung)
    most = max(map(len, rungs.values()), default=0)
    return [row for row in rows if rung_of(row) is not None and len(rungs[_graph(row)]) == most]


def _graph(row: Row) -> tuple[str, str]:
    return row.agent, _LEVEL.sub(r"-\1-", row.id, count=1)

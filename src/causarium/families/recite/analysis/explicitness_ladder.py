"""Rows of made documents that tell the same graphs in different ways, and so compare fairly.

Two things are varied by design: how much is told (the ladder of explicitness) and, in the set
`changes`, how. Of either only those graphs count that their agent read in every variant and under
one task; a set may hold further graphs in some of them, and these would differ in more.
"""

import re
from collections.abc import Sequence

from causarium.contract.row import Row

TELLINGS = {
    "plain": "plainly",
    "synonyms": "with synonyms",
    "reversed": "effects first",
    "distracted": "distracted",
}
"""The levels that differ from `synth-plain` in one thing each, in words."""

_LEVEL = re.compile(r"-synth-(\w+)-")
"""The variant in an instance's id; without it, the id is the address of a graph and a task."""


def variant_of(row: Row, varied: str) -> str | None:
    """Return how a row's graph was told: its rung for `told`, the change for `telling`.

    None for documents that are no variant of that kind.
    """
    found = _LEVEL.search(row.id)
    if found is None:
        return None
    if varied == "telling":
        return TELLINGS.get(found.group(1))
    told = row.facets.get("told")
    return found.group(1) if found.group(1) == str(told) else None


def same_graphs(rows: Sequence[Row], varied: str) -> list[Row]:
    """Return the rows of graphs that their agent read in every variant."""
    variants: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if (variant := variant_of(row, varied)) is not None:
            variants.setdefault(_graph(row), set()).add(variant)
    most = max(map(len, variants.values()), default=0)
    return [
        row
        for row in rows
        if variant_of(row, varied) is not None and len(variants[_graph(row)]) == most
    ]


def _graph(row: Row) -> tuple[str, str]:
    return row.agent, _LEVEL.sub("-synth-", row.id, count=1)

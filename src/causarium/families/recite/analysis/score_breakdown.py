"""Scores by what a document is like: where it comes from, its length, graph, domain, date.

This is what documents happen to be like, and they differ in several ways at once.
"""

from collections.abc import Mapping, Sequence

from causarium.contract.row import Row, mean_per_instance
from causarium.families.recite.generation.document_facets import (
    BETWEEN_DOMAINS,
    DENSITY_BINS,
    EDGE_BINS,
    EXPLICITNESS_BINS,
    LENGTH_BINS,
    SIZE_BINS,
)
from causarium.families.recite.mechanics.wording import RUNGS
from causarium.scoring.intervals import Interval, summarize

FACETS: Mapping[str, str] = {
    "explicitness": "how much of the graph the text tells",
    "explicitness_strict": "how much of the graph the text tells by name",
    "rung": "how a made text tells its edges",
    "source": "where the document comes from",
    "length": "characters of the text",
    "size": "nodes of the graph",
    "edges": "edges of the graph",
    "density": "density of the graph",
    "cyclic": "whether the graph has cycles",
    "domain": "the document's domains, under each of which it counts",
    "year": "when the document was published",
}
"""What scores are looked at by, in words."""

ORDERS: Mapping[str, Sequence[str]] = {
    "explicitness": EXPLICITNESS_BINS,
    "explicitness_strict": EXPLICITNESS_BINS,
    "rung": RUNGS,
    "density": DENSITY_BINS,
    "length": LENGTH_BINS,
    "size": SIZE_BINS,
    "edges": EDGE_BINS,
    "cyclic": ("False", "True"),
    "year": (),
}
"""The values of those facets whose values have an order; of the empty one, their own."""


def agents_of(rows: Sequence[Row]) -> list[str]:
    """Return the agents of rows, models before players."""
    found = {row.agent for row in rows}
    return sorted(found, key=lambda agent: (agent.startswith("player/"), agent))


def values_of(rows: Sequence[Row], facet: str) -> list[str]:
    """Return the values that a facet has in rows, in their order."""
    present = {value for row in rows for value in _values(row, facet)}
    order = ORDERS.get(facet, ())
    return [value for value in order if value in present] + sorted(present - set(order))


def by_facet(rows: Sequence[Row], facet: str, metric: str = "f1") -> dict[str, dict[str, Interval]]:
    """Return the mean of a metric for each agent and each value of a facet.

    Rows without the facet are left out; epochs of one instance count once.
    """
    found: dict[str, dict[str, Interval]] = {}
    for agent in agents_of(rows):
        for value in values_of(rows, facet):
            mine = [r for r in rows if r.agent == agent and value in _values(r, facet)]
            if mine:
                kept = mean_per_instance(mine, metric).values()
                found.setdefault(agent, {})[value] = summarize(kept, share=False)
    return found


def _values(row: Row, facet: str) -> tuple[str, ...]:
    found = row.facets.get(facet)
    if found is None:
        return ()
    return tuple(str(found).split(BETWEEN_DOMAINS)) if facet == "domain" else (str(found),)

"""What the rows of ReCITE may be grouped by, found from a document and its graph."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from causarium.contract.instance import Facet
from ..model.instance import RecitePublic, ReciteSecret, lenient_explicitness, strict_explicitness

NodeT = TypeVar("NodeT", bound=Hashable)
EXPLICITNESS_BINS = ("0-25 %", "25-50 %", "50-75 %", "75-100 %")
DENSITY_BINS = ("sparse", "moderate", "dense")
"""As published: below 0.15, below 0.3, and the rest."""

LENGTH_BINS = ("under 10k", "10k-25k", "25k-50k", "over 50k")
SIZE_BINS = ("up to 12", "13-24", "25-40", "over 40")
EDGE_BINS = ("up to 15", "16-30", "31-60", "over 60")
BETWEEN_DOMAINS = " | "
"""Stands between the domains of a document that has several."""


def facets_of(public: RecitePublic, secret: ReciteSecret) -> dict[str, Facet]:
    """Return the groups to which a document's rows belong."""
    size, pairs = len(secret.linked), [(edge.source, edge.sink) for edge in secret.edges]
    facets: dict[str, Facet] = {
        "mechanism": secret.latent or public.title,
        "task": public.task,
        "source": secret.source,
        "explicitness": explicitness_bin(lenient_explicitness(secret.labels.values())),
        "explicitness_strict": explicitness_bin(strict_explicitness(secret.labels.values())),
        "length": _bin(len(public.text), (10_000, 25_000, 50_000), LENGTH_BINS),
        "n_nodes": size,
        "n_edges": len(pairs),
        "size": _bin(size, (13, 25, 41), SIZE_BINS),
        "edges": _bin(len(pairs), (16, 31, 61), EDGE_BINS),
        "density": density_bin(density(size, pairs)),
        "cyclic": bool(nodes_on_cycles(pairs)),
        "domain": BETWEEN_DOMAINS.join(secret.domains) or "none",
    }
    if secret.rung:
        facets["rung"] = secret.rung
    if secret.date:
        facets["year"] = secret.date[:4]
    if len(secret.date) >= len("2024-01"):
        facets["month"] = secret.date[:7]
    return facets


def density(size: int, edges: Sequence[object]) -> float:
    """Return which share of the possible edges between different nodes a graph has.

    Example:
        >>> density(3, [(1, 2), (2, 3), (3, 1)])
        0.5
    """
    return len(edges) / (size * (size - 1)) if size > 1 else 0.0


def nodes_on_cycles(edges: Iterable[tuple[NodeT, NodeT]]) -> set[NodeT]:
    """Return the nodes from which a path through others leads back to themselves.

    Example:
        >>> sorted(nodes_on_cycles([(1, 2), (2, 3), (3, 2), (4, 4)]))
        [2, 3]
    """
    after = defaultdict[NodeT, set[NodeT]](set)
    for source, sink in edges:
        if source != sink:
            after[source].add(sink)
    found = set()
    for start in list(after):
        reached, work = set[NodeT](), [start]
        while work:
            fresh = after[work.pop()] - reached
            reached |= fresh
            work += fresh
        if start in reached:
            found.add(start)
    return found


def explicitness_bin(share: float) -> str:
    """Return the quarter in which a share of told nodes lies; a border counts upwards.

    Example:
        >>> explicitness_bin(0.5), explicitness_bin(1.0)
        ('50-75 %', '75-100 %')
    """
    return EXPLICITNESS_BINS[min(int(share * 4), 3)]


def density_bin(value: float) -> str:
    """Return the published name of a density."""
    return _bin(value, (0.15, 0.3), DENSITY_BINS)


def _bin(value: float, borders: Sequence[float], names: Sequence[str]) -> str:
    return names[bisect_right(borders, value)]

"""How an episode ended where the five common words say too little."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome


def find_outcome(row: Row) -> Outcome | None:
    """Say of a right prediction whether the graph is right too; common words do for the rest."""
    if row.numbers.get("prediction") != 1:
        return None
    exact = row.labels.get("graph") == "exact"
    return Outcome(ending="right", words=f"right, graph {'' if exact else 'not '}exact")

"""How a session or a pair of missions ended: won, won in part, lost."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome


def find_outcome(row: Row) -> Outcome | None:
    """Return what became of the missions; the common words do where nothing was sent."""
    label = row.labels.get("outcome", "nothing submitted")
    if label == "nothing submitted":
        return None
    won = label in {"won", "both won"}
    words = "one of two won" if label == "one won" else label
    return Outcome(ending="right" if won else "wrong", words=words)

"""How a session or a pair of missions ended: won, won in part, lost, unreadable, nothing sent."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome


def find_outcome(row: Row) -> Outcome:
    """Return how the episode of a row ended."""
    label = row.labels.get("outcome", "nothing submitted")
    if label in {"won", "both won"}:
        return Outcome(ending="proved", words=label)
    if label == "one won":
        return Outcome(ending="lucky", words="one of two won")
    if label != "nothing submitted":
        return Outcome(ending="wrong", words=label)
    if row.numbers.get("unread"):
        return Outcome(ending="unreadable", words="unreadable, nothing sent")
    return Outcome(ending="silent", words="nothing sent")

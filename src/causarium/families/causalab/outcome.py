"""How an episode ended: the frequency predicted from the right graph, from another, or not."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome


def find_outcome(row: Row) -> Outcome:
    """Return how the episode of a row ended."""
    numbers = row.numbers
    if numbers.get("prediction") == 1:
        if row.labels.get("graph") == "exact":
            return Outcome(ending="proved", words="right, graph exact")
        return Outcome(ending="lucky", words="right, graph not exact")
    if numbers.get("interventions"):
        return Outcome(ending="wrong", words="wrong, had experimented")
    if numbers.get("unread") or numbers.get("parse_failures"):
        return Outcome(ending="unreadable", words="unreadable before any experiment")
    return Outcome(ending="silent", words="no experiment made")

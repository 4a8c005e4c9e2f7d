"""How a graph could be read: as asked, with slips, mended after a cut, hardly, or not at all."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome


def find_outcome(row: Row) -> Outcome:
    """Return how the episode of a row ended."""
    numbers, reading = row.numbers, row.labels.get("reading", "")
    if not numbers.get("answered"):
        silent = reading in {"", "no reply"}
        return (
            Outcome(ending="silent", words="no reply")
            if silent
            else Outcome(ending="unreadable", words="no graph could be read")
        )
    if numbers.get("cut_off") or numbers.get("mended"):
        return Outcome(ending="wrong", words="graph read after mending")
    if reading != "as asked":
        return Outcome(ending="lucky", words="graph read with slips")
    return Outcome(ending="proved", words="graph read as it stood")

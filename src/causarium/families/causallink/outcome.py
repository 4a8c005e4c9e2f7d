"""How a case ended: right and settled, right by luck, wrong, unreadable, or not at all."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome


def find_outcome(row: Row) -> Outcome:
    """Return how the episode of a row ended."""
    if not row.turns:
        return Outcome(ending="silent", words="no reply")
    if row.labels.get("error", "none") != "none":
        return Outcome(ending="unreadable", words="no readable or legal answer")
    if row.numbers.get("accuracy") != 1:
        return Outcome(ending="wrong", words="wrong")
    if row.labels.get("evidence") == "determined":
        return Outcome(ending="proved", words="right, evidence settles it")
    return Outcome(ending="lucky", words="right by luck")

"""How a case ended where the five common words say too little: right, by evidence or by luck."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome


def find_outcome(row: Row) -> Outcome | None:
    """Return how a right answer came about; the common words do for the rest."""
    if row.numbers.get("accuracy") != 1:
        return None
    if row.labels.get("evidence") == "determined":
        return Outcome(ending="right", words="right, evidence settles it")
    return Outcome(ending="right", words="right by luck")

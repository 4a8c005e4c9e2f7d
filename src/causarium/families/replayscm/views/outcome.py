"""How an answer ended, in the family's own words: which model it was, or how far formulas hold."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome

_UNIT_OUTCOMES = {
    "right": Outcome(ending="right", words="the one model that fits"),
    "wrong": Outcome(ending="wrong", words="another model, or another row"),
    "unreadable": Outcome(ending="unreadable", words="cannot be taken, twice"),
    "ran out of budget": Outcome(ending="ran out of budget", words="no answer in time"),
}


def find_outcome(row: Row) -> Outcome | None:
    """Return which model was handed in; the common words do where there was none."""
    if "exact" in row.numbers:
        return _UNIT_OUTCOMES.get(row.labels.get("outcome", ""))
    numbers, stage = row.numbers, row.labels.get("stage", "none")
    if stage == "none":
        return None
    if stage != "valid":
        return Outcome(ending="unreadable", words="formulas cannot be run")
    if numbers.get("heldout_exact") == 1 or numbers.get("alternative_joint") == 1:
        return Outcome(ending="right", words="right, on held-out worlds too")
    if numbers.get("train_exact") == 1 or numbers.get("alternative_train_exact") == 1:
        return Outcome(ending="wrong", words="right on shown worlds only")
    return Outcome(ending="wrong", words="runs, but wrong")

"""How an answer ended: exact on held-out worlds, on shown ones alone, wrong, or not to be run."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome

_SILENT = Outcome(ending="silent", words="no reply")
_UNIT_OUTCOMES = {
    "right": Outcome(ending="proved", words="the one model that fits"),
    "wrong": Outcome(ending="wrong", words="another model, or another row"),
    "unreadable": Outcome(ending="unreadable", words="cannot be taken, twice"),
    "ran out of budget": Outcome(ending="silent", words="ran out of budget"),
}


def find_outcome(row: Row) -> Outcome:
    """Return how the episode of a row ended."""
    if "exact" in row.numbers:
        return _UNIT_OUTCOMES.get(row.labels.get("outcome", ""), _SILENT)
    numbers, stage = row.numbers, row.labels.get("stage", "none")
    if stage == "none":
        return Outcome(ending="silent", words="no reply")
    if stage != "valid":
        return Outcome(ending="unreadable", words="cannot be run")
    if numbers.get("heldout_exact") == 1 or numbers.get("alternative_joint") == 1:
        return Outcome(ending="proved", words="exact on held-out worlds")
    if numbers.get("train_exact") == 1 or numbers.get("alternative_train_exact") == 1:
        return Outcome(ending="lucky", words="exact on shown worlds only")
    return Outcome(ending="wrong", words="runs, but wrong")

"""How an answer ended: exact on held-out worlds, on shown ones alone, wrong, or not to be run."""

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome


def find_outcome(row: Row) -> Outcome | None:
    """Return how far formulas hold; the common words do where there are none."""
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

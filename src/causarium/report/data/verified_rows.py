"""Rows whose logs are not true: left out of every mean, and counted with their reasons."""

from collections import Counter
from collections.abc import Iterable

from causarium.contract.row import Row

NOT_VERIFIED = "not verified"


def leave_out_doubtful(rows: Iterable[Row]) -> list[Row]:
    """Return rows, those that are doubtful without their score and with the reason for it."""
    return [
        row.model_copy(update={"numbers": {}, "unscored": f"{NOT_VERIFIED}: {row.proof}"})
        if row.is_doubtful
        else row
        for row in rows
    ]


def count_doubtful(rows: Iterable[Row]) -> dict[str, int]:
    """Count the doubtful rows, by reason."""
    return dict(Counter(row.proof for row in rows if row.is_doubtful))

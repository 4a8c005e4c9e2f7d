"""How an episode ended, in one of five ways that are the same for every family."""

import math
from typing import Literal, get_args

from causarium.contract.frozen import Frozen
from causarium.contract.row import ILLEGAL, Row

Ending = Literal["right", "wrong", "ran out of budget", "unreadable", "unscored"]
ENDINGS: tuple[Ending, ...] = get_args(Ending)
HALF = 0.5
"""A graded answer counts as right from here on."""


class Outcome(Frozen):
    """How one episode ended."""

    ending: Ending
    words: str
    """The family's own words for it, the same for all episodes that ended so."""


class Piece(Frozen):
    """What became of one piece of an answer, such as an arrow."""

    shade: Literal["good", "half", "bad", "none"]
    """Right, nearly, wrong, missing."""
    words: str


def tell_outcome(row: Row, headline: str, *, share: bool) -> Outcome:
    """Return how an episode ended, from its row alone.

    An answer that earns full marks is right; where marks are graded, one that earns half of them.
    Without an answer, an episode in which nothing could be read is unreadable, one in which the
    agent acted until the end ran out of budget, and one in which it stopped by itself is wrong.
    """
    if row.unscored is not None:
        return Outcome(ending="unscored", words="unscored")
    earned = row.numbers.get(headline, math.nan)
    if earned >= (1.0 if share else HALF):
        return Outcome(ending="right", words="right" if share else "right: half or more")
    # A family may call its headline so; then the number says how much was right.
    says_it = row.answered is not None or headline == "answered"
    if (row.answered if says_it else row.numbers.get("answered")) in {1, None}:
        return Outcome(ending="wrong", words="wrong" if share else "wrong: below half")
    unread = sum(count for kind, count in row.faults.items() if kind != ILLEGAL)
    # Where nothing was handed in, `cut_off` is not a number.
    ran_out = any(row.numbers.get(name, 0.0) > 0 for name in ("asked", "cut_off"))
    if row.turns and unread >= row.turns and not ran_out:
        return Outcome(ending="unreadable", words="no reply could be read")
    if row.turns or ran_out:
        return Outcome(ending="ran out of budget", words="ran out of budget")
    return Outcome(ending="wrong", words="gave no answer")

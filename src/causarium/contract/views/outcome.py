"""How an episode ended: five outcomes, decided here for every family and from the row alone.

Form comes before skill: where most replies could not be used, nothing is said of the answer, and
where an answer counts, it counts however many replies were refused before it.
"""

import math
from typing import Literal, get_args

from causarium.contract.frozen import Frozen
from causarium.contract.row import CUT, EXCEEDED, ILLEGAL, Row

OutcomeKind = Literal["correct", "incorrect", "malformed", "limit", "error"]
ENDINGS: tuple[OutcomeKind, ...] = get_args(OutcomeKind)
HALF = 0.5
"""A graded answer counts as correct from here on."""
REPLIES_CUT = "replies cut at the token limit"
_LIMITS = {"token": "tokens", "working": "time", "message": "turns", "turn": "turns"}


class Outcome(Frozen):
    """How one episode ended."""

    ending: OutcomeKind
    words: str
    """Why, in a few words that are the same for all episodes that ended so for the same reason."""


class Piece(Frozen):
    """What became of one piece of an answer, such as an arrow."""

    shade: Literal["good", "half", "bad", "none"]
    """Right, nearly, wrong, missing."""
    words: str


def tell_outcome(row: Row, headline: str, *, share: bool) -> Outcome:
    """Return the outcome of an episode, by the first of these that holds; see the module."""
    if row.unscored is not None:
        return Outcome(ending="error", words=row.unscored.partition("\n")[0][:_MOST_WORDS])
    if row.numbers.get(headline, math.nan) >= (1.0 if share else HALF):
        return Outcome(ending="correct", words="correct" if share else "correct: half or more")
    is_answered, refused = _is_answered(row, headline), sum(row.faults.values())
    unparsed = refused - row.faults.get(ILLEGAL, 0)
    if (unparsed and 2 * unparsed >= row.turns) or (
        not is_answered and refused and 2 * refused >= row.turns
    ):
        return _tell_form(row, refused)
    if not is_answered and (stop := _find_limit(row)):
        return Outcome(ending="limit", words=stop)
    if not is_answered:
        return Outcome(ending="incorrect", words="gave no answer")
    return Outcome(ending="incorrect", words="incorrect" if share else "incorrect: below half")


def _is_answered(row: Row, headline: str) -> bool:
    """Whether an answer was taken; logs of old say so by a number, unless that is the headline."""
    if row.answered is not None or headline == "answered":
        return row.answered is not False
    return row.numbers.get("answered") in {1, None}


def _tell_form(row: Row, refused: int) -> Outcome:
    """Return the outcome of an episode in which too few replies could be used."""
    cut, exceeded = row.faults.get(CUT, 0), row.faults.get(EXCEEDED, 0)
    if 2 * (cut + exceeded) >= refused:
        words = REPLIES_CUT if cut >= exceeded else "the conversation does not fit the model"
        return Outcome(ending="limit", words=words)
    why = row.refusals or row.faults
    return Outcome(ending="malformed", words=max(why, key=lambda kind: why[kind]))


def _find_limit(row: Row) -> str:
    """Return which limit ended an episode without an answer; nothing if none did."""
    if row.limit:
        return f"out of {_LIMITS.get(row.limit, row.limit)}"
    if row.numbers.get("cut_off", 0.0) > 0:
        return REPLIES_CUT
    return "out of turns" if row.turns > 1 or row.numbers.get("asked", 0.0) > 0 else ""


_MOST_WORDS = 80

"""What the end of a game says to a person."""

from math import nan

import pytest

from causarium.contract.verdict import Verdict
from causarium.families.replayscm.views.play_page import tell_ending

ROW, MODEL = {"cells_right": 0.5}, {"mechanisms_right": 0.5}


@pytest.mark.parametrize(
    ("numbers", "outcome", "sentence"),
    [
        (ROW, "right", "Right: the row leaves no other answer."),
        (ROW, "wrong", "Not every value is right: the row leaves one answer."),
        (MODEL, "right", "Right: this is the one model that fits."),
        (MODEL, "wrong", "Not the true model: the tables leave one, and it is another."),
        (MODEL | {"settled": 0.0}, "wrong", "The worlds you asked for leave more than one model."),
    ],
)
def test_the_end_says_what_the_evidence_allowed(
    numbers: dict[str, float], outcome: str, sentence: str
) -> None:
    known = {"settled": nan, "exact": float(outcome == "right")} | numbers
    assert tell_ending(Verdict(numbers=known, labels={"outcome": outcome}), ()).sentence == sentence

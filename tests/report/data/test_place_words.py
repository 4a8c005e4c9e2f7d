"""Where an agent stands in words: a table of intervals, and how short the words are."""

import pytest

from causarium.report.data.causal_profile import Mark, Scale
from causarium.report.data.place_words import MOST_LETTERS, name_place
from causarium.scoring.intervals import Interval

BOTH = Scale(
    metric="accuracy",
    blind="silent",
    zero=0.0,
    one=1.0,
    played=True,
    shortcut=Mark(player="search", value=0.4, place=0.4),
    causal=Mark(player="infers", value=0.9, place=0.9),
)
NO_SHORTCUT = BOTH.model_copy(update={"shortcut": None})
NO_CAUSAL = BOTH.model_copy(update={"causal": None})


@pytest.mark.parametrize(
    ("low", "high", "n", "scale", "words"),
    [
        (0.0, 0.1, 3, BOTH, "too few: 3 of 120"),
        (0.1, 0.7, 50, BOTH, "too few: 50 of 120"),
        (-0.4, -0.1, 50, BOTH, "below guessing"),
        (-0.1, 0.1, 50, BOTH, "like guessing"),
        (0.0, 0.04, 100, BOTH, "like guessing"),
        (0.1, 0.3, 50, BOTH, "below the shortcut"),
        (0.3, 0.5, 50, BOTH, "at the shortcut"),
        (0.5, 0.7, 50, BOTH, "beyond the shortcut"),
        (0.8, 1.0, 50, BOTH, "at the causal mark"),
        (0.1, 0.3, 50, NO_SHORTCUT, "below causal mark"),
        (0.8, 0.95, 50, NO_SHORTCUT, "at the causal mark"),
        (0.8, 1.0, 50, NO_CAUSAL, "beyond the shortcut"),
    ],
)
def test_the_first_sentence_that_holds(low, high, n, scale, words):
    said = name_place(Interval((low + high) / 2, low, high, n), scale, 120)
    assert said == words
    assert len(said) <= MOST_LETTERS


def test_one_instance_has_no_interval_and_is_too_few():
    nan = float("nan")
    assert name_place(Interval(1.0, nan, nan, 1), BOTH, 4) == "too few: 1 of 4"

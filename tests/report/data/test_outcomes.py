"""How episodes ended: the same five ways in every family, from the row alone."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.views.outcome import ENDINGS
from causarium.report.data.outcomes import (
    choose_rows,
    count_outcomes,
    count_pieces,
    find_outcome,
)
from tests.report.rows import row

CASES = [
    ("causallink", {"accuracy": 1.0}, {"evidence": "determined"}, {}, "right"),
    ("causallink", {"accuracy": 1.0}, {"evidence": "open"}, {}, "right"),
    ("causallink", {"accuracy": 0.0}, {}, {}, "wrong"),
    ("causallink", {"accuracy": 0.0}, {}, {"answered": False}, "ran out of budget"),
    ("causallink", {"accuracy": 0.0}, {}, {"answered": False, "faults": {"x": 2}}, "unreadable"),
    ("causallink", {"accuracy": 1.0, "earned": 0.0}, {"evidence": "open"}, {}, "wrong"),
    ("causalab", {"prediction": 1.0}, {"graph": "exact"}, {}, "right"),
    ("causalab", {"prediction": 0.0}, {}, {"answered": True}, "wrong"),
    ("causalab", {"prediction": 0.0}, {}, {"answered": False}, "ran out of budget"),
    ("causalab", {"answered": 1.0}, {}, {"answered": True}, "right"),
    ("causalab", {"answered": 0.25}, {}, {"answered": True}, "wrong"),
    ("causalab", {"answered": 0.0}, {}, {"answered": True}, "wrong"),
    ("causalab", {"answered": 0.0}, {}, {"answered": False}, "ran out of budget"),
    ("causalgame", {}, {"outcome": "won"}, {}, "right"),
    ("causalgame", {}, {"outcome": "lost"}, {}, "wrong"),
    ("causalgame", {}, {"outcome": "nothing sent"}, {"answered": False}, "ran out of budget"),
    ("replayscm", {"heldout_exact": 1.0}, {"stage": "valid"}, {}, "right"),
    ("replayscm", {"train_exact": 1.0}, {"stage": "valid"}, {}, "wrong"),
    ("replayscm", {}, {"stage": "parse"}, {}, "unreadable"),
    ("replayscm", {}, {"stage": "none"}, {"answered": False, "turns": 0}, "wrong"),
    ("replayscm", {"exact": 1.0}, {"outcome": "right"}, {}, "right"),
    ("replayscm", {"exact": 0.0}, {"outcome": "ran out of budget"}, {}, "ran out of budget"),
    ("recite", {"reading": 0.6, "answered": 1.0}, {}, {}, "right"),
    ("recite", {"reading": -0.2, "f1": 0.6, "answered": 1.0}, {}, {}, "wrong"),
    ("recite", {"f1": 0.6, "answered": 1.0}, {}, {"edition": "paper"}, "right"),
    ("recite", {"f1": 0.4, "answered": 1.0}, {}, {"edition": "paper"}, "wrong"),
    ("recite", {"reading": 0.0, "answered": 0.0, "cut_off": 1.0}, {}, {}, "ran out of budget"),
    (
        *("recite", {"reading": 0.0, "answered": 0.0, "cut_off": math.nan}, {}),
        *({"faults": {"x": 2}}, "unreadable"),
    ),
]


def made(family, numbers, labels, changes=None, at=0):
    return row("m", at, 0.0, family=family, numbers=numbers, labels=labels, **(changes or {}))


@pytest.mark.parametrize(("family", "numbers", "labels", "changes", "ending"), CASES)
def test_an_ending_follows_from_the_row_alone(family, numbers, labels, changes, ending):
    outcome = find_outcome(made(family, numbers, labels, changes))
    assert outcome.ending == ending
    assert outcome.words
    unscored = made(family, numbers, labels, {**changes, "unscored": "no judge"})
    assert find_outcome(unscored).ending == "unscored"


@given(
    st.floats(0, 1) | st.just(math.nan),
    st.sampled_from([True, False, None]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from([0.0, 1.0]),
    st.sampled_from([None, "no judge"]),
)
def test_every_row_has_one_ending(earned, answered, turns, unread, asked, unscored):
    mine = row(
        "m",
        0,
        0.0,
        numbers={"accuracy": earned, "asked": asked},
        answered=answered,
        turns=turns,
        faults={"x": unread} if unread else {},
        unscored=unscored,
    )
    ending = find_outcome(mine, "accuracy").ending
    assert (ending == "unscored") == (unscored is not None)
    if unscored is None:
        assert (ending == "right") == (earned == 1)
    if ending in {"ran out of budget", "unreadable"}:
        assert answered is False


def test_endings_are_counted_in_order_and_add_up():
    rows = [made(*case[:4], at) for at, case in enumerate(CASES[:5])]
    rows.append(row("m", 9, 0.0, family="causallink", unscored="no judge"))
    counts = count_outcomes(rows)["m"]
    assert [count.ending for count in counts] == list(ENDINGS)
    assert sum(count.count for count in counts) == 6


def test_worst_is_of_the_commonest_failing_and_best_is_right():
    rows = [made(*case[:4], at) for at, case in enumerate(CASES[:5])]
    rows.append(made("causallink", {"accuracy": 0.0}, {}, {"answered": False}, 7))
    worst, best = choose_rows(rows, "accuracy")
    assert (worst.why, worst.row.id) == ("worst", "toy-toy-0003")
    assert (best.why, best.row.id) == ("best", "toy-toy-0000")


def test_arrows_of_an_answer_are_counted_beside_the_true_ones():
    whole = {"edges_proposed": 10.0, "edges_correct": 0.4, "edges_reversed": 0.2}
    # Two names of one thing: 12 arrows become 8, of which half are right.
    merged = {"edges_proposed": 12.0, "edges_correct": 0.5, "edges_matched": 0.5}
    merged |= {"unweighted_edge_recall": 0.4}
    nothing = {"edges_proposed": 0.0, "edges_correct": float("nan")}
    by = {"facets": {"n_edges": 10}, "family": "recite"}
    rows = [
        row("m", 0, 0.0, numbers=whole, labels={"judged": "by names"}, **by),
        row("m", 1, 0.0, numbers=merged, labels={"judged": "by rule"}, **by),
        row("m", 2, 0.0, numbers=nothing, labels={}, **by),
        row("m", 3, 0.0, unscored="no judge", **by),
    ]
    counts = {count.ending: count.count for count in count_pieces(rows)["m"]}
    right, turned, extra, missed = 4 + 4, 2, 4 + 4, 4 + 6 + 10
    assert list(counts.values()) == [right, turned, extra, missed]
    assert count_pieces([row("m", 0, 1.0)]) == {}

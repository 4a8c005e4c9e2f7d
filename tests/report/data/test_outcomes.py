"""How episodes ended: the same five outcomes in every family, from the row alone."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.row import CUT, EXCEEDED, ILLEGAL
from causarium.contract.views.outcome import ENDINGS
from causarium.report.data.outcomes import (
    choose_rows,
    count_outcomes,
    count_pieces,
    count_refusals,
    find_outcome,
)
from tests.report.rows import row

LINK, LAB, GAME, REPLAY, CITE = "causallink", "causalab", "causalgame", "replayscm", "recite"
HEADLINES = dict.fromkeys((LINK, LAB, GAME, REPLAY, CITE), "score")
SAID_NO = {"answered": False}
EXAMPLES = [  # rows of the demo and of servers that answer nonsense, and a few made by hand
    (
        "24 replies, 21 of several objects",
        GAME,
        24,
        SAID_NO,
        {"no action": 21, ILLEGAL: 3},
        "malformed",
    ),
    ("13 of 14 refused, forced answer", LAB, 14, {}, {"unreadable": 13}, "malformed"),
    ("1 of 3 refused, answered", LAB, 3, {}, {"unreadable": 1}, "incorrect"),
    ("a formula refused twice", REPLAY, 2, SAID_NO, {ILLEGAL: 2}, "malformed"),
    ("prose cut twice", REPLAY, 2, SAID_NO, {CUT: 2}, "limit"),
    ("cut, and whole edges scored", CITE, 1, {}, {}, "incorrect"),
    ("experiment illegal twice, then an answer", LINK, 3, {}, {ILLEGAL: 2}, "incorrect"),
    ("2 of 3 invalid, yes or no was read", LINK, 3, {}, {"invalid format": 2}, "malformed"),
    ("invalid twice, no answer", LINK, 3, SAID_NO, {"invalid format": 2}, "malformed"),
    (
        "one unreadable, one illegal of 3",
        LAB,
        3,
        SAID_NO,
        {ILLEGAL: 1, "unreadable": 1},
        "malformed",
    ),
    ("all 12 turns legal, no answer", LAB, 12, SAID_NO, {}, "limit"),
    ("3 of 12 refused, no answer", LAB, 12, SAID_NO, {"unreadable": 3}, "limit"),
    ("8 of 10 refused, then correct", LINK, 10, {"score": 1.0}, {"unreadable": 8}, "correct"),
    ("the provider failed", LINK, 2, {"unscored": "provider: 503", **SAID_NO}, {}, "error"),
    ("an empty last reply, no limit", CITE, 1, SAID_NO, {}, "incorrect"),
]


def played(family, turns=2, faults=None, score=0.0, at=0, **changes):
    numbers = {HEADLINES[family]: score}
    fields = {"family": family, "turns": turns, "faults": faults or {}, "numbers": numbers}
    return row("m", at, 0.0, **{"labels": {}, "answered": True, **fields, **changes})


@pytest.mark.parametrize(
    ("about", "family", "turns", "changes", "faults", "ending"),
    EXAMPLES,
    ids=str,
)
def test_an_outcome_follows_from_the_row_alone(about, family, turns, changes, faults, ending):
    outcome = find_outcome(played(family, turns, faults, **changes))
    assert outcome.ending == ending, about
    assert outcome.words


def test_half_of_the_marks_is_correct_where_marks_are_graded():
    assert find_outcome(played(CITE, score=0.5)).ending == "correct"
    assert find_outcome(played(CITE, score=0.49)).ending == "incorrect"
    assert find_outcome(played(GAME, score=0.5)).ending == "correct"


def test_a_family_gives_words_and_never_an_outcome():
    lucky = {"numbers": {"right": 1.0, "decisive": 0.0, "score": 0.0}}
    outcome = find_outcome(played(LINK, **lucky))
    assert outcome.ending == "incorrect"
    assert outcome.words == "right, but no trial was decisive"
    assert find_outcome(played(GAME, labels={"outcome": "right"})).ending == "incorrect"
    assert find_outcome(played(REPLAY, labels={"outcome": "right"})).ending == "incorrect"


def test_the_words_say_what_was_refused_most_and_which_limit_it_was():
    refused = played(LAB, 4, {"unreadable": 4}, refusals={"no JSON": 3, "several JSON objects": 1})
    assert find_outcome(refused).words == "no JSON"
    assert find_outcome(played(LAB, 2, {CUT: 2})).words == "replies cut at the token limit"
    assert find_outcome(played(LAB, **SAID_NO, limit="token")).words == "out of tokens"
    exceeded = find_outcome(played(CITE, 2, {EXCEEDED: 2}, **SAID_NO))
    assert exceeded.ending == "limit"
    assert "does not fit" in exceeded.words


@given(
    st.floats(0, 1) | st.just(math.nan),
    st.sampled_from([True, False, None]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from([None, "no judge"]),
)
def test_every_row_has_one_outcome(score, answered, turns, unread, illegal, unscored):
    faults = {kind: count for kind, count in (("x", unread), (ILLEGAL, illegal)) if count}
    changes = {"answered": answered, "unscored": unscored}
    ending = find_outcome(played(LINK, turns, faults, score, **changes)).ending
    assert (ending == "error") == (unscored is not None)
    if unscored is None:
        assert (ending == "correct") == (score >= 0.5)
    if ending == "malformed":
        assert unread or answered is not True
    if ending == "limit":
        assert answered is False


ENDED = [
    played(LINK, score=1.0),
    played(LINK, at=1),
    played(LINK, at=2),
    played(LINK, 2, {"x": 2}, at=3),
    played(LINK, at=4, **SAID_NO),
    played(LINK, at=5, unscored="no judge"),
]


def test_outcomes_are_counted_in_order_and_add_up():
    counts = count_outcomes(ENDED)["m"]
    assert [count.ending for count in counts] == list(ENDINGS)
    assert sum(count.count for count in counts) == len(ENDED)


def test_worst_is_of_the_commonest_failing_and_best_is_correct():
    worst, best = choose_rows(ENDED, "score")
    assert (worst.why, worst.row.id) == ("worst", "toy-toy-0001")
    assert (best.why, best.row.id) == ("best", "toy-toy-0000")


def test_refusals_are_named_alike_and_counted():
    rows = [
        played(LINK, 3, {"x": 2}, refusals={"no JSON": 2}),
        played(LINK, 3, {"x": 2}, at=1, refusals={"no JSON": 1, "two answers": 1}),
    ]
    found = count_refusals(rows)["m"]
    assert str(found) == "no JSON (3 of 6 replies)"
    assert count_refusals([played(LINK)]) == {}


def test_arrows_of_an_answer_are_counted_beside_the_true_ones():
    whole = {"edges_proposed": 10.0, "edges_correct": 0.4, "edges_reversed": 0.2}
    # Two names of one thing: 12 arrows become 8, of which half are right.
    merged = {"edges_proposed": 12.0, "edges_correct": 0.5, "edges_matched": 0.5}
    merged |= {"unweighted_edge_recall": 0.4}
    nothing = {"edges_proposed": 0.0, "edges_correct": float("nan")}
    by = {"facets": {"n_edges": 10}, "family": "recite", "edition": "paper"}
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

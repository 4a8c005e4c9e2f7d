"""How episodes ended: each family's five ways, from the labels and numbers that rows have."""

import pytest

from causarium import families
from causarium.report.data.outcomes import (
    ENDINGS,
    choose_rows,
    count_outcomes,
    count_pieces,
    find_outcome,
)
from tests.report.rows import row

CASES = [
    ("causallink", {"accuracy": 1.0}, {"error": "none", "evidence": "determined"}, "proved"),
    ("causallink", {"accuracy": 1.0}, {"error": "none", "evidence": "open"}, "lucky"),
    ("causallink", {"accuracy": 0.0}, {"error": "none", "evidence": "open"}, "wrong"),
    ("causallink", {"accuracy": 0.0}, {"error": "invalid format"}, "unreadable"),
    ("causalab", {"prediction": 1.0}, {"graph": "exact"}, "proved"),
    ("causalab", {"prediction": 1.0}, {"graph": "wrong"}, "lucky"),
    ("causalab", {"prediction": 0.0, "interventions": 2.0}, {}, "wrong"),
    ("causalab", {"prediction": 0.0, "interventions": 0.0, "unread": 1.0}, {}, "unreadable"),
    ("causalab", {"prediction": 0.0, "interventions": 0.0}, {}, "silent"),
    ("causalgame", {}, {"outcome": "won"}, "proved"),
    ("causalgame", {}, {"outcome": "lost"}, "wrong"),
    ("causalgame", {}, {"outcome": "nothing sent"}, "silent"),
    ("replayscm", {"heldout_exact": 1.0}, {"stage": "valid"}, "proved"),
    ("replayscm", {"train_exact": 1.0}, {"stage": "valid"}, "lucky"),
    ("replayscm", {"train_exact": 0.0}, {"stage": "valid"}, "wrong"),
    ("replayscm", {}, {"stage": "parse"}, "unreadable"),
    ("replayscm", {}, {"stage": "none"}, "silent"),
    ("recite", {"answered": 1.0}, {"reading": "as asked"}, "proved"),
    ("recite", {"answered": 1.0}, {"reading": "duplicates"}, "lucky"),
    ("recite", {"answered": 1.0, "mended": 1.0}, {"reading": "cut"}, "wrong"),
    ("recite", {"answered": 0.0}, {"reading": "invalid format"}, "unreadable"),
    ("recite", {"answered": 0.0}, {"reading": "no reply"}, "silent"),
]


def made(family, numbers, labels, at=0):
    return row("m", at, 0.0, family=family, numbers=numbers, labels=labels)


@pytest.mark.parametrize(("family", "numbers", "labels", "ending"), CASES)
def test_an_ending_follows_from_labels_and_numbers(family, numbers, labels, ending):
    outcome = find_outcome(made(family, numbers, labels))
    assert outcome is not None
    assert outcome.ending == ending
    assert outcome.words


def test_every_family_of_ours_says_how_episodes_end():
    assert all(families.get(name).views.find_outcome for name in families.names())


def test_endings_are_counted_in_order_and_unscored_rows_left_out():
    rows = [
        made(family, numbers, labels, at)
        for at, (family, numbers, labels, _) in enumerate(CASES[:4])
    ]
    rows.append(row("m", 9, 0.0, family="causallink", unscored="no judge"))
    counts = count_outcomes(rows)["m"]
    assert [count.ending for count in counts] == list(ENDINGS[:4])
    assert sum(count.count for count in counts) == 4


def test_a_family_that_does_not_say_has_no_outcome():
    assert find_outcome(row("m", 0, 1.0)) is None


def test_worst_is_of_the_commonest_failing_and_best_is_proved():
    rows = [
        made(family, numbers, labels, at)
        for at, (family, numbers, labels, _) in enumerate(CASES[:4])
    ]
    rows.append(made("causallink", {"accuracy": 0.0}, {"error": "invalid format"}, 7))
    worst, best = choose_rows(rows, "accuracy")
    assert (worst.why, worst.row.id) == ("worst", "toy-0003")
    assert (best.why, best.row.id) == ("best", "toy-0000")


def test_arrows_of_an_answer_are_counted_beside_the_true_ones():
    whole = {"edges_proposed": 10.0, "edges_correct": 0.4, "edges_reversed": 0.2}
    # Two names of one thing: 12 arrows become 8, of which half are right.
    merged = {"edges_proposed": 12.0, "edges_correct": 0.5, "edge_recall": 0.4}
    nothing = {"edges_proposed": 0.0, "edges_correct": float("nan")}
    by = {"facets": {"n_edges": 10}, "family": "recite"}
    rows = [
        row("m", 0, 0.0, numbers=whole, labels={"judged": "by names"}, **by),
        row("m", 1, 0.0, numbers=merged, labels={"judged": "by rule"}, **by),
        row("m", 2, 0.0, numbers=nothing, labels={}, **by),
        row("m", 3, 0.0, unscored="no judge", **by),
    ]
    counts = {count.words: count.count for count in count_pieces(rows)["m"]}
    right, turned, extra, missed = 4 + 4, 2, 4 + 4, 4 + 6 + 10
    assert list(counts.values()) == [right, turned, extra, missed]
    assert count_pieces([row("m", 0, 1.0)]) == {}

"""The bench's certificate and its second path, part by part and by hand."""

from fractions import Fraction
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from causarium.families.causalab.model.bench import Question, WholeEdge
from causarium.families.causalab.proofs import bench_certificate as proofs
from tests.families.causalab.bench.made_bench import draw

NAMES = {claim: name for name, (claim, _) in proofs.CLAIMS.items()}
BROKEN = {
    "answer off by one": {"answers"},
    "plan without experiments": {"settled"},
    "weight with the other sign": {"answers"},
    "question with one hold": {"past", "shortcuts", "signs"},
    "plan with what cannot be held": {"plan"},
    "weight too large": {"form"},
    "third cause": {"form"},
}


@pytest.mark.parametrize("level", ["bench-4", "bench-6"])
@pytest.mark.parametrize("fault", BROKEN)
def test_a_fault_breaks_what_it_is_meant_to(level, fault):
    for index in (0, 1):
        spoilt = proofs.BENCH_FAULTS[fault](draw(level, index))
        for check in (proofs.certify_bench, proofs.recheck_bench):
            found = {NAMES[one.claim] for one in check(spoilt).proofs if not one.holds}
            others = {"settled", "shortcuts"} if "answers" in BROKEN[fault] else set()
            # The answers of another mechanism follow from it, and other claims may break with it.
            others = (
                set(NAMES.values()) - {"answers", "plan"} if "form" in BROKEN[fault] else others
            )
            assert BROKEN[fault] <= found <= BROKEN[fault] | others


def test_faults_change_one_thing():
    good = draw("bench-6")
    plant = proofs.BENCH_FAULTS
    answers = plant["answer off by one"](good).secret.answers
    assert answers == (good.secret.answers[0] + 1, *good.secret.answers[1:])
    edges = plant["weight with the other sign"](good).secret.edges
    pairs = list(zip(good.secret.edges, edges, strict=True))
    assert sum(one.weight == -other.weight for one, other in pairs) == 1
    assert sum(one == other for one, other in pairs) == len(edges) - 1
    alone = plant["question with one hold"](good).secret.questions
    counted = [
        (a, b) for a, b in zip(good.secret.questions, alone, strict=True) if a.kind == "held"
    ]
    assert len(counted[0][1].holds) == 1
    assert counted[0][1].holds.items() <= counted[0][0].holds.items()
    kept = plant["plan with what cannot be held"](good).public.holdable
    assert set(good.public.holdable) - set(kept) == {good.secret.plan[0]}


def test_the_frequency_may_cause_nothing():
    good = draw("bench-6")
    back = WholeEdge(cause="resonanceFreq", effect=good.public.names[0], weight=1)
    spoilt = proofs._with_secret(good, edges=(back,))
    for check in (proofs.certify_bench, proofs.recheck_bench):
        assert "form" in {NAMES[one.claim] for one in check(spoilt).proofs if not one.holds}


EDGES = (
    WholeEdge(cause="a", effect="b", weight=2),
    WholeEdge(cause="b", effect="c", weight=-3),
    WholeEdge(cause="a", effect="c", weight=1),
)


@pytest.mark.parametrize(
    ("held", "values"),
    [
        ({}, (10, 20, 30)),
        ({"a": 11}, (11, 22, 25)),
        ({"b": 21}, (10, 21, 27)),
        ({"a": 12, "b": 20}, (12, 20, 32)),
        ({"c": 0}, (10, 20, 0)),
    ],
)
def test_a_crystal_follows_its_equations(held, values):
    for edges in (EDGES, EDGES[::-1]):
        assert tuple(proofs._run("abc", edges, (10, 20, 30), held).values()) == values


def fit(way, rows, wanted, largest=3):
    matrix = np.array(rows, float).reshape(len(wanted), -1)
    return [list(one) for one in way(matrix, np.array(wanted, float), largest)]


@pytest.mark.parametrize(
    ("rows", "wanted", "largest", "whole"),
    [
        ([[1], [2]], [3, 6], 3, [[3]]),
        ([[1], [2]], [3, 6], 2, []),
        ([[1], [2]], [-3, -6], 3, [[-3]]),
        ([[1], [2]], [0, 0], 3, []),
        ([[1], [2]], [1, 1], 3, []),
        ([[1, 1]], [3], 2, [[1, 2], [2, 1]]),
        ([[], []], [0, 0], 3, [[]]),
        ([[], []], [0, 1], 3, []),
    ],
)
def test_whole_weights_are_all_that_fit(rows, wanted, largest, whole):
    assert fit(proofs._fit_whole, rows, wanted, largest) == whole


@pytest.mark.parametrize(
    ("rows", "wanted", "any_weights"),
    [
        ([[1], [2]], [3, 6], [[3]]),
        ([[1], [2]], [0.5, 1], [[0.5]]),
        ([[1], [2]], [0, 0], []),
        ([[1], [2]], [1, 1], []),
        ([[1], [2]], [1, 2 + 1e-5], []),
        ([[0], [0]], [0, 0], [[None]]),
        ([[1, 1]], [2], [[None, None]]),
        ([[1, 0], [2, 0]], [2, 4], [[2, None]]),
        ([[1, 0], [0, 1]], [2, -1], [[2, -1]]),
        ([[1, 0], [0, 1]], [2, 0], []),
        ([[], []], [0, 0], [[]]),
        ([[], []], [0, 1], []),
    ],
)
def test_any_weights_are_known_or_unknown(rows, wanted, any_weights):
    assert fit(proofs._fit_any, rows, wanted) == any_weights


@pytest.mark.parametrize(
    ("equation", "total"),
    [
        ({}, 0),
        ({"a": 2.0, "b": -1.0}, 1),
        ({"a": 2.0, "zero": None}, 4),
        ({"a": None}, None),
        ({"unknown": 1.0}, None),
        ({"a": 1.00004}, 2.0001),
        ({"a": 1.00001}, 2),
    ],
)
def test_a_sum_is_unknown_where_a_part_is(equation, total):
    values = {"a": 2.0, "b": 3.0, "zero": 0.0, "unknown": None}
    assert proofs._sum_up(equation, values) == total


def test_values_are_followed_through_all_equations_left():
    left = {
        "a": [{}],
        "b": [{"a": 2.0}, {"a": 1.0, "c": -1.0}],
        "c": [{"a": -1.0}],
        "d": [{"b": 1.0}, {"c": 1.0}],
        "e": [{"d": 1.0}],
    }
    found = proofs._follow_values(left, {"a": 3}, "abcde")
    assert found == {"a": 3, "b": 6, "c": -3, "d": None, "e": None}
    held = proofs._follow_values(left, {"a": 3, "d": 5}, "abcde")
    assert (held["d"], held["e"]) == (5, 5)
    assert proofs._follow_values({"a": [{}], "b": []}, {"a": 1}, "ab")["b"] is None


def test_equations_have_two_causes_at_most_and_none_that_follows():
    public = SimpleNamespace(nodes=("a", "b", "c", "f"), names=("a", "b", "c"), largest=2)
    effect = {
        "a": {"a": 1, "b": 2, "c": 0, "f": 2},
        "b": {"a": 0, "b": 1, "c": 0, "f": 1},
        "c": {"a": 0, "b": 0, "c": 1, "f": -1},
    }
    left = proofs._try_equations(public, effect, ("a", "b", "c"), proofs._fit_whole)
    assert left["a"] == [{}]
    assert left["b"] == [{"a": 2}]
    assert left["c"] == [{}]
    assert left["f"] == [{"b": 1, "c": -1}]
    fewer = proofs._try_equations(public, effect, ("b", "c"), proofs._fit_whole)
    assert {"b": 1, "c": -1} in fewer["f"]
    # Nobody held a: what it does is open, and nothing says what acts on it.
    assert [one for one in fewer["b"] if set(one) == {"a"}] == [{"a": w} for w in (-2, -1, 1, 2)]


@pytest.mark.parametrize(
    ("terms", "turned", "share"),
    [
        ((1, 2), (0, 1), Fraction(1, 4)),
        ((1, 1), (0, 1), Fraction(1, 2)),
        ((1, 2, 3), (0, 1, 2), Fraction(1, 4)),
        ((1, 2), (1,), Fraction(1, 2)),
        ((1, 2), (), 1),
        ((0, 2), (0,), 1),
    ],
)
def test_the_likeliest_sum_when_signs_are_turned(terms, turned, share):
    assert proofs._likeliest(terms, turned) == share


def test_the_share_of_the_likeliest_value():
    assert proofs._share_of_likeliest([1, 2, 1]) == Fraction(2, 3)
    assert proofs._share_of_likeliest([4]) == 1


def test_signs_of_held_properties_are_turned_all_ways():
    holds = {"a": 11, "b": 21}
    turns = proofs._turn_signs(EDGES, holds)
    found = {one: proofs._run("abc", edges, (10, 20, 30), holds)["c"] for one, edges in turns}
    assert found == {
        frozenset(): 28,
        frozenset("a"): 26,
        frozenset("b"): 34,
        frozenset("ab"): 32,
    }


def make_public(holdable="ab", names="ab", budget=2):
    return SimpleNamespace(
        holdable=tuple(holdable),
        names=tuple(names),
        properties=tuple(names),
        nodes=(*names, "c"),
        budget=budget,
    )


@pytest.mark.parametrize(
    ("plan", "is_plan"), [("ab", True), ("", True), ("aa", False), ("ac", False), ("abd", False)]
)
def test_a_plan_fits_the_budget_and_holds_what_can_be_held(plan, is_plan):
    assert proofs._is_plan(make_public(), plan) == is_plan
    assert not proofs._is_plan(make_public(budget=1), "ab")


@pytest.mark.parametrize(
    ("passive", "own", "holdable", "signs"),
    [
        (Fraction(1, 4), Fraction(1, 2), "a", True),
        (Fraction(26, 100), Fraction(1, 2), "a", False),
        (Fraction(1, 4), Fraction(51, 100), "a", False),
        (Fraction(1, 4), Fraction(1), "ab", True),
    ],
)
def test_bounds_say_who_cannot_know(passive, own, holdable, signs):
    holds = dict.fromkeys(proofs.CLAIMS, True)
    odds = ([Fraction(0), Fraction(1)], [passive], [own])
    found = proofs._make_findings(holds, make_public(holdable), "a", odds)
    held = {NAMES[one.claim]: one.holds for one in found.proofs}
    assert held == {**holds, "signs": signs}
    assert found.bounds == {
        "shortcuts": 0.5,
        "passive": pytest.approx(float(passive)),
        "fixed_unread": float(own),
    }
    assert found.reachable == (1 if holdable == "a" else None)
    assert found.optimum == 1


def test_without_questions_that_count_nothing_is_bounded():
    holds = dict.fromkeys(proofs.CLAIMS, True)
    found = proofs._make_findings(holds, make_public(), "ab", ([], [], []))
    assert set(found.bounds.values()) == {1}


@pytest.mark.parametrize(
    ("holds", "holdable", "past"),
    [
        ({"a": 11, "b": 21}, "ab", True),
        ({"a": 11, "b": 21}, "a", True),
        ({"a": 11}, "ab", False),
        ({"a": 11}, "a", False),
    ],
)
def test_holds_act_through_another_and_past_it(holds, holdable, past):
    def run(held):
        return proofs._run("abc", EDGES, (10, 20, 30), held)

    rest = {"a": 10, "b": 20, "c": 30}
    question = Question(holds=holds, asked="c", kind="held")
    assert proofs._acts_past(run, rest, question, make_public(holdable)) == past


def test_what_does_not_act_or_does_not_join_is_not_past():
    question = Question(holds={"a": 11, "b": 21}, asked="c", kind="held")
    rest = {"a": 10, "b": 20, "c": 30}

    def tell(edges, names="ab"):
        def run(held):
            return proofs._run("abc", edges, (10, 20, 30), held)

        return proofs._acts_past(run, rest, question, make_public(names=names))

    assert not tell(EDGES[:2])
    assert not tell(EDGES[1:])
    assert tell(EDGES)
    # Where some cannot be held, one of those has to be.
    assert not tell(EDGES, names="abd")


def test_wrong_ways_to_count_are_these():
    public = SimpleNamespace(names=("a", "b"), holdable=("a", "b"), nodes=("a", "b", "c"))
    effect = {"a": {"a": 1, "b": 2, "c": -5}, "b": {"a": 0, "b": 1, "c": -3}}
    guesses = list(proofs._list_wrong_answers(public, EDGES, effect, {"a": 1, "b": 1}, "c"))
    # Sums of effects; all that moved drawn as arrows; only what is needed; the frequency's own
    # equation on these. The same of what can be held, and at last the frequency's weights alone.
    assert guesses == [-8, -8, -3, -2, -8, -8, -3, -2, -2]
    half = SimpleNamespace(names=("a", "b"), holdable=("a",), nodes=("a", "b", "c"))
    guesses = list(proofs._list_wrong_answers(half, EDGES, effect, {"a": 1, "b": 1}, "c"))
    # What nobody measured moves nothing: the table then has a push of -1 at b.
    assert guesses == [-8, -8, -3, -2, -5, -5, -5, -5, -2]
    crossed = {"a": {"a": 1, "b": 2, "c": -5}, "b": {"a": 0, "b": 1, "c": 7}}
    *_, table, _ = proofs._list_wrong_answers(half, EDGES, crossed, {"a": 2, "b": 1}, "c")
    assert table == -10


@pytest.mark.parametrize("level", ["bench-4", "part-8"])
def test_both_ways_find_the_same_shortcuts(level):
    """Of questions drawn at random, many are answered by a shortcut under some turn of signs."""
    rng, found = Random(1), set()
    for index in range(4):
        good = draw(level, index)
        public, secret = good.public, good.secret
        at = [one.kind for one in secret.questions].index("held")
        for _ in range(12):
            first, second, asked = rng.sample(public.nodes, 3)
            if "resonanceFreq" in (first, second):
                continue
            rest = dict(zip(public.nodes, secret.reactor, strict=True))
            holds = {one: rest[one] + rng.choice((-3, -2, 2, 3)) for one in (first, second)}
            question = Question(holds=holds, asked=asked, kind="held")
            questions = (*secret.questions[:at], question, *secret.questions[at + 1 :])
            asks = proofs._with_secret(good, questions=questions)
            told = [
                {NAMES[one.claim]: one.holds for one in check(asks).proofs}["shortcuts"]
                for check in (proofs.certify_bench, proofs.recheck_bench)
            ]
            assert told[0] == told[1]
            found.add(told[0])
    assert found == {True, False}


def test_what_is_settled_is_the_stored_answer():
    good = draw("bench-6")
    wrong = proofs.BENCH_FAULTS["answer off by one"](good)
    for check in (proofs.certify_bench, proofs.recheck_bench):
        found = {NAMES[one.claim] for one in check(wrong).proofs if not one.holds}
        assert found >= {"answers", "settled"}

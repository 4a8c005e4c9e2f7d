"""Mechanisms, the equations that experiments leave, and what these settle."""

from itertools import combinations, product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalab.evidence.shortcuts import list_shortcuts
from causarium.families.causalab.evidence.version_space import (
    list_real_equations,
    list_whole_equations,
)
from causarium.families.causalab.model.bench import Experiment, WholeMechanism
from causarium.families.causalab.players.bench import draw_mechanisms
from causarium.scm.dag import mask_of
from tests.families.causalab.bench.made_bench import EXAMPLE, mechanisms


def _push(mechanism: WholeMechanism, *nodes: int, offset: int = 1) -> list[Experiment]:
    return [Experiment(n, offset, mechanism.changes({n: offset})) for n in nodes]


def test_what_did_not_move_may_still_be_caused() -> None:
    assert EXAMPLE.changes({2: 1}) == (0, 0, 1, 2, -2)


def test_two_holds_by_hand_and_what_each_shortcut_says() -> None:
    assert EXAMPLE.changes({2: -2, 3: 3})[4] == 11
    said = {
        name: sum(s * o for s, o in zip(share((2, 3), 4), (-2, 3), strict=True))
        for name, share in list_shortcuts(EXAMPLE).items()
    }
    assert said == {
        "superposition": 7,
        "last_hold": 3,
        "whatever_moved": 13,
        "fewest_arrows": 6,
        "static": -3,
        "fewest_arrows_known_frequency": 3,
    }


@given(mechanisms(), st.integers(-5, 5), st.integers(-5, 5))
def test_holding_is_linear_in_the_offsets(mechanism: WholeMechanism, a: int, b: int) -> None:
    held = (0, 1)
    for node in range(len(mechanism.terms)):
        shares = mechanism.share_by_hold(held, node)
        assert mechanism.changes({0: a, 1: b})[node] == shares[0] * a + shares[1] * b


@given(mechanisms())
def test_effects_are_the_changes_of_single_holds(mechanism: WholeMechanism) -> None:
    for node, row in enumerate(mechanism.effects):
        assert row == mechanism.changes({node: 1})


@given(mechanisms(4), st.integers(0, 4))
def test_whole_equations_are_all_that_fit(mechanism: WholeMechanism, count: int) -> None:
    size, largest = len(mechanism.terms), 3
    rows = _push(mechanism, *range(size - 1))[:count]
    space = list_whole_equations(rows, size, largest)
    weights = [w for w in range(-largest, largest + 1) if w]
    for node in range(size):
        causes = [n for n in range(size - 1) if n != node]
        tried = {
            tuple(zip(some, sizes, strict=True))
            for k in range(3)
            for some in combinations(causes, k)
            for sizes in product(weights, repeat=k)
        }
        kept = {
            one
            for one in tried
            if all(
                not any(row.changes[c] for c, _ in one)
                if row.held == node
                else sum(w * row.changes[c] for c, w in one) == row.changes[node]
                for row in rows
            )
        }
        assert set(space.equations[node]) == kept
        assert len(space.equations[node]) == len(kept)


@given(mechanisms(), st.randoms(use_true_random=False))
def test_the_truth_stays_and_experiments_only_rule_out(
    mechanism: WholeMechanism, rng: Random
) -> None:
    size = len(mechanism.terms)
    pushed = rng.sample(range(size - 1), rng.randint(1, size - 1))
    fewer = list_whole_equations(_push(mechanism, *pushed[:-1]), size, 3)
    more = list_whole_equations(_push(mechanism, *pushed), size, 3)
    for node, terms in enumerate(mechanism.terms):
        assert terms in more.equations[node]
        assert set(more.equations[node]) <= set(fewer.equations[node])


@given(mechanisms(), st.integers(-4, 4).filter(bool))
def test_a_second_push_of_a_property_says_nothing_new(
    mechanism: WholeMechanism, offset: int
) -> None:
    size = len(mechanism.terms)
    once = _push(mechanism, 0, 1)
    again = [*once, *_push(mechanism, 1, offset=offset)]
    assert list_whole_equations(once, size, 3) == list_whole_equations(again, size, 3)
    assert list_real_equations(once, size) == list_real_equations(again, size)


@settings(max_examples=25)
@given(mechanisms(), st.randoms(use_true_random=False))
def test_what_is_settled_has_one_answer_in_every_mechanism_left(
    mechanism: WholeMechanism, rng: Random
) -> None:
    size = len(mechanism.terms)
    rows = _push(mechanism, *rng.sample(range(size - 1), rng.randint(1, size - 1)))
    space = list_whole_equations(rows, size, 3)
    held = {node: rng.randint(1, 4) for node in rng.sample(range(size - 1), 2)}
    others = draw_mechanisms(space, rng, 10)
    settled = space.find_settled(mask_of(held))
    for node in range(size):
        answer = mechanism.changes(held)[node]
        assert space.predict(held, node) == (answer if settled >> node & 1 else None)
        if settled >> node & 1:
            assert {other.changes(held)[node] for other in others} <= {answer}


@given(mechanisms(), st.randoms(use_true_random=False))
def test_whole_weights_settle_whatever_any_weights_settle(
    mechanism: WholeMechanism, rng: Random
) -> None:
    size = len(mechanism.terms)
    rows = _push(mechanism, *rng.sample(range(size - 1), size - 2))
    whole, real = list_whole_equations(rows, size, 3), list_real_equations(rows, size)
    for held in combinations(range(size - 1), 2):
        by_any, by_whole = real.find_settled(mask_of(held)), whole.find_settled(mask_of(held))
        assert not by_any & ~by_whole


def test_proportional_columns_leave_the_cause_open_for_any_weights() -> None:
    # 1 moves twice as far as 0 in every row, so that either may be the cause of 2.
    mechanism = WholeMechanism(((), ((0, 2),), ((1, 3),), ((2, 1),)))
    rows = _push(mechanism, 0)
    assert not list_real_equations(rows, 4).settles(1 << 1, 2)

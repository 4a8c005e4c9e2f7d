"""What readings determine, on mechanisms where it can be seen by hand."""

from hypothesis import given
from hypothesis import strategies as st

from causarium.families.causalab.evidence.determination import (
    PRIME,
    ExactCrystal,
    frequency_freedom,
    property_freedoms,
    rank,
    residue,
)
from causarium.scm.mechanism import Mechanism, Specimen, Term
from tests.scm.test_mechanism import mechanisms, whole

TWO_CAUSES = Mechanism(((), (), (Term(0, 2.0), Term(1, 1.0))))
"""Two properties without an arrow between them; the last node is the frequency."""
CHAIN = Mechanism(((), (Term(0, 2.0),), (Term(1, 1.0),)))


def _after(mechanism, plan, semantics="set", bases=(3.0, 4.0, 5.0)):
    crystal = ExactCrystal(mechanism, bases, semantics)
    for node, value in plan:
        crystal.put(node, value)
    return crystal.states


@given(mechanisms(), st.data(), st.sampled_from(["set", "shift", "do"]))
def test_exact_crystals_agree_with_rounded_ones_on_whole_numbers(mechanism, data, semantics):
    size = len(mechanism.terms)
    bases = data.draw(st.lists(whole, min_size=size, max_size=size))
    plan = data.draw(st.lists(st.tuples(st.integers(0, size - 1), whole), max_size=4))
    exact, plain = ExactCrystal(mechanism, bases, semantics), Specimen(mechanism, bases, semantics)
    for node, value in plan:
        exact.put(node, value)
        plain.put(node, value)
    assert exact.states[-1].values == tuple(residue(v) for v in plain.values)


def test_each_property_must_be_moved_when_neither_acts_on_the_other():
    assert property_freedoms(_after(TWO_CAUSES, [(0, 9.0)]), squares=False) == [1, 0]
    assert property_freedoms(_after(TWO_CAUSES, [(0, 9.0), (1, 7.0)]), squares=False) == [0, 0]


def test_the_last_of_a_chain_need_not_be_moved_since_all_others_were_seen_to_move_it():
    assert property_freedoms(_after(CHAIN, [(0, 9.0)]), squares=False) == [0, 0]


def test_putting_a_property_to_where_it_is_says_nothing():
    assert property_freedoms(_after(TWO_CAUSES, [(0, 3.0), (1, 4.0)]), squares=False) == [1, 1]


def test_a_known_base_is_worth_a_condition():
    plan = [(1, 9.0)]
    assert property_freedoms(_after(TWO_CAUSES, plan, "set"), squares=False)[1] == 1
    assert property_freedoms(_after(TWO_CAUSES, plan, "shift"), squares=False)[1] == 0


def test_a_root_needs_three_values_before_a_parabola_is_settled():
    once = _after(TWO_CAUSES, [(0, 9.0), (1, 7.0)])
    twice = _after(TWO_CAUSES, [(0, 9.0), (1, 7.0), (0, 20.0), (1, 30.0)])
    assert property_freedoms(once, squares=True) == [1, 1]
    assert property_freedoms(twice, squares=True) == [0, 0]


def test_the_frequency_needs_a_reading_for_each_unknown_and_no_two_alike():
    assert frequency_freedom([[1, 2], [3, 4]], squares=False) == 1
    assert frequency_freedom([[1, 2], [3, 4], [5, 9]], squares=False) == 0
    assert frequency_freedom([[1, 2], [3, 4], [5, 6]], squares=False) == 1


@given(st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), max_size=5), st.data())
def test_a_sum_of_rows_never_raises_the_rank(rows, data):
    found = rank(rows)
    assert found <= min(len(rows), 3)
    if rows:
        factors = data.draw(st.lists(st.integers(-3, 3), min_size=len(rows), max_size=len(rows)))
        mixed = [sum(f * r[i] for f, r in zip(factors, rows, strict=True)) for i in range(3)]
        assert rank([*rows, mixed]) == found


def test_decimals_are_taken_as_written():
    assert residue(0.1) * 10 % PRIME == 1
    assert residue(-2.0) == PRIME - 2

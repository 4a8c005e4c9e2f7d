"""Mechanisms and the three meanings of an intervention, on numbers small enough for paper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import GraphError
from causarium.scm.mechanism import Mechanism, Specimen, Term

PAIR = Mechanism(((), (Term(0, 3.0),)))
"""Node 1 is its base plus three times node 0."""


def test_values_follow_from_bases_and_parents():
    assert PAIR.evaluate([28.0, 5.0]) == [28.0, 89.0]


def test_square_terms_are_added():
    parabola = Mechanism(((), (Term(0, -1.0, 0.5),)))
    assert parabola.evaluate([4.0, 1.0]) == [4.0, 5.0]


def test_a_rounded_value_is_what_children_see():
    tenths = Mechanism(((), (Term(0, 1.0),)), decimals=1)
    assert tenths.evaluate([0.26, 0.0]) == [0.3, 0.3]


def test_setting_shows_the_value_and_leaves_parents_active():
    crystal = Specimen(PAIR, [28.0, 0.0])
    assert crystal.put(1, 10.0) == [28.0, 10.0]
    assert crystal.put(0, 24.0) == [24.0, -2.0]


def test_a_base_is_rounded_as_values_are():
    slight = Mechanism(((), (Term(0, 0.337),)))
    crystal = Specimen(slight, [28.0, 0.0])
    assert crystal.put(1, 10.126) == [28.0, 10.13]
    # What is left of 10.126 without its cause, 9.44, is .686, and .69 is kept.
    assert crystal.bases == [28.0, 0.69]
    assert Specimen(Mechanism(slight.terms, decimals=None), [28.0, 0.0]).put(1, 10.126)[1] == 10.126


def test_a_disturbance_moves_children_and_is_gone_at_the_next_intervention():
    crystal = Specimen(PAIR, [1.0, 0.0])
    assert crystal.put(0, 2.0, added={0: 5.0}) == [7.0, 21.0]
    assert crystal.put(1, 10.0) == [2.0, 10.0]


def test_an_earlier_state_can_be_restored():
    crystal = Specimen(PAIR, [1.0, 0.0])
    before = crystal.state()
    crystal.put(0, 50.0)
    crystal.restore(before)
    assert crystal.values == [1.0, 3.0]
    assert crystal.put(1, 7.0) == [1.0, 7.0]


def test_too_few_bases_are_a_mistake_of_ours():
    with pytest.raises(GraphError, match="1 base values for 2 nodes"):
        PAIR.evaluate([1.0])


whole = st.integers(-50, 50).map(float)
weights = st.sampled_from([-2.0, -1.0, 0.0, 1.0, 3.0])


@st.composite
def mechanisms(draw):
    size = draw(st.integers(2, 5))
    terms = []
    for node in range(size):
        linear = [(parent, draw(weights)) for parent in range(node)]
        terms.append(tuple(Term(parent, w) for parent, w in linear if w))
    return Mechanism(tuple(terms))


@given(mechanisms(), st.data())
def test_what_was_put_is_what_is_read_and_only_descendants_move(mechanism, data):
    size = len(mechanism.terms)
    bases = data.draw(st.lists(whole, min_size=size, max_size=size))
    crystal = Specimen(mechanism, bases)
    node, value = data.draw(st.integers(0, size - 1)), data.draw(whole)
    before = list(crystal.values)
    after = crystal.put(node, value)
    assert after[node] == value
    moved = {n for n in range(size) if after[n] != before[n]} - {node}
    assert all(mechanism.dag.descendants[node] >> n & 1 for n in moved)

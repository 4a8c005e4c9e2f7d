"""Boolean models: rows follow from roots and from what is set."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import GraphError
from causarium.scm.boolean.formula import parse_formula, truth_table
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.shortest_formulas import formulas_of
from causarium.scm.dag import bits
from tests.scm.boolean.made import draw_model, few

seeds = st.integers(0, 10_000)
NAMES = ["A", "B", "C", "D", "E", "F", "G"]


def model(mechanisms, roots, names="ABCD"):
    parsed = {name: parse_formula(text, names) for name, text in mechanisms.items()}
    return BooleanScm.of(list(names), list(roots), parsed)


def test_a_row_follows_causes_first():
    scm = model({"D": "(xor B C)", "C": "(and A B)"}, "AB")
    assert scm.order == (2, 3)
    assert [scm.run(x) for x in range(4)] == [0b0000, 0b0001, 0b1010, 0b0111]


def test_a_variable_that_is_set_keeps_its_value_and_feeds_its_children():
    scm = model({"D": "(xor B C)", "C": "(and A B)"}, "AB")
    assert scm.run(0b0100, 0b0100) == 0b1100
    assert scm.run(0b0011, 0b0100) == 0b1011
    assert scm.run(0b0001, 0b0001) == 0b0001


@few
@given(seeds, st.integers(4, 7))
def test_many_rows_at_once_are_the_same_rows(seed, n):
    rng = Random(seed)
    scm = draw_model(rng, n)
    rows = np.array([rng.getrandbits(n) for _ in range(20)], np.uint32)
    targets = np.array([rng.getrandbits(n) for _ in range(20)], np.uint32)
    expected = [scm.run(x, t) for x, t in zip(rows.tolist(), targets.tolist(), strict=True)]
    assert scm.replay(rows, targets).tolist() == expected
    for x in range(1 << n):
        said = sum(scm.response(v, x) << v for v in scm.order) | x & scm.roots
        assert scm.responses[x] == said


@few
@given(seeds)
def test_a_model_and_its_shortest_formulas_are_the_same(seed):
    scm = draw_model(Random(seed), 7)
    roots = [NAMES[v] for v in bits(scm.roots)]
    assert BooleanScm.of(NAMES, roots, formulas_of(scm, NAMES)) == scm


def test_parents_that_never_matter_are_not_parents():
    scm = model({"C": "(or A (and D (not D)))", "D": "(xor B C C)"}, "AB")
    assert scm.parents == (0, 0, 0b0001, 0b0010)


def test_a_canonical_model_reads_only_what_matters():
    formula = parse_formula("(or A (and C (not C)))", "ABC")
    wide = BooleanScm(3, 0b101, (0, 0b101, 0), (0, truth_table(formula, ["A", "C"]), 0))
    narrow = wide.canonical()
    assert narrow.parents == (0, 0b001, 0)
    assert narrow.responses.tolist() == wide.responses.tolist()
    assert narrow.canonical() == narrow


def test_impossible_models_are_refused():
    with pytest.raises(GraphError, match="cycle"):
        model({"C": "(xor A D)", "D": "(xor B C)"}, "AB")
    with pytest.raises(GraphError, match="root has parents"):
        BooleanScm(2, 0b11, (0, 1), (0, 2))
    with pytest.raises(GraphError, match="as many"):
        BooleanScm(3, 0b11, (0, 0), (0, 0))

"""Valuing while reading: the same texts are formulas, with the same values."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.scm.boolean.formula import (
    Formula,
    FormulaError,
    parse_formula,
    run_words,
    split_words,
    value,
)
from tests.families.replayscm.paper.problems import random_tree

NAMES = ("A", "B", "C")
COLUMNS = {"A": 0b10101010, "B": 0b11001100, "C": 0b11110000}
ONES = 0b11111111


@given(st.integers(0, 10**6))
def test_a_formula_has_the_value_of_its_tree(seed):
    formula = Formula(random_tree(Random(seed), NAMES))
    words = split_words(str(formula))
    true = value(formula.tree, COLUMNS, ONES)
    assert run_words(words, COLUMNS, ONES) == true
    assert run_words(words, COLUMNS, ONES, formula.depth) == true
    assert formula.depth == 1 or run_words(words, COLUMNS, ONES, formula.depth - 1) is None


@given(st.text(alphabet="ABC() andorxift", max_size=40) | st.text(max_size=20))
def test_what_is_refused_by_one_is_refused_by_the_other(text):
    try:
        formula = parse_formula(text, NAMES)
    except FormulaError:
        formula = None
    found = run_words(split_words(text), COLUMNS, ONES)
    assert (found is None) == (formula is None)
    assert formula is None or found == value(formula.tree, COLUMNS, ONES)


@pytest.mark.parametrize(
    "text", ["", "()", "(not A B)", "(and A)", "A B", "(A)", "(and A B", "not"]
)
def test_what_is_no_formula_has_no_value(text):
    assert run_words(split_words(text), COLUMNS, ONES) is None


def test_depth_is_no_matter_unless_it_is_limited():
    words = split_words("(not " * 3_000 + "A" + ")" * 3_000)
    assert run_words(words, COLUMNS, ONES) == COLUMNS["A"]
    assert run_words(words, COLUMNS, ONES, 3_001) == COLUMNS["A"]
    assert run_words(words, COLUMNS, ONES, 3_000) is None

"""Shortest formulas: they mean what they should, and nothing shorter does."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import ContractError
from causarium.scm.boolean.formula import truth_table
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.shortest_formulas import (
    cheapest,
    compute_shortest,
    formulas_of,
    minimal_formula,
    minimal_size,
)
from causarium.scm.boolean.truth_table import all_rows, column, essential
from causarium.scm.dag import bits, mask_of
from tests.scm.boolean.made import some

NAMES = ("A", "B", "C", "D", "E")
FOLDS = {
    "and": lambda rows, every: _fold(rows, int.__and__),
    "or": lambda rows, every: _fold(rows, int.__or__),
    "xor": lambda rows, every: _fold(rows, int.__xor__),
    "iff": lambda rows, every: _fold(rows, int.__and__) | every & ~_fold(rows, int.__or__),
}


def _fold(rows, operator):
    found = rows[0]
    for row in rows[1:]:
        found = operator(found, row)
    return found


def lengths_by_listing(arity, longest):
    """List all formulas up to a length, without any of the tricks, and keep the first of each."""
    every = all_rows(arity)
    levels = {1: {column(j, arity) for j in range(arity)}}
    known = dict.fromkeys(levels[1], 1)
    for size in range(2, longest + 1):
        found = {every & ~table for table in levels[size - 1]}
        for count in range(2, size):
            for lengths in combinations_with_replacement(range(1, size), count):
                if sum(lengths) == size - 1:
                    found |= _joined([levels[length] for length in lengths], every)
        levels[size] = {table for table in found if table not in known}
        known.update(dict.fromkeys(levels[size], size))
    return known


def _joined(pools, every):
    lists = [()]
    for pool in pools:
        lists = [(*rows, table) for rows in lists for table in pool]
    return {fold(rows, every) for rows in lists for fold in FOLDS.values()}


@pytest.mark.parametrize(("arity", "longest"), [(1, 3), (2, 5), (3, 6)])
def test_no_formula_is_shorter_than_the_table_says(arity, longest):
    listed = lengths_by_listing(arity, longest)
    lengths = compute_shortest(arity).lengths
    assert {t: int(lengths[t]) for t in range(len(lengths)) if lengths[t] <= longest} == listed


def test_the_longest_shortest_formulas_are_as_long_as_published():
    assert [int(compute_shortest(arity).lengths.max()) for arity in (2, 3, 4)] == [4, 9, 14]


@pytest.mark.parametrize("arity", [1, 2, 3])
def test_every_small_function_has_a_formula_of_its_length(arity):
    for table in range(1 << (1 << arity)):
        formula = minimal_formula(table, NAMES[:arity])
        assert truth_table(formula, NAMES[:arity]) == table
        assert formula.size == minimal_size(table, arity)


@some
@given(st.integers(0, all_rows(4)))
def test_functions_of_four_have_a_formula_of_their_length(table):
    formula = minimal_formula(table, NAMES[:4])
    assert truth_table(formula, NAMES[:4]) == table
    assert formula.size == minimal_size(table, 4) <= 14


@some
@given(st.integers(0, all_rows(4)), st.permutations(range(4)))
def test_the_order_of_the_arguments_does_not_matter_for_the_length(table, order):
    turned = sum(
        (table >> sum((p >> j & 1) << order[j] for j in range(4)) & 1) << p for p in range(16)
    )
    assert minimal_size(turned, 4) == minimal_size(table, 4)


@some
@given(st.randoms(use_true_random=False), st.integers(0, 4))
def test_the_cheapest_that_fits_is_the_first_of_all_that_fit(rng, arity):
    known = mask_of(p for p in range(1 << arity) if rng.random() < 0.6)
    ones = rng.getrandbits(1 << arity) & known
    zeros = known & ~ones
    lengths = compute_shortest(arity).lengths
    every, free = (1 << arity) - 1, list(bits(all_rows(arity) & ~zeros & ~ones))
    filled = [ones | mask_of(free[j] for j in bits(i)) for i in range(1 << len(free))]
    fits = sorted(table for table in filled if essential(table, arity) == every)
    found = cheapest(zeros, ones, arity)
    assert (found is None) == (not fits)
    if found is not None:
        assert found[1] in fits
        assert found[0] == min(lengths[table] for table in fits)


def test_nothing_fits_a_contradiction():
    assert cheapest(0b01, 0b01, 1) is None


def test_a_constant_mechanism_is_written_with_a_root():
    scm = BooleanScm(3, 0b010, (0, 0, 0), (1, 0, 0))
    written = formulas_of(scm, ["A", "B", "C"])
    assert {name: str(formula) for name, formula in written.items()} == {
        "A": "(iff B B)",
        "C": "(xor B B)",
    }


def test_without_names_there_is_no_formula():
    with pytest.raises(ContractError, match="no constants"):
        minimal_formula(1, [])
    with pytest.raises(ContractError, match="not listed"):
        compute_shortest(5)


def test_levels_hold_every_function_that_depends_on_all_arguments_once():
    levels = compute_shortest(3).full
    tables = np.concatenate([tables for _, tables in levels]).tolist()
    assert sorted(tables) == [t for t in range(256) if essential(t, 3) == 7]
    assert [length for length, _ in levels] == sorted({length for length, _ in levels})

"""Formulas: what is written is what is read, and what is read means what it says."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import ContractError
from causarium.scm.boolean.formula import (
    Formula,
    FormulaError,
    Limits,
    parse_formula,
    tabulate,
    truth_table,
)
from tests.scm.boolean.made import some

NAMES = ("A", "B", "C", "D")


def branches(parts):
    several = st.tuples(
        st.sampled_from(["and", "or", "xor", "iff"]), st.lists(parts, min_size=2, max_size=4)
    ).map(lambda node: (node[0], *node[1]))
    return several | parts.map(lambda part: ("not", part))


trees = st.recursive(st.sampled_from(NAMES), branches, max_leaves=12)


def meaning(tree, row):
    """Say the value of a tree in one row, straight from the definition."""
    if isinstance(tree, str):
        return row[tree]
    values = [meaning(part, row) for part in tree[1:]]
    return {
        "not": lambda: not values[0],
        "and": lambda: all(values),
        "or": lambda: any(values),
        "xor": lambda: sum(values) % 2 == 1,
        "iff": lambda: len(set(values)) == 1,
    }[tree[0]]()


def row_of(pattern):
    return {name: bool(pattern >> j & 1) for j, name in enumerate(NAMES)}


@some
@given(trees)
def test_what_is_printed_reads_as_the_same(tree):
    formula = Formula(tree)
    read = parse_formula(str(formula), NAMES, Limits(nodes=1000, depth=100))
    assert read == formula
    assert read.size == str(formula).replace("(", " ").replace(")", " ").split().__len__()


@some
@given(trees)
def test_the_table_is_the_meaning_row_by_row(tree):
    table = truth_table(Formula(tree), NAMES)
    assert [table >> p & 1 for p in range(16)] == [meaning(tree, row_of(p)) for p in range(16)]


@some
@given(trees)
def test_a_functional_parent_is_one_whose_flip_changes_some_row(tree):
    formula = Formula(tree)
    flips = {
        name
        for j, name in enumerate(NAMES)
        for p in range(16)
        if meaning(tree, row_of(p)) != meaning(tree, row_of(p ^ 1 << j))
    }
    mask, table = tabulate(formula, NAMES)
    parents = [name for j, name in enumerate(NAMES) if mask >> j & 1]
    assert set(parents) == flips <= set(formula.names)
    for p in range(16):
        seen = sum(row_of(p)[name] << j for j, name in enumerate(parents))
        assert table >> seen & 1 == meaning(tree, row_of(p))


def test_iff_of_three_says_all_equal_and_xor_of_three_is_parity():
    rows = [1 if p in (0, 7) else 0 for p in range(8)]
    assert truth_table(Formula(("iff", "A", "B", "C")), NAMES[:3]) == sum(
        bit << p for p, bit in enumerate(rows)
    )
    assert truth_table(Formula(("xor", "A", "B", "C")), NAMES[:3]) == 0b10010110


def test_a_constant_in_disguise_has_no_functional_parent():
    assert tabulate(parse_formula("(xor A A)", NAMES), NAMES) == (0, 0)


def test_size_counts_operators_and_names_and_a_name_has_depth_one():
    formula = parse_formula("(iff X3 (iff X1 X3 X7))", ["X1", "X3", "X7"])
    assert (formula.size, formula.depth) == (6, 3)
    assert formula.names == ("X3", "X1", "X7")
    assert (parse_formula("A", NAMES).size, parse_formula("A", NAMES).depth) == (1, 1)


@pytest.mark.parametrize(
    ("text", "fault", "position", "says"),
    [
        ("", "syntax", 0, "empty formula"),
        ("(and A B", "syntax", 8, "never closed"),
        ("((and A B) C)", "syntax", 1, "operator is expected"),
        ("A)", "syntax", 1, "nothing opened"),
        ("()", "syntax", 1, "empty brackets"),
        ("A B", "syntax", 0, "2 formulas"),
        ("and A B", "syntax", 0, "without a bracket"),
        ("(nand A B)", "operator", 1, "not, and, or, xor, iff"),
        ("(AND A B)", "operator", 1, "'AND'"),
        ("(and A)", "arity", 6, "two arguments or more and has 1"),
        ("(not A B)", "arity", 8, "exactly one argument and has 2"),
        ("(or A 1)", "constant", 6, "no constants"),
        ("(or A true)", "constant", 6, "no constants"),
        ("(or A  E)", "name", 7, "names: A, B, C, D"),
        ("(or A a)", "name", 6, "'a'"),
    ],
)
def test_what_is_no_formula_is_refused_with_reason_and_place(text, fault, position, says):
    with pytest.raises(FormulaError, match=says) as caught:
        parse_formula(text, NAMES)
    assert (caught.value.fault, caught.value.position) == (fault, position)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("(" * 10_000, "syntax"),
        ("(not " * 3_000 + "A" + ")" * 3_000, "depth"),
        ("(xor " + "A " * 5_000 + ")", "size"),
        ("A" * 10_000_000, "size"),
        ("(and " * 2_000_000, "size"),
    ],
)
def test_enormous_texts_are_refused_at_once(text, fault):
    start = time.process_time()
    with pytest.raises(FormulaError) as caught:
        parse_formula(text, NAMES)
    assert caught.value.fault == fault
    assert time.process_time() - start < 0.5


def test_limits_hold_at_their_edge():
    limits = Limits(nodes=4, depth=3)
    assert parse_formula("(not (not A))", NAMES, limits).depth == 3
    with pytest.raises(FormulaError, match="deeper than 3"):
        parse_formula("(not (not (not A)))", NAMES, limits)
    assert parse_formula("(xor A B C)", NAMES, limits).size == 4
    with pytest.raises(FormulaError, match="more than 4 operators and names at character 11"):
        parse_formula("(xor A B C D)", NAMES, limits)


@some
@given(st.text(alphabet="()ABandotxrif 01\n\t", max_size=60))
def test_any_text_is_a_formula_or_a_fault_within_the_text(text):
    try:
        formula, position = parse_formula(text, NAMES), 0
    except FormulaError as wrong:
        formula, position = None, wrong.position
    assert 0 <= position <= len(text)
    assert formula is None or parse_formula(str(formula), NAMES) == formula


def test_no_table_is_made_over_names_that_are_missing():
    with pytest.raises(ContractError, match="no table"):
        truth_table(Formula(("and", "A", "B")), ["A"])

"""Formulas in other forms: each is read as what it must mean, or not at all."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.scm.boolean.formula import Formula, parse_formula
from causarium.scm.boolean.lenient_formula import read_leniently
from tests.families.replayscm.problems import random_tree

NAMES = ("X1", "X2", "X3", "X8")
FORMS = {
    "(X2)": "X2",
    "((and X1 X2))": "(and X1 X2)",
    "and X1 X2": "(and X1 X2)",
    "AND X1 X2": "(and X1 X2)",
    "(Or X1 (NOT X2))": "(or X1 (not X2))",
    "(or x1 X2)": "(or X1 X2)",
    "xor X8 (or X1 X2)": "(xor X8 (or X1 X2))",
    "(and X1 not X2)": "(and X1 (not X2))",
    "(and, X1, X2)": "(and X1 X2)",
    "(and X1, X2, X3)": "(and X1 X2 X3)",
    "and(X1, not(X2))": "(and X1 (not X2))",
    "or(and X1 X2)(not X3)": "(or (and X1 X2) (not X3))",
    "and(or X1 X2) X3": "(and (or X1 X2) X3)",
    "and(X1 or X2, X3)": "(and (or X1 X2) X3)",
    "not X1": "(not X1)",
    "~X1": "(not X1)",
    "not (X1 and X2)": "(not (and X1 X2))",
    "X1 and X2": "(and X1 X2)",
    "X1 & X2 & X3": "(and X1 X2 X3)",
    "X1 || (X2 && X3)": "(or X1 (and X2 X3))",
    "X1 ⊕ (¬X2)": "(xor X1 (not X2))",
    "not(X1) and X2": "(and (not X1) X2)",
    "X1 xor X2 xor X3": "(xor X1 X2 X3)",
    "X1 iff X2": "(iff X1 X2)",
}
NONE = (
    "X1 and X2 or X3", "not X1 and X2", "X1 iff X2 iff X3", "X1 X2", "(nor X1 X2)", "(and 1 X2)",
    "(and X1 X2", "and X1 X2)", "", "()", "and", "and()", "and X1", "(and X1 and X2)", "X1 not X2",
    "not", "X1, X2", "X1 and, X2", "(and X1 Y)", "and X1 X2 or X3",
)  # fmt: skip


@pytest.mark.parametrize("text", FORMS)
def test_forms_in_which_one_thing_can_be_meant_are_read(text):
    assert str(Formula(read_leniently(text, NAMES))) == FORMS[text]


@pytest.mark.parametrize("text", NONE)
def test_what_may_mean_two_things_or_none_is_not_read(text):
    assert read_leniently(text, NAMES) is None


def test_a_variable_that_is_called_like_an_operator_is_the_variable():
    assert read_leniently("(X1)", ["X1", "AND"]) == "X1"
    assert read_leniently("AND & X1", ["X1", "AND"]) == ("and", "AND", "X1")
    assert read_leniently("And X1 X1", ["X1", "AND"]) is None
    assert read_leniently("(x1)", ["X1", "x1"]) == "x1"
    assert read_leniently("not a", ["A", "B"]) == ("not", "A")


def bare(tree, write):
    return tree if isinstance(tree, str) else write(tree[0], [bare(t, write) for t in tree[1:]])


def infix(operator, parts):
    return f"(not {parts[0]})" if operator == "not" else "(" + f" {operator} ".join(parts) + ")"


REWRITTEN = {
    "no outer brackets": lambda tree: str(Formula(tree))[1:-1],
    "doubled": lambda tree: f"({Formula(tree)})",
    "upper case": lambda tree: str(Formula(tree)).upper(),
    "calls": lambda tree: bare(tree, lambda op, parts: f"{op}({', '.join(parts)})"),
    "commas": lambda tree: bare(tree, lambda op, parts: f"({op} {', '.join(parts)})"),
    "bare not": lambda tree: bare(
        tree,
        lambda op, parts: f"not {parts[0]}" if op == "not" else f"({op} {' '.join(parts)})",
    ),
    "infix": lambda tree: bare(tree, infix),
    "infix without outer brackets": lambda tree: bare(tree, infix)[1:-1],
}


@pytest.mark.parametrize("form", REWRITTEN)
def test_formulas_that_are_written_otherwise_are_never_read_as_something_else(form):
    rng = Random(3)
    read = refused = 0
    for _ in range(300):
        tree = random_tree(rng, NAMES)
        if isinstance(tree, str):
            continue
        found = read_leniently(REWRITTEN[form](tree), NAMES)
        assert found is None or found == tree
        read, refused = read + (found is not None), refused + (found is None)
    assert read > 3 * refused
    assert refused == 0 or form in {"infix", "infix without outer brackets", "bare not"}


@given(st.text(alphabet="X123()~&|^, andorxi fft", max_size=60))
def test_whatever_is_read_is_a_formula(text):
    found = read_leniently(text, NAMES)
    if found is not None:
        assert parse_formula(str(Formula(found)), NAMES).tree == found


@given(st.text(alphabet="X12() andortx", max_size=40))
def test_a_strict_formula_means_what_it_says(text):
    try:
        strict = parse_formula(text, NAMES).tree
    except Exception:  # noqa: BLE001
        return
    assert read_leniently(text, NAMES) == strict


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "((" * 20 + "X1 X2" + "))" * 20,
        "not(" * 20 + "X1" + ")" * 20,
        "X1 and " * 5_000,
    ],
)
def test_hostile_texts_are_read_in_no_time(text):
    begun = time.process_time()
    read_leniently(text, NAMES)
    assert time.process_time() - begun < 1

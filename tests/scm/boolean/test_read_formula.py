"""The one reader of formulas: many spellings, one meaning, and none where two are possible."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.scm.boolean.formula import FormulaError, Tree, parse_formula, truth_table
from causarium.scm.boolean.read_formula import read_formula

NAMES = ["X1", "X2", "X3", "X4"]
MEANT = "(or (and X1 (not X2)) (xor X1 X3))"
SPELLINGS = [
    MEANT,
    "X1 and not X2 or (X1 xor X3)",
    "or(and(X1, not(X2)), xor(X1, X3))",
    "(X1 & ~X2) | (X1 ^ X3)",
    "X1 && !X2 || (X1 != X3)",
    "(X1 ∧ ¬X2) ∨ (X1 ⊕ X3)",
    r"$X_1 \land \lnot X_2 \lor (X_{1} \oplus X_3)$",
    "x1 AND NOT x2 OR (x1 XOR x3)",
    "X4 = (X1 and not X2) or (X1 xor X3)",
    "X4 := Or(And(X1, Not(X2)), Xor(X1, X3));",
    "`(X1 * X2') + (X1 ^ X3)`",
    "[or [and X1 [not X2]] [xor X1 X3]]",
    "(OR, (AND, X1, (NOT, X2)), (XOR, X1, X3))",
    r"X_4 = \left(X_1 \wedge \overline{X_2}\right) \vee \left(X_1 \oplus X_3\right)",
    "X1·¬X2 + X1⊻X3",
    "or (and X1 (not X2)) (xor X1 X3)",
    "(X1 and (not X2)) or (xor X1 X3)",
    r"\text{OR}(\text{AND}(X_1, \text{NOT}(X_2)), \text{XOR}(X_1, X_3))",
]
trees = st.recursive(
    st.sampled_from(NAMES),
    lambda part: (
        st.tuples(st.just("not"), part)
        | st.tuples(st.sampled_from(["and", "or", "xor"]), part, part)
        | st.tuples(st.sampled_from(["and", "or", "xor"]), part, part, part)
        | st.tuples(st.just("iff"), part, part)
    ),
    max_leaves=8,
)
_SIGNS = {"and": "&", "or": "|", "xor": "^", "iff": "<->", "not": "!"}
_STRENGTH = {"iff": 0, "or": 1, "xor": 2, "and": 3}


def write_call(tree: Tree) -> str:
    if isinstance(tree, str):
        return tree
    return f"{str(tree[0]).upper()}({', '.join(map(write_call, tree[1:]))})"


def write_infix(tree: Tree, outside: int = -1) -> str:
    """Write with signs and with no bracket more than the order of operators needs."""
    if isinstance(tree, str):
        return tree
    name = str(tree[0])
    if name == "not":
        return f"!{write_infix(tree[1], 4)}"
    inner = _STRENGTH[name]
    text = f" {_SIGNS[name]} ".join(write_infix(part, inner) for part in tree[1:])
    return f"({text})" if inner <= outside else text


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_spelling_is_read_as_what_it_means(text: str) -> None:
    found = read_formula(text, NAMES, of="X4")
    assert truth_table(found, NAMES) == truth_table(parse_formula(MEANT, NAMES), NAMES)


@given(trees)
def test_three_ways_of_writing_are_read_alike(tree: Tree) -> None:
    from causarium.scm.boolean.formula import Formula

    meant = Formula(tree)
    for text in (str(meant), write_call(tree), write_infix(tree)):
        assert truth_table(read_formula(text, NAMES), NAMES) == truth_table(meant, NAMES)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("X1 iff X2 iff X3", "syntax"),
        ("X1 == X2 and X3", "syntax"),
        ("X1 != X2 && X3", "syntax"),
        ("X3 | X1 ≠ X2", "syntax"),
        (r"X1 \neq X2 \neq X3", "syntax"),
        ("or(X1, X2 == X3 and X4)", "syntax"),
        ("X1 -> X2", "syntax"),
        ("X1 X2", "syntax"),
        ("(and X1 X2", "syntax"),
        ("", "syntax"),
        ("X1 = X2", "syntax"),
        ("(and X1)", "arity"),
        ("xnor(X1, X2, X3)", "arity"),
        ("1", "constant"),
        ("X1 or true", "constant"),
        ("X1 and X9", "name"),
        ("(" * 40 + "X1" + ")" * 40, "depth"),
    ],
)
def test_what_is_none_or_has_two_readings_is_refused(text: str, fault: str) -> None:
    with pytest.raises(FormulaError) as wrong:
        read_formula(text, NAMES, of="X4")
    assert wrong.value.fault == fault


@given(st.text(alphabet="X1234 ()[]{},!&|^~'<->=\\and or not", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        found = read_formula(text, NAMES, of="X4")
    except FormulaError:
        return
    assert set(found.names) <= set(NAMES)


@given(st.integers(0, 19_000))
def test_primes_negate_as_often_as_they_stand(count: int) -> None:
    meant = "(not X1)" if count % 2 else "X1"
    assert str(read_formula("X1" + "'" * count, NAMES)) == meant


@pytest.mark.parametrize("sign", ["==", "!=", "≠"])
def test_a_comparison_in_brackets_means_one_thing(sign: str) -> None:
    operator = "iff" if sign == "==" else "xor"
    found = read_formula(f"(X1 {sign} X2) and not X3", NAMES)
    assert str(found) == f"(and ({operator} X1 X2) (not X3))"


def test_case_is_forgiven_only_where_one_name_is_meant() -> None:
    assert str(read_formula("x_1", ["X1", "X2"])) == "X1"
    with pytest.raises(FormulaError, match="unknown name"):
        read_formula("x_1", ["X1", "x1_"])


def test_constants_of_all_kinds_have_no_reading() -> None:
    for word, wrapped in product(("0", "TRUE", "False"), ("{}", "X1 & {}", "(or X1 {})")):
        with pytest.raises(FormulaError, match="no constants"):
            read_formula(wrapped.format(word), NAMES)

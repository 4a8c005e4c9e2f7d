"""Boolean formulas written as s-expressions: read, printed, measured, valued; never run as code.

    formula := NAME | "(" "not" formula ")" | "(" OPERATOR formula formula+ ")"
    OPERATOR := "and" | "or" | "xor" | "iff"

`xor` of several arguments is odd parity; `iff` says that all its arguments are equal, which for
three and more is not the same as folding it pair by pair. There are no constants.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_, xor
from typing import Literal, NoReturn, TypeAlias

from causarium.errors import CausariumError, ContractError
from causarium.scm.boolean.truth_table import all_rows, column, essential, rewrite
from causarium.scm.dag import bits, mask_of

OPERATORS = ("not", "and", "or", "xor", "iff")
MAX_TABLE_NAMES = 20
"""A formula over more names than this has no truth table here."""

Fault = Literal["size", "depth", "syntax", "operator", "arity", "constant", "name"]
"""Why a text is no formula: too large, too deep, brackets and order, an unknown operator, too few
or too many arguments, a constant, an unknown name."""
Tree: TypeAlias = str | tuple["Tree", ...]
"""A name, or an operator followed by its arguments."""

_TOKEN = re.compile(r"[()]|[^\s()]+")
_WORD = re.compile(r"[^\s(),]+")
_LONE_NAME = re.compile(r"\(\s*([^\s()]+)\s*\)")
CONSTANTS = frozenset({"0", "1", "true", "false"})


class FormulaError(CausariumError):
    """A text that is not a formula, with the reason and the place.

    Example:
        >>> try:
        ...     parse_formula("(and A (nor B C))", ["A", "B", "C"])
        ... except FormulaError as wrong:
        ...     print(wrong.fault, wrong.position, wrong)
        operator 8 unknown operator 'nor' at character 8; operators: not, and, or, xor, iff
    """

    def __init__(self, fault: Fault, position: int, message: str) -> None:
        super().__init__(message)
        self.fault: Fault = fault
        self.position = position
        """How many characters stand before the place."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a formula may be before it is refused."""

    nodes: int = 200
    depth: int = 24
    chars: int = 20_000


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Formula:
    """A Boolean formula."""

    tree: Tree
    """The formula itself: a name, or a tuple of an operator and its arguments."""

    @property
    def size(self) -> int:
        """How many operators and names are written in it."""
        return _size(self.tree)

    @property
    def depth(self) -> int:
        """How many levels it has; a name alone has one."""
        return _depth(self.tree)

    @property
    def names(self) -> tuple[str, ...]:
        """The names written in it, each once, in the order of their first appearance."""
        return tuple(dict.fromkeys(_list_leaves(self.tree)))

    def __str__(self) -> str:
        return _write(self.tree)


def parse_formula(text: str, variables: Collection[str], limits: Limits = LIMITS) -> Formula:
    """Read `text` as a formula over `variables`.

    Raises:
        FormulaError: The text is too large or too deep, or is no formula over these names.

    Example:
        >>> formula = parse_formula(" (iff A(not  B) A)", ["A", "B"])
        >>> str(formula), formula.size, formula.depth, formula.names
        ('(iff A (not B) A)', 5, 3, ('A', 'B'))
    """
    if len(text) > limits.chars:
        raise FormulaError(
            "size", limits.chars, f"{len(text):,} characters; at most {limits.chars:,} are read"
        )
    words = split_words(text)
    top: list[Tree] = ["top"]
    current = top
    outer: list[list[Tree]] = []
    for at, word in enumerate(words):
        if word == "(":
            if not current or len(outer) >= limits.depth - 1:
                _refuse_open(text, at, limits, is_first=not current)
            outer.append(current)
            current = []
        elif word == ")":
            is_complete = len(current) == 2 if current[:1] == ["not"] else len(current) > 2
            if not outer or not is_complete:
                _refuse_close(text, at, current, is_open=bool(outer))
            outer[-1].append(tuple(current))
            current = outer.pop()
        elif word in (variables if current else OPERATORS):
            current.append(word)
        else:
            _refuse_word(text, at, word, variables if current else None)
    if outer or len(top) != 2:
        _refuse_end(text, len(outer), top)
    if len(words) > limits.nodes:
        _refuse_large(text, words, limits)
    return Formula(top[1])


def free_lone_names(text: str) -> str:
    """Take off brackets around single words: `(X2)` is `X2`."""
    return _LONE_NAME.sub(lambda found: f" {found[1]} ", text)


def find_word(names: Collection[str], text: str) -> int | None:
    """Return where the first of some names stands in a formula; None if it is spelt otherwise."""
    return next((word.start() for word in _WORD.finditer(text) if word[0] in names), None)


def truth_table(formula: Formula, parents: Sequence[str]) -> int:
    """Return the table of `formula`: bit `p` is its value where `parents[j]` has bit `j` of `p`.

    Raises:
        ContractError: The formula has names that are not `parents`, or there are too many.

    Example:
        >>> bin(truth_table(Formula(("and", "A", "B")), ["A", "B"]))
        '0b1000'
    """
    if len(parents) > MAX_TABLE_NAMES or not set(formula.names) <= set(parents):
        raise ContractError(f"no table of {formula} over {list(parents)}")
    width = len(parents)
    columns = {name: column(j, width) for j, name in enumerate(parents)}
    return value(formula.tree, columns, all_rows(width))


def tabulate(formula: Formula, names: Sequence[str]) -> tuple[int, int]:
    """Return the mask of what a formula depends on, by place in `names`, and its table over that.

    Example:
        >>> tabulate(Formula(("or", "B", ("and", "A", ("not", "A")))), ["A", "B"])
        (2, 2)
    """
    written = [name for name in names if name in formula.names]
    table = truth_table(formula, written)
    parents = list(bits(essential(table, len(written))))
    mask = mask_of(names.index(written[j]) for j in parents)
    return mask, rewrite(table, range(len(written)), parents)


def value(tree: Tree, columns: Mapping[str, int], ones: int) -> int:
    """Return the value of a formula in many rows at once.

    Args:
        tree: The formula.
        columns: For each name, an integer; bit `r` is the value in row `r`.
        ones: The integer with a bit for each row.
    """
    if isinstance(tree, str):
        return columns[tree]
    values = [value(part, columns, ones) for part in tree[1:]]
    return values[0] ^ ones if tree[0] == "not" else _join(str(tree[0]), values, ones)


def _refuse(text: str, token: int, fault: Fault, message: str, hint: str = "") -> NoReturn:
    position = [found.start() for found in _TOKEN.finditer(text)][token]
    raise FormulaError(fault, position, f"{message} at character {position}{hint}")


def _refuse_word(text: str, at: int, token: str, variables: Collection[str] | None) -> NoReturn:
    if variables is None:
        known = ", ".join(OPERATORS)
        _refuse(text, at, "operator", f"unknown operator {token[:40]!r}", f"; operators: {known}")
    if token.lower() in CONSTANTS:
        _refuse(text, at, "constant", f"the constant {token!r}", "; formulas have no constants")
    if token in OPERATORS:
        _refuse(text, at, "syntax", f"the operator {token!r} without a bracket before it")
    known = ", ".join(sorted(variables)[:40])
    _refuse(text, at, "name", f"unknown name {token[:40]!r}", f"; names: {known}")


def _refuse_large(text: str, words: list[str], limits: Limits) -> None:
    nodes = [at for at, word in enumerate(words) if word not in {"(", ")"}]
    if len(nodes) > limits.nodes:
        message = f"more than {limits.nodes} operators and names"
        _refuse(text, nodes[limits.nodes], "size", message)


def _refuse_open(text: str, at: int, limits: Limits, *, is_first: bool) -> NoReturn:
    if is_first:
        _refuse(text, at, "syntax", "a bracket where an operator is expected")
    _refuse(text, at, "depth", f"formulas nest deeper than {limits.depth} levels")


def _refuse_close(text: str, at: int, parts: list[Tree], *, is_open: bool) -> NoReturn:
    if not is_open:
        _refuse(text, at, "syntax", "a closing bracket that nothing opened")
    if not parts:
        _refuse(text, at, "syntax", "empty brackets")
    wanted = "exactly one argument" if parts[0] == "not" else "two arguments or more"
    _refuse(text, at, "arity", f"{parts[0]!r} takes {wanted} and has {len(parts) - 1}")


def _refuse_end(text: str, still_open: int, top: list[Tree]) -> NoReturn:
    if still_open:
        what = f"{still_open} brackets are" if still_open > 1 else "a bracket is"
        raise FormulaError("syntax", len(text), f"{what} never closed, up to character {len(text)}")
    if len(top) == 1:
        raise FormulaError("syntax", 0, "an empty formula")
    raise FormulaError("syntax", 0, f"{len(top) - 1} formulas where one is expected")


def _size(tree: Tree) -> int:
    return 1 if isinstance(tree, str) else 1 + sum(map(_size, tree[1:]))


def _depth(tree: Tree) -> int:
    return 1 if isinstance(tree, str) else 1 + max(map(_depth, tree[1:]))


def _list_leaves(tree: Tree) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    else:
        for part in tree[1:]:
            yield from _list_leaves(part)


def _write(tree: Tree) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(_write, tree))})"


def split_words(text: str) -> list[str]:
    """Return the brackets and words of a formula, in order."""
    return text.replace("(", " ( ").replace(")", " ) ").split()


def run_words(
    words: Sequence[str], columns: Mapping[str, int], ones: int, depth: int = LIMITS.chars
) -> int | None:
    """Return the value of a formula in many rows at once; None if it is no formula.

    Args:
        words: Its brackets and words.
        columns: For each name, an integer; bit `r` is the value in row `r`.
        ones: The integer with a bit for each row.
        depth: How many levels it may have.

    Example:
        >>> run_words(split_words("(and A (not B))"), {"A": 0b1100, "B": 0b1010}, 0b1111)
        4
        >>> run_words(split_words("(and A)"), {"A": 0b1100}, 0b1111) is None
        True
    """
    outer: list[tuple[str, list[int]]] = []
    operator, values = "", list[int]()
    awaited = False
    for word in words:
        if awaited:
            if word not in OPERATORS:
                return None
            operator, awaited = word, False
        elif word == "(":
            outer.append((operator, values))
            if len(outer) >= depth:
                return None
            values, awaited = [], True
        elif word == ")":
            if not outer or (len(values) < 2) != (operator == "not") or not values:
                return None
            value = values[0] ^ ones if operator == "not" else _join(operator, values, ones)
            operator, values = outer.pop()
            values.append(value)
        else:
            column = columns.get(word)
            if column is None:
                return None
            values.append(column)
    return values[0] if not outer and not awaited and len(values) == 1 else None


def _join(operator: str, values: list[int], ones: int) -> int:
    """Return what two arguments or more come to."""
    if operator == "and":
        return reduce(and_, values)
    if operator == "or":
        return reduce(or_, values)
    if operator == "xor":
        return reduce(xor, values)
    return reduce(and_, values) | reduce(or_, values) ^ ones

"""Valuing a formula while reading it, in many rows at once, with no tree and no recursion.

What is read is what `parse_formula` reads; where that would refuse, nothing comes back, and who
wants to know why asks `parse_formula`.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_, xor

from causarium.scm.boolean.formula import OPERATORS

_OPERATORS = frozenset(OPERATORS)


def split_words(text: str) -> list[str]:
    """Return the brackets and words of a formula, in order."""
    return text.replace("(", " ( ").replace(")", " ) ").split()


def run_words(words: Sequence[str], columns: Mapping[str, int], ones: int) -> int | None:
    """Return the value of a formula in many rows at once; None if it is no formula.

    Args:
        words: Its brackets and words.
        columns: For each name, an integer whose bit `r` is the value in row `r`.
        ones: The integer with a bit for each row.

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
            if word not in _OPERATORS:
                return None
            operator, awaited = word, False
        elif word == "(":
            outer.append((operator, values))
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


def depth_of(words: Sequence[str]) -> int:
    """Return how many levels a formula has; a name alone has one."""
    depth = deepest = 0
    for word in words:
        if word == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif word == ")":
            depth -= 1
    return deepest + 1

"""Reading formulas that are not written as they should be, where only one thing can be meant.

What the strict reader refuses for its form is read here, bracket by bracket, as the first of these
that fits: one thing alone; an operator called like a function, `and(X1, not(X2))`; an operator
before its arguments, with or without commas, `xor X8 (or X1 X2)`; `not` before one argument; one
kind of operator between its arguments, `X1 and X2`. Everything else is refused: what mixes
operators, `not X1 and X2`, three arguments around `iff`, constants.
"""

import re
from collections.abc import Collection
from typing import NamedTuple, TypeAlias

from causarium.scm.boolean.formula import LIMITS, OPERATORS, Limits, Tree

_SYMBOLS = {
    **dict.fromkeys(("&", "&&", "∧"), "and"),
    **dict.fromkeys(("|", "||", "∨"), "or"),
    **dict.fromkeys(("^", "⊕"), "xor"),
    **dict.fromkeys(("~", "!", "¬"), "not"),
}
_TOKEN = re.compile(r"&&|\|\||[&|^~!∧∨⊕¬(),]|[^\s&|^~!∧∨⊕¬(),]+")


class _Operator(NamedTuple):
    """An operator, and whether a bracket follows it at once."""

    name: str
    called: bool


class _Comma(NamedTuple):
    pass


class _Bracket(NamedTuple):
    """What stands between two brackets, and what it can only mean."""

    items: "list[_Item]"
    tree: Tree | None


_Item: TypeAlias = "str | _Operator | _Comma | _Bracket"
_COMMA = _Comma()


def read_leniently(text: str, variables: Collection[str], limits: Limits = LIMITS) -> Tree | None:
    """Return the formula that can only be meant by `text`; None if there is none.

    Example:
        >>> read_leniently("AND X1 (X2 or x3)", ["X1", "X2", "X3"])
        ('and', 'X1', ('or', 'X2', 'X3'))
        >>> read_leniently("X1 and X2 or X3", ["X1", "X2", "X3"]) is None
        True
    """
    if len(text) > limits.chars:
        return None
    items = _nest_words(text, variables, limits)
    return None if items is None else _read(items)


def _nest_words(text: str, variables: Collection[str], limits: Limits) -> list[_Item] | None:
    """Return the words of a text, those in brackets in a list of their own."""
    names = _Names(variables)
    top: list[_Item] = []
    outer: list[list[_Item]] = []
    current = top
    tokens = list(_TOKEN.finditer(text))
    if len(tokens) > 8 * limits.nodes:
        return None
    for token in tokens:
        word = token.group()
        if word == "(":
            if len(outer) >= 2 * limits.depth:
                return None
            outer.append(current)
            current = []
        elif word == ")":
            if not outer:
                return None
            # Read at once, so that each bracket is read once however deep it stands.
            outer[-1].append(_Bracket(current, _read(current)))
            current = outer.pop()
        elif word == ",":
            current.append(_COMMA)
        else:
            item = names.find(word, called=text[token.end() : token.end() + 1] == "(")
            if item is None:
                return None
            current.append(item)
    return None if outer else top


class _Names:
    """What a word can mean."""

    def __init__(self, variables: Collection[str]) -> None:
        self.variables = variables
        self.folded: dict[str, list[str]] = {}
        for name in variables:
            self.folded.setdefault(name.lower(), []).append(name)

    def find(self, word: str, *, called: bool) -> "_Item | None":
        """Return the variable or operator that a word means; None if it means none or several."""
        if word in self.variables:
            return word
        lower = word.lower()
        meant = self.folded.get(lower, [])
        operator = lower if lower in OPERATORS else _SYMBOLS.get(word)
        if operator is not None:
            return None if meant else _Operator(operator, called)
        return meant[0] if len(meant) == 1 else None


def _read(items: list[_Item]) -> Tree | None:
    """Read what stands between two brackets."""
    return _read_single(items) or _read_prefix(items) or _parse_operators(items)


def _operand(item: _Item) -> Tree | None:
    if isinstance(item, str):
        return item
    return item.tree if isinstance(item, _Bracket) else None


def _read_single(items: list[_Item]) -> Tree | None:
    """Read one thing alone: a name, a bracket, or an operator with its own bracket."""
    if len(items) == 1:
        return _operand(items[0])
    if len(items) != 2:
        return None
    operator, inner = items
    if not isinstance(operator, _Operator) or not isinstance(inner, _Bracket):
        return None
    if not operator.called:
        return None
    if _COMMA not in inner.items:
        return _join_parts(operator.name, _arguments(inner.items))
    return _join_parts(operator.name, [_read(part) for part in _between_commas(inner.items)])


def _between_commas(items: list[_Item]) -> list[list[_Item]]:
    parts: list[list[_Item]] = [[]]
    for item in items:
        if isinstance(item, _Comma):
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def _read_prefix(items: list[_Item]) -> Tree | None:
    """Read an operator with its arguments after it."""
    if not items or not isinstance(items[0], _Operator):
        return None
    rest: list[_Item] = [item for item in items[1:] if not isinstance(item, _Comma)]
    return _join_parts(items[0].name, _arguments(rest))


def _arguments(items: list[_Item]) -> list[Tree | None]:
    """Read arguments one after the other; a bare `not` takes the next one."""
    found: list[Tree | None] = []
    place = 0
    while place < len(items):
        nots = 0
        while place + 1 < len(items) and _is_bare_not(items, place):
            nots, place = nots + 1, place + 1
        part, place = _next_operand(items, place)
        for _ in range(nots):
            part = None if part is None else ("not", part)
        found.append(part)
    return found


def _is_bare_not(items: list[_Item], place: int) -> bool:
    item = items[place]
    return isinstance(item, _Operator) and item.name == "not" and not _is_call(items, place)


def _is_call(items: list[_Item], place: int) -> bool:
    item = items[place]
    after = items[place + 1 : place + 2]
    if not isinstance(item, _Operator) or not item.called or not after:
        return False
    return isinstance(after[0], _Bracket)


def _next_operand(items: list[_Item], place: int) -> tuple[Tree | None, int]:
    """Read the operand at a place; returns it and the place after it."""
    if _is_call(items, place):
        return _read_single(items[place : place + 2]), place + 2
    return _operand(items[place]), place + 1


def _parse_operators(items: list[_Item]) -> Tree | None:
    """Read one kind of operator between its arguments."""
    parts: list[Tree | None] = []
    operators: set[str] = set()
    place = 0
    while place < len(items):
        part, place = _next_operand(items, place)
        parts.append(part)
        if place == len(items):
            break
        sign = items[place]
        if not isinstance(sign, _Operator) or sign.name == "not" or place + 1 == len(items):
            return None
        operators.add(sign.name)
        place += 1
    if len(operators) != 1 or (operators == {"iff"} and len(parts) > 2):
        return None
    return _join_parts(operators.pop(), parts)


def _join_parts(operator: str, parts: list[Tree | None]) -> Tree | None:
    complete = len(parts) == 1 if operator == "not" else len(parts) > 1
    if not complete or any(part is None for part in parts):
        return None
    return (operator, *(part for part in parts if part is not None))

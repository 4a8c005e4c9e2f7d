"""Arithmetic written as text, read into polynomials. Nothing is ever evaluated as code.

The grammar is small: numbers, names, `+ - *`, division by a number, powers with a small whole
exponent (`^` or `**`) and brackets. What comes out is exact about structure: which names occur
together, to which power, with which factor.
"""

import ast
import warnings
from collections import Counter
from collections.abc import Mapping

from causarium.errors import CausariumError

MAX_CHARS = 4_000
MAX_DEGREE = 8
MAX_TERMS = 500
_MAX_DEPTH = 60
_MAX_NUMBER = 1e100

Monomial = tuple[tuple[str, int], ...]
"""Names with their powers, by name; the empty one is the constant."""
Polynomial = dict[Monomial, float]
"""The factor of each monomial."""


class BadExpression(CausariumError):
    """A text that is not arithmetic as this module understands it."""


def parse(text: str, numbers: Mapping[str, float] | None = None) -> Polynomial:
    """Read `text` as a polynomial in its names; names in `numbers` stand for their values.

    Raises:
        BadExpression: The text is too long, is not arithmetic or is not a polynomial.

    Example:
        >>> parse("b + 2 * (x ^ 2) - x", {"b": 5})
        {(): 5.0, (('x', 2),): 2.0, (('x', 1),): -1.0}
    """
    if len(text) > MAX_CHARS:
        raise BadExpression(f"{len(text)} characters; at most {MAX_CHARS} are read")
    try:
        with warnings.catch_warnings():
            # What Python finds odd about foreign text is nobody's business.
            warnings.simplefilter("ignore")
            tree = ast.parse(text.replace("^", "**").strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
        raise BadExpression(f"not arithmetic: {text[:120]!r}") from wrong
    return _Reader(numbers or {}).read(tree.body, 0)


class _Reader:
    def __init__(self, numbers: Mapping[str, float]) -> None:
        self._numbers = numbers

    def read(self, node: ast.expr, depth: int) -> Polynomial:
        if depth > _MAX_DEPTH:
            raise BadExpression(f"brackets nest deeper than {_MAX_DEPTH}")
        if isinstance(node, ast.Constant):
            return _constant(node.value)
        if isinstance(node, ast.Name):
            number = self._numbers.get(node.id)
            return {((node.id, 1),): 1.0} if number is None else {(): float(number)}
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            sign = -1.0 if isinstance(node.op, ast.USub) else 1.0
            return _times({(): sign}, self.read(node.operand, depth + 1))
        # A long sum leans to the left, and is no deeper than its terms.
        joined = []
        while isinstance(node, ast.BinOp):
            joined.append(node)
            node = node.left
        if not joined:
            raise BadExpression(f"{type(node).__name__} is not arithmetic")
        total = self.read(node, depth + 1)
        for one in reversed(joined):
            total = _combine(one.op, total, self.read(one.right, depth + 1))
            if not all(abs(factor) <= _MAX_NUMBER for factor in total.values()):
                raise BadExpression("a number beyond every scale")
        return total


def _constant(value: object) -> Polynomial:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadExpression(f"{value!r} is not a number")
    if abs(value) > _MAX_NUMBER:
        raise BadExpression("a number beyond every scale")
    return {(): float(value)}


def _combine(op: ast.operator, left: Polynomial, right: Polynomial) -> Polynomial:
    if isinstance(op, ast.Add):
        return _plus(left, right)
    if isinstance(op, ast.Sub):
        return _plus(left, _times({(): -1.0}, right))
    if isinstance(op, ast.Mult):
        return _times(left, right)
    if isinstance(op, ast.Div):
        return _times(left, {(): 1.0 / _plain_number(right, "a divisor")})
    if isinstance(op, ast.Pow):
        power = _plain_number(right, "an exponent")
        if power != int(power) or not 0 <= power <= MAX_DEGREE:
            raise BadExpression(f"the exponent {power:g} is not a whole number up to {MAX_DEGREE}")
        result: Polynomial = {(): 1.0}
        for _ in range(int(power)):
            result = _times(result, left)
        return result
    raise BadExpression(f"{type(op).__name__} is not one of + - * / ^")


def _plain_number(value: Polynomial, what: str) -> float:
    if any(value.keys()):
        raise BadExpression(f"{what} must be a number")
    number = value.get((), 0.0)
    if what == "a divisor" and number == 0.0:
        raise BadExpression("division by zero")
    return number


def _plus(left: Polynomial, right: Polynomial) -> Polynomial:
    total = dict(left)
    for monomial, factor in right.items():
        total[monomial] = total.get(monomial, 0.0) + factor
    return total


def _times(left: Polynomial, right: Polynomial) -> Polynomial:
    if len(left) * len(right) > MAX_TERMS:
        raise BadExpression(f"more than {MAX_TERMS} terms")
    total: Polynomial = {}
    for one, a in left.items():
        for other, b in right.items():
            powers = Counter(dict(one))
            powers.update(dict(other))
            if sum(powers.values()) > MAX_DEGREE:
                raise BadExpression(f"a power above {MAX_DEGREE}")
            monomial = tuple(sorted(powers.items()))
            total[monomial] = total.get(monomial, 0.0) + a * b
    return total

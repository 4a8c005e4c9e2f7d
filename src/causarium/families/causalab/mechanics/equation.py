"""Read the frequency's equation as it was written, numbers included.

`1207.96 + 3.06*pressure - 4 density` says as much as `base + c_pressure*pressure + ...` with its
coefficients beside it. The right side is read as a polynomial in the properties: numbers, names,
symbols that have a number among the coefficients, `+ - * / ^ ( )`, `**`, `·`, `×`, `²`, and a blank
for a product. Replies are hostile: the text is cut into tokens in linear time and within limits,
written anew in a small alphabet, and read by `scm.polynomials`, which runs nothing.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from causarium.contract.texts.replies import excerpt
from causarium.scm.polynomials import BadExpression, Monomial, parse

MAX_TOKENS = 400
MAX_DEPTH = 20
_SAME = str.maketrans({"−": "-", "–": "-", "·": "*", "⋅": "*", "×": "*", "²": "^2", "`": " "})
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*)|(?P<mark>\*\*|[-+*/^()]))"
)
_UNKNOWN = "u"
_MAX_NUMBER = 1e30


class UnreadableEquation(Exception):
    """An equation that cannot be read, and what in it cannot."""


@dataclass(frozen=True, slots=True)
class ReadEquation:
    """An equation as numbers; None where a symbol stands for a number that is not known yet."""

    base: float | None
    linear: dict[str, float | None]
    square: dict[str, float | None]


Symbol = Callable[[str], str | float | None]
"""What a word stands for: the name of a property, a number, or None for one not known yet."""


def read_equation(text: str, symbol: Symbol) -> ReadEquation:
    """Read the right side of an equation.

    Args:
        text: The right side.
        symbol: Says what a word stands for; raises `UnreadableEquation` for one that nobody knows.

    Raises:
        UnreadableEquation: It is not a sum of numbers, properties and their squares.
    """
    names: dict[str, str] = {}
    """What each letter of the text that is written anew stands for."""
    written = " ".join(_write_tokens(text.translate(_SAME), symbol, names))
    try:
        polynomial = parse(written)
    except BadExpression as wrong:
        raise UnreadableEquation(f"{excerpt(text.strip())!r} cannot be read: {wrong}") from wrong
    sums: dict[tuple[str, int], float | None] = {}
    for monomial, factor in polynomial.items():
        name, power, known = _place(monomial, names)
        before = sums.get((name, power), 0.0)
        sums[name, power] = before + factor if known and before is not None else None
        if not math.isfinite(sums[name, power] or 0.0):
            raise UnreadableEquation("freq_equation has a number beyond every scale")
    return ReadEquation(
        base=sums.get(("", 0), 0.0),
        linear={name: number for (name, power), number in sums.items() if power == 1},
        square={name: number for (name, power), number in sums.items() if power == 2},
    )


def _write_tokens(text: str, symbol: Symbol, names: dict[str, str]) -> list[str]:
    """Return the tokens in letters that arithmetic has, with every product written out."""
    written: list[str] = []
    depth, end = 0, len(text.rstrip())
    place = 0
    while place < end:
        token = _TOKEN.match(text, place)
        if token is None:
            raise UnreadableEquation(f"{excerpt(text[place:].strip())!r} is not arithmetic")
        place = token.end()
        mark = token["mark"]
        if written and mark in (None, "(") and written[-1] not in {*"+-*/(", "**"}:
            written.append("*")
        if mark:
            depth += (mark == "(") - (mark == ")")
            written.append("**" if mark == "^" else mark)
        elif token["number"]:
            written.append(_write_number(float(token["number"])))
        else:
            written.append(_write_word(symbol(token["name"]), names))
        if len(written) > MAX_TOKENS or depth > MAX_DEPTH:
            raise UnreadableEquation(
                f"freq_equation has more than {MAX_TOKENS} parts or {MAX_DEPTH} nested brackets"
            )
    return written


def _write_number(number: float) -> str:
    if abs(number) > _MAX_NUMBER:
        raise UnreadableEquation("freq_equation has a number beyond every scale")
    return repr(number)


def _write_word(meaning: str | float | None, names: dict[str, str]) -> str:
    if isinstance(meaning, float):
        return f"({_write_number(meaning)})"
    if meaning is None:
        letter = f"{_UNKNOWN}{len(names)}"
        names[letter] = ""
        return letter
    letters = {name: letter for letter, name in names.items()}
    letter = letters.get(meaning, f"x{len(names)}")
    names[letter] = meaning
    return letter


def _place(monomial: Monomial, names: dict[str, str]) -> tuple[str, int, bool]:
    """Return the property, its power, and whether the factor is known."""
    known = not any(letter.startswith(_UNKNOWN) for letter, _ in monomial)
    properties = [(names[letter], power) for letter, power in monomial if names[letter]]
    if len(properties) > 1:
        both = " and ".join(name for name, _ in properties)
        raise UnreadableEquation(
            f"freq_equation multiplies {both}; each cause has terms of its own"
        )
    name, power = properties[0] if properties else ("", 0)
    if power > 2:
        raise UnreadableEquation(f"freq_equation has {name} to the power {power}; 2 is the highest")
    return name, power, known

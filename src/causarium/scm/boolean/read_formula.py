r"""Reading a formula in any spelling that can mean one thing only.

Prefix `(and A B C)`, calls `and(A, B)` and infix `A and not B`, in words, signs or LaTeX, all in
one grammar. Between two operators of an infix text the order is not > and > xor > or > iff. Three
things joined by infix `iff` have two readings and are refused; so are `==` and `!=` beside another
infix operator, which languages bind otherwise than logic does, constants and `->`.
"""

import re
import unicodedata
from collections.abc import Callable, Collection
from typing import NoReturn

from causarium.scm.boolean.formula import (
    CONSTANTS,
    LIMITS,
    Fault,
    Formula,
    FormulaError,
    Limits,
    Tree,
)

_SPELLINGS = {
    "not": ("not", "neg", "lnot", "overline", "bar", "!", "~", "¬", "∼"),
    "and": ("and", "land", "wedge", "cdot", "&", "&&", "/\\", "∧", "⋀", "·", "⋅", "*"),
    "xor": ("xor", "oplus", "veebar", "^", "⊕", "⊻", "!=", "≠", "neq"),
    "or": ("or", "lor", "vee", "|", "||", "\\/", "∨", "⋁", "+"),
    "iff": (
        *("iff", "xnor", "equivalent", "equiv", "leftrightarrow", "odot"),
        *("<->", "<=>", "<-->", "==", "↔", "⇔", "⟷", "⟺", "≡", "⊙"),
    ),
}
_OPERATORS = {spelling: name for name, group in _SPELLINGS.items() for spelling in group}
_COMPARISONS = {"==", "!=", "≠", "neq"}
_STRENGTH = {"iff": 0, "or": 1, "xor": 2, "and": 3}
_OPENING, _CLOSING = "([{", ")]}"

_ORNAMENT = re.compile(
    r"\\(?:(?:left|right|big|Big|quad|displaystyle)(?![A-Za-z])|[,;!:()\[\]])|[$`]"
)
_COMMENT = re.compile(r"(?:#|//)[^\n]*+")
_WRAPPED_WORD = re.compile(r"\\(?:text|mathrm|mathit|mathbf|operatorname|textbf)\s*\{([^{}]*)\}")
_SUBSCRIPT = re.compile(r"_\{\s*(\w+)\s*\}")
_HEAD = re.compile(r"\s*(?:f_)?(\w+)\s*(?:\([^()]*\)\s*)?&?(?::=|=(?!=)|<-(?!>|-)|←)\s*")
_LAMBDA = re.compile(r"\s*(?:lambda\b[^:]*:|return\b)")
_TOKEN = re.compile(
    r"/\\|\\/|<-->|<->|<=>|&&|\|\||!=|==|->|=>|\\?[A-Za-z_][A-Za-z0-9_]*|\d+|'|\S", re.ASCII
)


def read_formula(
    text: str, variables: Collection[str], limits: Limits = LIMITS, *, of: str = ""
) -> Formula:
    r"""Read `text` as a formula over `variables`.

    Args:
        text: What was written.
        variables: The names it may use; case and underscores are forgiven where that leaves one.
        limits: How large it may be.
        of: The variable that it is the formula of: `X4 = ...` may stand before it.

    Raises:
        FormulaError: It is too large, it is none, or it can mean two things.

    Example:
        >>> str(read_formula("X_1 ∧ ¬x2 ∨ xor(X1, X3)", ["X1", "X2", "X3"]))
        '(or (and X1 (not X2)) (xor X1 X3))'
    """
    if len(text) > limits.chars:
        detail = f"{len(text):,} characters; at most {limits.chars:,} are read"
        raise FormulaError("size", limits.chars, detail)
    formula = Formula(_Reader(text, variables, limits, of).read())
    if formula.size > limits.nodes:
        raise FormulaError("size", 0, f"{formula.size} operators and names; at most {limits.nodes}")
    return formula


class _Reader:
    """Reads one formula by descent; how deep that may go is bounded."""

    def __init__(self, text: str, variables: Collection[str], limits: Limits, of: str) -> None:
        self.text, self.limits = text, limits
        self.names = _fold_names(variables)
        plain = _COMMENT.sub(" ", unicodedata.normalize("NFKC", text))
        plain = _SUBSCRIPT.sub(r"_\1", _WRAPPED_WORD.sub(r" \1 ", plain))
        plain = _ORNAMENT.sub(" ", plain).rstrip().rstrip(";.,\\")
        if of and (head := _HEAD.match(plain)) and fold_name(head[1]) == fold_name(of):
            plain = plain[head.end() :]
        if start := _LAMBDA.match(plain):
            plain = plain[start.end() :]
        self.tokens = _TOKEN.findall(plain)
        self.at = 0
        self.depth = 0
        self.joints: list[str] = []
        """The infix operators between the innermost brackets, as they are spelt."""

    def read(self) -> Tree:
        if not self.tokens:
            self._refuse("syntax", "", "an empty text is no formula")
        tree = self._whole()
        if self.at < len(self.tokens):
            self._refuse_next("what comes before it is a whole formula")
        return tree

    @property
    def word(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _operator(self) -> str:
        """Return the operator that stands next, or nothing."""
        token = self.word if self.word == "\\/" else self.word.lstrip("\\")
        return _OPERATORS.get(token.lower(), "") if token.lower() not in self.names else ""

    def _whole(self) -> Tree:
        """Read all that is joined, up to a bracket, a comma or the end."""
        outer, self.joints = self.joints, []
        tree = self._infix(0)
        if len(self.joints) > 1 and not _COMPARISONS.isdisjoint(self.joints):
            told = "== or != beside another operator can mean two things; add brackets"
            self._refuse("syntax", "", told)
        self.joints = outer
        return tree

    def _infix(self, weakest: int) -> Tree:
        """Read what is joined by operators as strong as `weakest`, or stronger."""
        tree = self._unary()
        while _STRENGTH.get(operator := self._operator(), -1) >= weakest:
            parts = [tree]
            while self._operator() == operator:
                self.joints.append(self.word.lstrip("\\").lower())
                self.at += 1
                parts.append(self._infix(_STRENGTH[operator] + 1))
            if operator == "iff" and len(parts) > 2:
                self._refuse(
                    "syntax", "", "three things joined by iff can mean two things; add brackets"
                )
            tree = (operator, *parts)
        return tree

    def _unary(self) -> Tree:
        if self._operator() == "not":
            self.at += 2 if self.tokens[self.at + 1 : self.at + 2] == [","] else 1
            return self._deeper(lambda: ("not", self._unary()))
        tree = self._deeper(self._primary)
        before = self.at
        while self.word == "'":
            self.at += 1
        # Two primes say nothing, and a tree as deep as a reply is long could not be walked.
        return ("not", tree) if (self.at - before) % 2 else tree

    def _deeper(self, read: Callable[[], Tree]) -> Tree:
        self.depth += 1
        if self.depth > self.limits.depth + 1:
            self._refuse("depth", self.word, f"it nests deeper than {self.limits.depth} levels")
        tree = read()
        self.depth -= 1
        return tree

    def _primary(self) -> Tree:
        if operator := self._operator():
            return self._prefix(operator)
        if self.word and self.word in _OPENING:
            items = self._group()
            if len(items) != 1:
                self._refuse(
                    "syntax", "", f"{len(items)} things stand in brackets, and no operator"
                )
            return items[0]
        return self._name()

    def _prefix(self, operator: str) -> Tree:
        """Read the arguments of an operator that stands before them."""
        spelling = self.word.lower()
        self.at += 1
        arguments: list[Tree] = []
        if self.word == ",":
            while self.word == ",":
                self.at += 1
                arguments.append(self._whole())
        elif self.word and self.word in _OPENING:
            arguments = self._group()
        if len(arguments) < 2:
            while self.word and self.word not in _CLOSING + ",":
                arguments.append(self._unary())
        if spelling == "xnor" and len(arguments) > 2:
            self._refuse("arity", spelling, "xnor of more than two can mean two things")
        if len(arguments) < 2:
            self._refuse("arity", operator, f"{operator} needs two arguments or more")
        return (operator, *arguments)

    def _group(self) -> list[Tree]:
        """Read what stands between two brackets."""
        self.at += 1
        items: list[Tree] = []
        while self.word and self.word not in _CLOSING:
            items.append(self._whole())
            if self.word == ",":
                self.at += 1
        if not self.word:
            self._refuse("syntax", "", "a bracket is not closed")
        self.at += 1
        return items

    def _name(self) -> Tree:
        token = self.word
        found = self.names.get(fold_name(token))
        if found is None:
            if not token:
                self._refuse("syntax", "", "it breaks off")
            if token.lower() in CONSTANTS:
                self._refuse("constant", token, "there are no constants")
            if not token[-1].isalnum():
                self._refuse_next("a name or a bracket is expected there")
            known = ", ".join(sorted(set(self.names.values())))
            self._refuse("name", token, f"unknown name {token[:40]!r}; names: {known}")
        self.at += 1
        return found

    def _refuse_next(self, hint: str) -> NoReturn:
        self._refuse("syntax", self.word, f"{self.word[:40]!r} has no place here: {hint}")

    def _refuse(self, fault: Fault, token: str, message: str) -> NoReturn:
        place = max(0, self.text.find(token)) if token else len(self.text)
        raise FormulaError(fault, place, f"{message} (at character {place})")


def fold_name(name: str) -> str:
    """Return a name without what may stand around it or in it: case, marks, subscripts."""
    plain = unicodedata.normalize("NFKC", name).strip(" $`*\\")
    return plain.replace("_", "").replace("{", "").replace("}", "").lower()


def _fold_names(variables: Collection[str]) -> dict[str, str]:
    """Return for each folded name the one variable that is meant by it."""
    folded: dict[str, str | None] = {}
    for name in variables:
        key = fold_name(name)
        folded[key] = None if key in folded else name
    return {key: name for key, name in folded.items() if name is not None}

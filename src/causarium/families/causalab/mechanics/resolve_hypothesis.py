"""Match a hypothesis with the names of an instance, and find everything that is wrong with it.

Its numbers are read from `coefficients`, in every usual spelling, and from the equation itself.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from causarium.contract.texts.replies import excerpt
from causarium.families.causalab.model.hypothesis import Hypothesis
from causarium.families.causalab.model.instance import FREQUENCY, LabPublic, fold_name, name_index
from causarium.scm.dag import is_acyclic
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


AGREEMENT = 0.01
"""The most that a number of the equation may differ from its coefficient, as a share."""
_BASE_KEYS = frozenset({"base", "basefreq", "basefrequency", "intercept", "constant"})
_TERMS = tuple(
    (kind, re.compile(pattern, flags=re.IGNORECASE))
    for kind, patterns in (
        ("square", (r"c2_(.+)", r"coeff2_(.+)_freq(?:uency)?", r"c_(.+)_1")),
        ("linear", (r"c1?_(.+)", r"coeff1?_(.+)_freq(?:uency)?", r"c_(.+)_2")),
    )
    for pattern in patterns
)
_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A hypothesis in the names of one instance, with everything that is wrong with it."""

    edges: frozenset[tuple[str, str]]
    """`(cause, effect)` in the instance's names; edges with undeclared names are left out."""
    base: float | None
    linear: dict[str, float | None]
    """By parent, the coefficients given for its linear term."""
    square: dict[str, float | None]
    problems: tuple[str, ...]

    @property
    def content(self) -> tuple[object, ...]:
        """What is believed, without how it was written: arrows and numbers."""
        return self.edges, self.base, self.linear, self.square

    def frequency(self, values: Mapping[str, float]) -> float | None:
        """Return the frequency that the coefficients predict; None when one is not known."""
        if self.base is None:
            return None
        total = self.base
        # Sorted, because the order of a set is another in each process and rounding shows it.
        into = {cause for cause, effect in self.edges if effect == FREQUENCY}
        for parent in sorted(into | self.linear.keys() | self.square.keys()):
            linear, square = self.linear.get(parent), self.square.get(parent, 0.0)
            if linear is None and parent in self.square:
                linear = 0.0
            if linear is None or square is None:
                return None
            x = values[parent]
            total += linear * x + square * x * x
        return total if math.isfinite(total) else None


class Numbers(NamedTuple):
    """The numbers of the frequency's equation; None where one is not known."""

    base: float | None
    linear: dict[str, float | None]
    square: dict[str, float | None]


def resolve(hypothesis: Hypothesis, public: LabPublic, *, strict: bool = False) -> Resolved:
    """Match a hypothesis with an instance's names, and find everything that is wrong with it.

    Args:
        hypothesis: What was sent.
        public: The instance, whose names count.
        strict: Take numbers from `coefficients` alone; otherwise those in the equation count too.
    """
    problems = [hypothesis.malformed] if hypothesis.malformed else []
    index = name_index(public.properties)
    edges = _match_edges(hypothesis, index, problems)
    problems += _graph_problems(edges, public)
    symbols = set() if strict else _words_of(hypothesis.freq_equation)
    numbers = _match_coefficients(hypothesis, index, symbols, problems)
    if strict:
        problems += _name_problems(hypothesis.freq_equation, edges, public, index)
    else:
        numbers = _take_equation(hypothesis, numbers, edges, public, problems)
    return Resolved(frozenset(edges), *numbers, tuple(dict.fromkeys(problems)))


def _match_edges(
    hypothesis: Hypothesis, index: Mapping[str, str], problems: list[str]
) -> set[tuple[str, str]]:
    edges: set[tuple[str, str]] = set()
    for edge in hypothesis.edges:
        cause, effect = (index.get(fold_name(name)) for name in (edge.cause, edge.effect))
        if cause and effect:
            edges.add((cause, effect))
        for name, node in ((edge.cause, cause), (edge.effect, effect)):
            if node is None:
                problems.append(f"{excerpt(name)!r} in edges is not a declared property")
    return edges


def _match_coefficients(
    hypothesis: Hypothesis, index: Mapping[str, str], symbols: set[str], problems: list[str]
) -> Numbers:
    """Return the coefficients by what they belong to; `symbols` may be called anything."""
    base: float | None = None
    linear: dict[str, float | None] = {}
    square: dict[str, float | None] = {}
    for key, number in hypothesis.coefficients.items():
        kind, name = _coefficient(key, index)
        if kind == "base":
            base = number
        elif kind == "linear":
            linear[name] = number
        elif kind == "square":
            square[name] = number
        elif key.strip() not in symbols:
            problems.append(f"the coefficient {excerpt(key)!r} belongs to no declared property")
    return Numbers(base, linear, square)


def _coefficient(key: str, index: Mapping[str, str]) -> tuple[str, str]:
    if fold_name(key) in _BASE_KEYS:
        return "base", ""
    if found := _property(key, index):
        return "linear", found
    for kind, pattern in _TERMS:
        match = pattern.fullmatch(key.strip())
        if match and (found := _property(match.group(1), index)):
            return kind, found
    return "unknown", ""


def _property(name: str, index: Mapping[str, str]) -> str | None:
    found = index.get(fold_name(name))
    return found if found != FREQUENCY else None


def _graph_problems(edges: set[tuple[str, str]], public: LabPublic) -> list[str]:
    problems = [
        f"{cause} cannot act on itself" for cause, effect in sorted(edges) if cause == effect
    ]
    number = {name: i for i, name in enumerate(public.nodes)}
    masks = [0] * len(number)
    for cause, effect in edges:
        if cause != effect:
            masks[number[effect]] |= 1 << number[cause]
    if not is_acyclic(tuple(masks)):
        problems.append("the edges form a cycle")
    if not public.frequency_may_cause:
        problems += [
            f"{FREQUENCY} acts on nothing here, but an edge leads from it to {effect}"
            for cause, effect in sorted(edges)
            if cause == FREQUENCY != effect
        ]
    return problems


def _take_equation(
    hypothesis: Hypothesis,
    given: Numbers,
    edges: set[tuple[str, str]],
    public: LabPublic,
    problems: list[str],
) -> Numbers:
    """Return the numbers of coefficients and equation together; what is wrong joins `problems`."""
    text = _spell_names(_right_side(hypothesis.freq_equation, public), public)
    if not text.strip():
        return given
    words = _Words(hypothesis, given, public)
    try:
        read = read_equation(text, words.meaning)
    except UnreadableEquation as wrong:
        problems.append(str(wrong))
        return given
    problems += _parent_problems(words.named, edges)
    base = _agree_coefficient("the base", given.base, read.base, problems)
    linear, square = dict(given.linear), dict(given.square)
    for kind, numbers, mine in (("", read.linear, linear), (" squared", read.square, square)):
        for name, number in numbers.items():
            mine[name] = _agree_coefficient(name + kind, mine.get(name), number, problems)
    return Numbers(base, linear, square)


def _agree_coefficient(
    what: str, coefficient: float | None, written: float | None, problems: list[str]
) -> float | None:
    """Return the coefficient if there is one, else what the equation says."""
    if coefficient is None or written is None:
        return written if coefficient is None else coefficient
    if abs(coefficient - written) > AGREEMENT * max(abs(coefficient), abs(written)):
        problems.append(
            f"the equation says {written:.6g} for {what}, the coefficients {coefficient:.6g}"
        )
    return coefficient


class _Words:
    """What the words of an equation stand for."""

    def __init__(self, hypothesis: Hypothesis, given: Numbers, public: LabPublic) -> None:
        self.named: set[str] = set()
        """The properties that occurred."""
        self._given = given
        self._numbers = {key.strip(): value for key, value in hypothesis.coefficients.items()}
        self._index = name_index(public.properties)

    def meaning(self, word: str) -> str | float | None:
        """Return the property or the number that a word stands for; None: not known yet."""
        name = self._index.get(fold_name(word))
        if name == FREQUENCY:
            raise UnreadableEquation(f"{excerpt(word)!r} stands on the right side of freq_equation")
        if name is not None:
            self.named.add(name)
            return name
        kind, name = _coefficient(word, self._index)
        if kind == "base":
            return self._given.base
        if kind in ("linear", "square"):
            terms = self._given.linear if kind == "linear" else self._given.square
            return terms.get(name)
        if self._numbers.get(word) is None:
            raise UnreadableEquation(
                f"{excerpt(word)!r} in freq_equation is not a declared property, and coefficients "
                "give no number for it"
            )
        return self._numbers[word]


def _right_side(equation: str, public: LabPublic) -> str:
    """Return the side of an equation on which the frequency does not stand alone."""
    index = name_index(public.properties)
    sides = equation.split("=")
    if len(sides) > 1 and index.get(fold_name(sides[-1])) == FREQUENCY:
        return sides[-2]
    return sides[-1]


def _parent_problems(named: set[str], edges: set[tuple[str, str]]) -> list[str]:
    parents = {cause for cause, effect in edges if effect == FREQUENCY}
    if named == parents:
        return []
    return [
        f"freq_equation uses {_list_names(named)}, but the edges into {FREQUENCY} come from "
        f"{_list_names(parents)}"
    ]


def _name_problems(
    equation: str, edges: set[tuple[str, str]], public: LabPublic, index: Mapping[str, str]
) -> list[str]:
    if not equation.strip():
        return []
    named, unknown = _names_in(equation.rpartition("=")[2], public, index)
    if unknown:
        return [
            f"{excerpt(name)!r} in freq_equation is not a declared property" for name in unknown
        ]
    return _parent_problems(named, edges)


def _spell_names(text: str, public: LabPublic) -> str:
    """Return `text` with display names of more than one word replaced by names."""
    for prop in public.properties:
        # A display name that is one word is found among words, and may be part of `c_moisture`.
        if not prop.display.isalnum():
            written = rf"(?<!\w){re.escape(prop.display)}"
            text = re.sub(written, f" {prop.name} ", text, flags=re.IGNORECASE)
    return text


def _names_in(text: str, public: LabPublic, index: Mapping[str, str]) -> tuple[set[str], list[str]]:
    text = _NUMBER.sub(" ", _spell_names(text, public).replace("²", "^2"))
    named: set[str] = set()
    unknown: list[str] = []
    for word in re.findall(r"[^\W\d]\w*", text):
        found = index.get(fold_name(word))
        if found and found != FREQUENCY:
            named.add(found)
        elif found == FREQUENCY or _coefficient(word, index)[0] == "unknown":
            unknown.append(word)
    return named, unknown


def _words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d]\w*", text))


def _list_names(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"

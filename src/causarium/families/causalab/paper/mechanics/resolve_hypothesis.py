"""Paper edition: match a hypothesis with the names of an instance, and list what is wrong with it.

Its numbers are read from `coefficients`, in every usual spelling.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from causarium.contract.texts.replies import excerpt
from ..model.hypothesis import Hypothesis
from ..model.instance import FREQUENCY, LabPublic, fold_name, join_named, name_index

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
class ResolvedHypothesis:
    """A hypothesis in the names of one instance, with everything that is wrong with it."""

    edges: frozenset[tuple[str, str]]
    """`(cause, effect)` in the instance's names; edges with undeclared names are left out."""
    base: float | None
    linear: dict[str, float | None]
    """By parent, the coefficients given for its linear term."""
    square: dict[str, float | None]
    problems: tuple[str, ...]
    sent: Hypothesis = field(default_factory=Hypothesis)
    """As it was written."""

    def agrees_with(self, other: "ResolvedHypothesis | None") -> bool:
        """Say whether another has the same arrows and numbers, however written."""
        return other is not None and (self.edges, self.base, self.linear, self.square) == (
            other.edges,
            other.base,
            other.linear,
            other.square,
        )

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


def resolve(
    hypothesis: Hypothesis, public: LabPublic, names: Mapping[str, str] | None = None
) -> ResolvedHypothesis:
    """Match a hypothesis with an instance's names, and find everything that is wrong with it.

    Args:
        hypothesis: What was sent.
        public: The instance that it speaks of.
        names: The `name_index` of its properties, by whoever has it at hand.
    """
    problems = [hypothesis.malformed] if hypothesis.malformed else []
    index = name_index(public.properties) if names is None else names
    edges = _match_edges(hypothesis, index, problems)
    problems += _graph_problems(edges, public)
    numbers = _match_coefficients(hypothesis, index, problems)
    problems += _name_problems(hypothesis.freq_equation, edges, public, index)
    return ResolvedHypothesis(
        frozenset(edges), *numbers, tuple(dict.fromkeys(problems)), hypothesis
    )


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
    hypothesis: Hypothesis, index: Mapping[str, str], problems: list[str]
) -> tuple[float | None, dict[str, float | None], dict[str, float | None]]:
    """Return the base, and the linear and square coefficients by what they belong to."""
    found: dict[str, dict[str, float | None]] = {"base": {}, "linear": {}, "square": {}}
    for key, number in hypothesis.coefficients.items():
        kind, name = _coefficient(key, index)
        if kind in found:
            found[kind][name] = number
        else:
            problems.append(f"the coefficient {excerpt(key)!r} belongs to no declared property")
    return found["base"].get(""), found["linear"], found["square"]


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
    if join_named(public.nodes, (edge for edge in edges if edge[0] != edge[1])) is None:
        problems.append("the edges form a cycle")
    if not public.frequency_may_cause:
        problems += [
            f"{FREQUENCY} acts on nothing here, but an edge leads from it to {effect}"
            for cause, effect in sorted(edges)
            if cause == FREQUENCY != effect
        ]
    return problems


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
    parents = {cause for cause, effect in edges if effect == FREQUENCY}
    if named == parents:
        return []
    return [
        f"freq_equation uses {_list_names(named)}, but the edges into {FREQUENCY} come from "
        f"{_list_names(parents)}"
    ]


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


def _list_names(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"

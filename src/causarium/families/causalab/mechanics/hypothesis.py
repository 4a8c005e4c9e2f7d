"""What an agent believes at a turn: a graph, the frequency's equation and its coefficients.

Replies are hostile input, and a bad hypothesis must not cost the action it came with. So the
model never refuses: whatever is sent becomes a `Hypothesis`, and what is wrong with its shape is
said in `malformed`. `resolve` then matches its names with the properties of an instance and says
everything else that is wrong. The world sends a hypothesis with problems back, at most twice.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from causarium.contract.frozen import Frozen
from causarium.contract.replies import excerpt
from causarium.families.causalab.instance import FREQUENCY, LabPublic
from causarium.families.causalab.mechanics.properties import name_index, plain
from causarium.scm.dag import is_acyclic

MAX_EDGES = 300
"""A hypothesis with more edges is not read."""
MAX_COEFFICIENTS = 100
MAX_EQUATION_CHARS = 2_000
FORM = (
    "An object with three keys. edges: every arrow believed in, as a list "
    '[{"from": "a", "to": "b"}, ...]. freq_equation: a text such as '
    '"resonanceFreq = base + c_density*density"; a square is written '
    '"c2_density*density^2 + c1_density*density". coefficients: the equation\'s numbers by name, '
    'such as {"base": 20, "c_density": 2}, null where not yet known.'
)
"""How a hypothesis is written, in the words that a tool's user is shown."""
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


class HypothesisEdge(Frozen):
    """One arrow of a hypothesis."""

    model_config = ConfigDict(populate_by_name=True)

    cause: str = Field(alias="from", description="The property that acts.")
    effect: str = Field(alias="to", description="What it acts on.")


class Hypothesis(Frozen):
    """A causal graph, the frequency's equation and its coefficients, as now believed."""

    edges: tuple[HypothesisEdge, ...] = ()
    """Every arrow believed in."""
    freq_equation: str = ""
    coefficients: dict[str, float | None] = Field(default_factory=dict)
    """The equation's numbers by name; None where not yet known."""
    malformed: str | None = None
    """What was wrong with the shape of what was sent; None when nothing was."""

    @model_validator(mode="before")
    @classmethod
    def _never_refuse(cls, value: object) -> object:
        return value if isinstance(value, Hypothesis) else _read(value)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe the form in words and demand nothing.

        Whoever checks a call against a stricter schema refuses it before it can be sent back here.
        """
        return {"description": FORM}


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


def resolve(hypothesis: Hypothesis, public: LabPublic) -> Resolved:
    """Match a hypothesis with an instance's names, and find everything that is wrong with it."""
    problems = [hypothesis.malformed] if hypothesis.malformed else []
    index = name_index(public.properties)
    edges: set[tuple[str, str]] = set()
    for edge in hypothesis.edges:
        ends = [index.get(plain(name)) for name in (edge.cause, edge.effect)]
        if ends[0] and ends[1]:
            edges.add((ends[0], ends[1]))
        for name, found in zip((edge.cause, edge.effect), ends, strict=True):
            if found is None:
                problems.append(f"{excerpt(name)!r} in edges is not a declared property")
    problems += _graph_problems(edges, public)
    base, linear, square = None, {}, {}
    for key, number in hypothesis.coefficients.items():
        kind, name = _coefficient(key, index)
        if kind == "base":
            base = number
        elif kind == "linear":
            linear[name] = number
        elif kind == "square":
            square[name] = number
        else:
            problems.append(f"the coefficient {excerpt(key)!r} belongs to no declared property")
    problems += _equation_problems(hypothesis.freq_equation, edges, public, index)
    return Resolved(frozenset(edges), base, linear, square, tuple(dict.fromkeys(problems)))


def _read(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {"malformed": "a hypothesis is an object with edges, freq_equation, coefficients"}
    told = value.get("malformed")
    problems = [told[:500]] if isinstance(told, str) and told else []
    return {
        "edges": _read_edges(value.get("edges"), problems),
        "freq_equation": _read_equation(value.get("freq_equation"), problems),
        "coefficients": _read_coefficients(value.get("coefficients"), problems),
        "malformed": "; ".join(problems[:4]) or None,
    }


def _read_edges(value: object, problems: list[str]) -> list[dict[str, str]]:
    if value is None:
        return []
    if not isinstance(value, Sequence) or isinstance(value, str):
        problems.append('edges must be a list of {"from": ..., "to": ...}')
        return []
    if len(value) > MAX_EDGES:
        problems.append(f"{len(value)} edges; at most {MAX_EDGES} are read")
        return []
    found = []
    for number, item in enumerate(value):
        ends = _ends(item)
        if ends is None:
            problems.append(f'edges[{number}] must be {{"from": name, "to": name}}')
        else:
            found.append({"cause": ends[0], "effect": ends[1]})
    return found


def _ends(item: object) -> tuple[str, str] | None:
    if isinstance(item, HypothesisEdge):
        return item.cause, item.effect
    if isinstance(item, Mapping):
        ends: list[object] = [
            item.get("from", item.get("cause")),
            item.get("to", item.get("effect")),
        ]
    elif isinstance(item, Sequence) and not isinstance(item, str) and len(item) == 2:
        ends = list(item)
    else:
        return None
    cause, effect = ends
    if isinstance(cause, str) and isinstance(effect, str):
        return cause[:200], effect[:200]
    return None


def _read_equation(value: object, problems: list[str]) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        problems.append("freq_equation must be a string")
        return ""
    if len(value) > MAX_EQUATION_CHARS:
        problems.append(f"freq_equation is longer than {MAX_EQUATION_CHARS} characters")
        return ""
    return value


def _read_coefficients(value: object, problems: list[str]) -> dict[str, float | None]:
    if value is None:
        return {}
    if not isinstance(value, Mapping) or len(value) > MAX_COEFFICIENTS:
        problems.append(
            f"coefficients must be an object of at most {MAX_COEFFICIENTS} numbers by name"
        )
        return {}
    found: dict[str, float | None] = {}
    for key, number in value.items():
        name = str(key)[:200]
        if number is None:
            found[name] = None
        elif (plain_number := _number(number)) is None:
            problems.append(f"coefficients.{excerpt(name)} is not a finite number")
        else:
            found[name] = plain_number
    return found


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _coefficient(key: str, index: Mapping[str, str]) -> tuple[str, str]:
    if plain(key) in _BASE_KEYS:
        return "base", ""
    if found := _property(key, index):
        return "linear", found
    for kind, pattern in _TERMS:
        match = pattern.fullmatch(key.strip())
        if match and (found := _property(match.group(1), index)):
            return kind, found
    return "unknown", ""


def _property(name: str, index: Mapping[str, str]) -> str | None:
    found = index.get(plain(name))
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


def _equation_problems(
    equation: str, edges: set[tuple[str, str]], public: LabPublic, index: Mapping[str, str]
) -> list[str]:
    if not equation.strip():
        return []
    named, unknown = _names_in(equation.rpartition("=")[2], public, index)
    problems = [
        f"{excerpt(name)!r} in freq_equation is not a declared property" for name in unknown
    ]
    parents = {cause for cause, effect in edges if effect == FREQUENCY}
    if not unknown and named != parents:
        problems.append(
            f"freq_equation uses {_listed(named)}, but the edges into {FREQUENCY} come from "
            f"{_listed(parents)}"
        )
    return problems


def _names_in(text: str, public: LabPublic, index: Mapping[str, str]) -> tuple[set[str], list[str]]:
    for prop in public.properties:
        # A display name that is one word is found below, and may be part of `c_moisture` here.
        if not prop.display.isalnum():
            written = rf"(?<!\w){re.escape(prop.display)}"
            text = re.sub(written, f" {prop.name} ", text, flags=re.IGNORECASE)
    text = _NUMBER.sub(" ", text.replace("²", "^2"))
    named: set[str] = set()
    unknown: list[str] = []
    for word in re.findall(r"[^\W\d]\w*", text):
        found = index.get(plain(word))
        if found and found != FREQUENCY:
            named.add(found)
        elif found == FREQUENCY or _coefficient(word, index)[0] == "unknown":
            unknown.append(word)
    return named, unknown


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"

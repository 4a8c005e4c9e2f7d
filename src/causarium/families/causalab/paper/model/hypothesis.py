"""Paper edition: what an agent believes at a turn, a graph and the frequency's equation.

Replies are hostile input, and a bad hypothesis must not cost the action it came with. So the
model never refuses: whatever is sent becomes a `Hypothesis`, and what is wrong with its shape is
said in `malformed`. `resolve_hypothesis` then matches its names with the properties of an instance
and says everything else that is wrong. The world sends a hypothesis with problems back, at most
twice.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from causarium.contract.frozen import Frozen
from causarium.contract.texts.replies import excerpt

MAX_EDGES = 300
"""A hypothesis with more edges is not read."""
MAX_COEFFICIENTS = 100
MAX_EQUATION_CHARS = 2_000
_MAX_PROBLEM_CHARS = 500
FORM = (
    "An object with three keys. edges: every arrow believed in, as a list "
    '[{"from": "a", "to": "b"}, ...]. freq_equation: a text such as '
    '"resonanceFreq = base + c_density*density"; a square is written '
    '"c2_density*density^2 + c1_density*density". coefficients: the equation\'s numbers by name, '
    'such as {"base": 20, "c_density": 2}, null where not yet known.'
)
"""How a hypothesis is written, in the words that a tool's user is shown."""


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


def _read(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {"malformed": "a hypothesis is an object with edges, freq_equation, coefficients"}
    told = value.get("malformed")
    problems = [told[:_MAX_PROBLEM_CHARS]] if isinstance(told, str) and told else []
    return {
        "edges": _read_edges(value.get("edges"), problems),
        "freq_equation": _read_equation(value.get("freq_equation"), problems),
        "coefficients": _read_coefficients(value.get("coefficients"), problems),
        "malformed": "; ".join(problems[:4])[:_MAX_PROBLEM_CHARS] or None,
    }


def _read_edges(value: object, problems: list[str]) -> list[dict[str, str]]:
    given = () if value is None else value
    if not isinstance(given, Sequence) or isinstance(given, str):
        problems.append('edges must be a list of {"from": ..., "to": ...}')
        return []
    if len(given) > MAX_EDGES:
        problems.append(f"{len(given)} edges; at most {MAX_EDGES} are read")
        return []
    found = []
    for number, item in enumerate(given):
        match item:
            case HypothesisEdge(cause=cause, effect=effect):
                pass
            case Mapping():
                cause = item.get("from", item.get("cause"))
                effect = item.get("to", item.get("effect"))
            case [cause, effect]:
                pass
            case _:
                cause = effect = None
        if isinstance(cause, str) and isinstance(effect, str):
            found.append({"cause": cause[:200], "effect": effect[:200]})
        else:
            problems.append(f'edges[{number}] must be {{"from": name, "to": name}}')
    return found


def _read_equation(value: object, problems: list[str]) -> str:
    if isinstance(value, str) and len(value) <= MAX_EQUATION_CHARS:
        return value
    if isinstance(value, str):
        problems.append(f"freq_equation is longer than {MAX_EQUATION_CHARS} characters")
    elif value is not None:
        problems.append("freq_equation must be a string")
    return ""


def _read_coefficients(value: object, problems: list[str]) -> dict[str, float | None]:
    given = {} if value is None else value
    if not isinstance(given, Mapping) or len(given) > MAX_COEFFICIENTS:
        problems.append(
            f"coefficients must be an object of at most {MAX_COEFFICIENTS} numbers by name"
        )
        return {}
    found: dict[str, float | None] = {}
    for key, number in given.items():
        name = str(key)[:200]
        # A larger whole number than a float can hold is no finite number either.
        is_number = isinstance(number, int | float) and not isinstance(number, bool)
        if number is None:
            found[name] = None
        elif is_number and abs(number) <= sys.float_info.max:
            found[name] = float(number)
        else:
            problems.append(f"coefficients.{excerpt(name)} is not a finite number")
    return found

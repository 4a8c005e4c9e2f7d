"""A world's actions as forms, and what people enter as moves: the twin of the engine's tools."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Program

INVALID = "invalid action"
"""The error mode of what does not fit its action, as for a tool call."""


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to enter."""

    name: str
    about: str
    kind: str
    """`choice`, `number`, `switch`, `text` or `json`."""
    choices: tuple[str, ...] = ()
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """One action that can be taken."""

    kind: str
    about: str
    fields: tuple[Field, ...]


def forms_of(actions: tuple[type[Action], ...]) -> list[Form]:
    """Return a form for each action; programs are left out, since nothing here runs code."""
    offered = [a for a in actions if a.in_tools and not issubclass(a, Program)]
    return [_form(action) for action in offered]


def _form(action: type[Action]) -> Form:
    schema = action.model_json_schema()
    definitions = schema.get("$defs", {})
    fields = tuple(
        _field(name, _resolve_reference(part, definitions), name in schema.get("required", ()))
        for name, part in schema.get("properties", {}).items()
    )
    return Form(action.kind, " ".join((action.__doc__ or "").split()), fields)


def _resolve_reference(part: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in part:
        return {**definitions[part["$ref"].rpartition("/")[2]], **part}
    return part


def _field(name: str, part: dict[str, Any], needed: bool) -> Field:  # noqa: FBT001
    about = part.get("description", name)
    if "enum" in part:
        return Field(name, about, "choice", tuple(map(str, part["enum"])), needed)
    kinds = {"string": "text", "integer": "number", "number": "number", "boolean": "switch"}
    return Field(name, about, kinds.get(part.get("type", ""), "json"), needed=needed)


def read_form(actions: tuple[type[Action], ...], entered: Mapping[str, str]) -> Move:
    """Return the move that a posted form stands for; what does not fit is data, as anywhere."""
    kind = entered.get("kind", "")
    for action in actions:
        if action.kind == kind and action.in_tools and not issubclass(action, Program):
            fields = {f.name: _value(f, entered.get(f.name, "")) for f in _form(action).fields}
            try:
                return action.model_validate({k: v for k, v in fields.items() if v is not None})
            except ValidationError as wrong:
                return Unparsed(mode=INVALID, detail=describe_validation_error(wrong))
    return Unparsed(mode=INVALID, detail=f"there is no action {kind[:80]!r} here now")


def _value(field: Field, text: str) -> object:
    if field.kind == "switch":
        return text != ""
    if text == "" and not field.needed:
        return None
    if field.kind in {"text", "choice"}:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text

"""JSON schemas of replies, for providers that can hold a model to one.

Everything that can grow has a limit, so that a small model cannot write for ever; objects take the
keys that are named and no others, in the order in which they are named. Only the words that all
readers of schemas know are used: no references, no patterns.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeAlias

from causarium.contract.frozen import Json
from causarium.contract.world import Action

Schema: TypeAlias = dict[str, Json]
"""A JSON schema."""

NAME_CHARS = 80
"""How long a name may be."""
TEXT_CHARS = 400
"""How long a text may be, where nothing else is said."""
MOST_ITEMS = 64
"""How long a list may be, where nothing else is said."""

INVALID_CALL = "invalid action"
"""The error mode of a call, or of a form, that does not fit the schema of its action."""

NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
NULL: Schema = {"type": "null"}


def text_schema(most: int = TEXT_CHARS) -> Schema:
    """Return the schema of a text of at most `most` characters."""
    return {"type": "string", "maxLength": most}


def choice_schema(*choices: str) -> Schema:
    """Return the schema of one of these texts."""
    return {"type": "string", "enum": list(choices)}


def list_schema(item: Schema, most: int = MOST_ITEMS, *, least: int = 0) -> Schema:
    """Return the schema of a list of `least` to `most` items."""
    return {"type": "array", "items": item, "minItems": least, "maxItems": most}


def mapping_schema(names: Iterable[str], value: Schema) -> Schema:
    """Return the schema of an object that has a value for any of these names."""
    fields = dict.fromkeys(names, value)
    return object_schema(fields, optional=fields)


def object_schema(fields: Mapping[str, Schema], *, optional: Collection[str] = ()) -> Schema:
    """Return the schema of an object with these keys, in this order."""
    return {
        "type": "object",
        "properties": dict(fields),
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def any_schema(*schemas: Schema) -> Schema:
    """Return the schema of what fits one of these."""
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def actions_schema(actions: Iterable[type[Action]]) -> Schema:
    """Return the schema of the fields of one of these actions."""
    return any_schema(
        *(add_bounds(inline_references(action.model_json_schema())) for action in actions)
    )


def tool_parameters(action: type[Action]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments of an action as a tool, each by its schema, and those that are needed.

    An argument that nothing is said of goes by its name.
    """
    schema = inline_references(action.model_json_schema())
    fields = schema.get("properties", {}).items()
    named = {name: {"description": name, **field} for name, field in fields}
    return named, schema.get("required", [])


def inline_references(schema: dict[str, Any]) -> dict[str, Any]:
    """Put the definitions of a schema where they are used: providers do not follow references."""
    definitions = schema.get("$defs", {})

    def resolve(part: Any) -> Any:  # noqa: ANN401
        if isinstance(part, list):
            return [resolve(item) for item in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            beside = {key: value for key, value in part.items() if key != "$ref"}
            return {**resolve(definitions[part["$ref"].rsplit("/", 1)[-1]]), **beside}
        return {
            key: _fields(value, resolve) if key == "properties" else resolve(value)
            for key, value in part.items()
            if key not in {"title", "$defs"}
        }

    found: dict[str, Any] = resolve(schema)
    return found


def _fields(fields: dict[str, Any], resolve: Callable[[Any], Any]) -> dict[str, Any]:
    # A field may be called `title`, which elsewhere in a schema is no more than a name for it.
    return {name: resolve(field) for name, field in fields.items()}


def add_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    """Give every text and list of an inlined schema a limit where it has none.

    Example:
        >>> add_bounds({"type": "array", "items": {"type": "string", "maxLength": 9}})
        {'type': 'array', 'items': {'type': 'string', 'maxLength': 9}, 'maxItems': 64}
    """
    limited = dict(schema)
    if "const" in schema:
        limited["enum"] = [limited.pop("const")]
    for choices in ("anyOf", "oneOf"):
        if choices in schema:
            limited.pop(choices)
            limited["anyOf"] = [add_bounds(choice) for choice in schema[choices]]
    match schema.get("type"):
        case "string" if "enum" not in limited:
            limited.setdefault("maxLength", TEXT_CHARS)
        case "array":
            limited.setdefault("maxItems", MOST_ITEMS)
            limited["items"] = _item(limited)
        case "object":
            fields = schema.get("properties", {})
            limited["properties"] = {name: add_bounds(field) for name, field in fields.items()}
            rest = schema.get("additionalProperties", False)
            limited["additionalProperties"] = add_bounds(rest) if isinstance(rest, dict) else False
    return limited


def _item(array: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a list's items; where each place has its own, any of them."""
    places = array.pop("prefixItems", None)
    if places is not None:
        return any_schema(*(add_bounds(place) for place in places))
    return add_bounds(array.get("items", {"type": "string"}))

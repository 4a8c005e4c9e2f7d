"""Random JSON documents that fit a schema."""

from random import Random
from typing import Any

_LETTERS = 'abc XY_1."\\{}[]<é'


def drawn(schema: dict[str, Any], rng: Random) -> Any:
    """Return a document that fits `schema`."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "anyOf" in schema:
        return drawn(rng.choice(schema["anyOf"]), rng)
    match schema["type"]:
        case "string":
            size = rng.randint(schema.get("minLength", 0), min(schema["maxLength"], 12))
            text = "".join(rng.choice(_LETTERS) for _ in range(size))
            # A name of blanks alone is no name, which schemas that providers take cannot say.
            return text if text.strip() or "minLength" not in schema else "a"
        case "integer":
            return rng.randint(schema.get("minimum", -99), schema.get("maximum", 99))
        case "number":
            low, high = schema.get("minimum", -50), schema.get("maximum", 50)
            odd = [value for value in (0, -1, 3.5, 1e3) if "minimum" not in schema or value == 0]
            return rng.choice([*odd, round(rng.uniform(low, high), 2)])
        case "boolean":
            return rng.random() < 0.5
        case "null":
            return None
        case "array":
            least = schema.get("minItems", 0)
            count = rng.randint(least, min(schema["maxItems"], least + 3))
            return [drawn(schema["items"], rng) for _ in range(count)]
    return _object(schema, rng)


def _object(schema: dict[str, Any], rng: Random) -> dict[str, Any]:
    fields = {
        name: drawn(field, rng)
        for name, field in schema.get("properties", {}).items()
        if name in schema.get("required", ()) or rng.random() < 0.5
    }
    rest = schema.get("additionalProperties")
    if isinstance(rest, dict):
        fields |= {f"key {n}": drawn(rest, rng) for n in range(rng.randint(0, 2))}
    return fields


def unlimited(schema: dict[str, Any], path: str = "") -> list[str]:
    """Return the places of a schema at which a document can grow without end."""
    found = [
        f"{path}: no {limit}"
        for kind, limit in (("string", "maxLength"), ("array", "maxItems"))
        if schema.get("type") == kind and limit not in schema and "enum" not in schema
    ]
    rest = schema.get("additionalProperties")
    if schema.get("type") == "object" and rest is not False and "maxProperties" not in schema:
        found.append(f"{path}: any keys")
    inner = dict(schema.get("properties", {}))
    inner |= {f"choice {n}": choice for n, choice in enumerate(schema.get("anyOf", ()))}
    inner |= {"items": schema["items"]} if "items" in schema else {}
    inner |= {"rest": rest} if isinstance(rest, dict) else {}
    for name, part in inner.items():
        found += unlimited(part, f"{path}/{name}")
    return found

"""Making moves of any kind for any family, from the declared types of its actions alone."""

from collections.abc import Sequence
from random import Random
from typing import Any

from pydantic import ValidationError

from causarium.contract.checks.json_values import leaves
from causarium.contract.episode import Episode
from causarium.contract.frozen import Json
from causarium.contract.world import Action

ABSURD = "no-such-thing-☂"
"""A name that no world has."""

_TRIES = 12
_DEPTH = 6


class MoveMaker:
    """Makes random actions with words from `vocabulary`."""

    def __init__(self, rng: Random, vocabulary: Sequence[Json]) -> None:
        self._rng = rng
        self._schemas: dict[type[Action], dict[str, Any]] = {}
        self._strings = [word for word in vocabulary if isinstance(word, str)] or ["word"]
        self._numbers = [
            word
            for word in vocabulary
            if isinstance(word, int | float) and not isinstance(word, bool)
        ] or [1]

    def make(self, kind: type[Action]) -> Action | None:
        """Return an action of this kind; None if no try fits its type."""
        if kind not in self._schemas:
            self._schemas[kind] = kind.model_json_schema()
        schema = self._schemas[kind]
        for _ in range(_TRIES):
            try:
                return kind.model_validate(self._value(schema, schema.get("$defs", {}), 0))
            except ValidationError:
                continue
        return None

    def shuffle_kinds(self, kinds: Sequence[type[Action]]) -> list[type[Action]]:
        """Return `kinds` in a random order."""
        return self._rng.sample(kinds, len(kinds))

    def _value(self, schema: dict[str, Any], types: dict[str, Any], depth: int) -> Json:
        rng = self._rng
        if "$ref" in schema:
            return self._value(types[schema["$ref"].rsplit("/", 1)[-1]], types, depth + 1)
        if "const" in schema:
            value: Json = schema["const"]
            return value
        for choices in ("enum", "anyOf", "oneOf"):
            if choices in schema:
                chosen = rng.choice(schema[choices])
                return chosen if choices == "enum" else self._value(chosen, types, depth + 1)
        return self._make_typed_value(schema, types, depth)

    def _make_typed_value(self, schema: dict[str, Any], types: dict[str, Any], depth: int) -> Json:
        rng = self._rng
        match schema.get("type"):
            case "string":
                return rng.choice(self._strings)
            case "integer":
                return int(rng.choice([*self._numbers, 0, 1, 2, -1]))
            case "number":
                return rng.choice([*self._numbers, rng.uniform(-10, 10)])
            case "boolean":
                return rng.random() < 0.5
            case "array":
                return self._items(schema, types, depth)
        return self._fields(schema, types, depth) if schema.get("type") == "object" else None

    def _items(self, schema: dict[str, Any], types: dict[str, Any], depth: int) -> Json:
        fixed = schema.get("prefixItems")
        if fixed is not None:
            return [self._value(item, types, depth + 1) for item in fixed]
        least = schema.get("minItems", 0)
        count = least if depth > _DEPTH else self._rng.randint(least, least + 2)
        return [self._value(schema.get("items", {}), types, depth + 1) for _ in range(count)]

    def _fields(self, schema: dict[str, Any], types: dict[str, Any], depth: int) -> Json:
        needed = schema.get("required", [])
        made = {
            name: self._value(field, types, depth + 1)
            for name, field in schema.get("properties", {}).items()
            if name in needed or (depth < _DEPTH and self._rng.random() < 0.5)
        }
        rest = schema.get("additionalProperties")
        if isinstance(rest, dict) and depth < _DEPTH:
            made[self._rng.choice(self._strings)] = self._value(rest, types, depth + 1)
        return made


def collect_values(episodes: Sequence[Episode]) -> list[Json]:
    """Return the words and numbers of an instance that moves can be made of.

    They are the leaves of the public part and of what players did; the secret is not asked.
    """
    words: dict[Any, None] = {}
    publics = {episode.instance.id: episode.instance.public for episode in episodes}
    for public in publics.values():
        words.update(dict.fromkeys(leaf for _, leaf in leaves(public.model_dump(mode="json"))))
    for turn in (turn for episode in episodes for turn in episode.turns):
        fields = {name: value for name, value in (turn.action or {}).items() if name != "kind"}
        words.update(dict.fromkeys(leaf for _, leaf in leaves(fields)))
    return list(words)

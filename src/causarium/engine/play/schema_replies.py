"""Replies held to a JSON schema by the provider, where the rules ask for it."""

from typing import Any

from inspect_ai.model import GenerateConfig, Model, ResponseSchema
from inspect_ai.util import JSONSchema
from pydantic import Field

from causarium.contract.episode import Episode
from causarium.contract.texts.reply_schemas import Schema, actions_schema
from causarium.engine.local.server import SERVICE


class LimitedSchema(JSONSchema):
    """A schema in Inspect's words that keeps the limits of lists, which Inspect's own drops.

    A list without a limit is one that a small model fills until its tokens run out.
    """

    minItems: int | None = Field(default=None)  # noqa: N815
    maxItems: int | None = Field(default=None)  # noqa: N815
    maxProperties: int | None = Field(default=None)  # noqa: N815
    items: "LimitedSchema | None" = Field(default=None)
    properties: "dict[str, LimitedSchema] | None" = Field(default=None)  # type: ignore[assignment]
    additionalProperties: "LimitedSchema | bool | None" = Field(default=None)  # noqa: N815
    anyOf: "list[LimitedSchema] | None" = Field(default=None)  # type: ignore[assignment]  # noqa: N815


def find_expected_schema(episode: Episode) -> Schema:
    """Return the JSON schema of the reply that an episode now expects."""
    family, allowed_actions = episode.family, episode.world.allowed_actions
    if family.replies.schema is None:
        return actions_schema(allowed_actions)
    return family.replies.schema(episode.instance.public, allowed_actions, episode.rules)


class ReplySchemas:
    """The schemas of one episode's replies in Inspect's words, each made once."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._made: dict[tuple[Any, ...], ResponseSchema] = {}

    def make_next_schema(self) -> ResponseSchema | None:
        """Return the schema of the next reply; None where the rules leave replies free."""
        allowed_actions = self._episode.world.allowed_actions
        if not self._episode.rules.constrained or not allowed_actions:
            return None
        if allowed_actions not in self._made:
            # Some providers take no schema that does not begin with an object.
            wanted = {"type": "object", **find_expected_schema(self._episode)}
            schema = LimitedSchema.model_validate(wanted)
            name = f"{self._episode.family.name}_reply"
            self._made[allowed_actions] = ResponseSchema(name=name, json_schema=schema)
        return self._made[allowed_actions]


def reply_config(schema: ResponseSchema | None, model: Model) -> GenerateConfig:
    """Return the settings under which a model writes a reply.

    To servers of OpenAI's interface Inspect sends no limits of texts, because some refuse them. The
    one on this machine takes them, and a small model needs them: it is sent the whole schema.
    """
    if schema is None or not str(model).startswith(f"{SERVICE}/"):
        return GenerateConfig(response_schema=schema)
    whole = {"name": schema.name, "schema": schema.json_schema.model_dump(exclude_none=True)}
    form = {"type": "json_schema", "json_schema": whole}
    return GenerateConfig(response_schema=schema, extra_body={"response_format": form})

"""What is said between a model and a world: asked, mended, continued and kept in the log.

The sample's messages hold everything that was said. What is sent of it is for `context_window` to
decide, and what was left out is in the store, as are the tokens of every reply. Where the rules ask
for it, the provider holds replies to a JSON schema.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
    get_model_info,
)
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolDef
from inspect_ai.util import JSONSchema
from pydantic import Field
from pydantic_core import PydanticSerializationError

from causarium.contract.episode import Episode
from causarium.contract.frozen import make_writable
from causarium.contract.texts.reply_schemas import Schema, actions_schema
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Move
from causarium.engine.play.ask_roles import ask_until_readable
from causarium.engine.play.context_window import Context, is_overflow
from causarium.engine.record.episode_record import tokens_of
from causarium.engine.record.episode_store import EXCEEDED, EpisodeStore

LOCAL_SERVICE = "openai-api/local/"
"""How the names of models begin that this machine serves."""


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


def reply_config(schema: ResponseSchema | None, model: Model) -> GenerateConfig:
    """Return the settings under which a model writes a reply.

    To servers of OpenAI's interface Inspect sends no limits of texts, because some refuse them. The
    one on this machine takes them, and a small model needs them: it is sent the whole schema.
    """
    if schema is None or not str(model).startswith(LOCAL_SERVICE):
        return GenerateConfig(response_schema=schema)
    whole = {"name": schema.name, "schema": schema.json_schema.model_dump(exclude_none=True)}
    form = {"type": "json_schema", "json_schema": whole}
    return GenerateConfig(response_schema=schema, extra_body={"response_format": form})


def join_prefill(prefill: str, said: str) -> str:
    """Return a reply with the tag that it was made to begin with, unless it begins anew.

    Args:
        prefill: The tag, or nothing.
        said: What the provider returned: the rest of the reply, or a whole one.

    Example:
        >>> join_prefill("<think>", "So.</think>{}"), join_prefill("<think>", "{}")
        ('<think>So.</think>{}', '{}')
    """
    goes_on = prefill.replace("<", "</") in said and prefill not in said
    return prefill + said if goes_on else said


GO_ON = "Your reply was cut off. Go on exactly where it stopped; repeat nothing."
"""Said to a model that stopped at the token limit, where the rules let it go on."""


class Conversation:
    """The messages of one sample, and the model that they are sent to."""

    def __init__(self, state: TaskState, episode: Episode) -> None:
        self.state = state
        self.rules = episode.rules
        self.model = get_model()
        self._episode = episode
        self._schemas: dict[tuple[Any, ...], ResponseSchema] = {}
        """The schemas of replies in Inspect's words, each made once, by what was allowed."""
        self._since = 0
        """Where the messages begin that are sent."""
        self._context = self._open_context()
        self._exceeded: Unparsed | None = None
        self._store = EpisodeStore(state.store)
        self._spent = self._store.start_tokens()

    def _open_context(self) -> Context:
        return Context(self.rules.context, lambda: _find_token_limit(self.model))

    def tell(self, message: ChatMessage | str | list[Content], *, alone: bool = False) -> None:
        """Add what the model is to read next; a text, with or without pictures, is the user's.

        Args:
            message: What it reads.
            alone: Whether nothing before it is sent any more.
        """
        if isinstance(message, str | list):
            message = ChatMessageUser(content=message)
        if alone:
            self._since, self._context = len(self.state.messages), self._open_context()
        self.state.messages.append(message)

    async def move(self) -> Move:
        """Return the move that the model makes in text."""
        reply = await self.reply()
        return self._episode.parse_reply(reply) if isinstance(reply, str) else reply

    async def reply(self) -> str | Unparsed:
        """Return the model's reply in text, continued where it stopped at the token limit.

        It is `Unparsed` if the conversation does not fit the model, however much is left out.
        """
        begun = [ChatMessageAssistant(content=self.rules.prefill)] if self.rules.prefill else []
        output = await self._ask(schema=self._make_next_schema(), begun=begun)
        if isinstance(output, Unparsed):
            return output
        whole = join_prefill(self.rules.prefill, output.completion)
        for _ in range(self.rules.continuations):
            if output.stop_reason != "max_tokens":
                break
            so_far = ChatMessageAssistant(content=whole)
            # What is left of a reply fits no schema of its own.
            go_on = [] if begun else [ChatMessageUser(content=GO_ON)]
            more = await self._generate(so_far, *go_on)
            if more is None:
                break
            output = more
            whole += output.completion
            self._store.continued += 1
        if whole != output.completion:
            # Inspect's setter leaves the message as it is, and the message is what is kept.
            message = output.message.model_copy(update={"content": whole})
            choices = [output.choices[0].model_copy(update={"message": message})]
            output = output.model_copy(update={"choices": choices, "completion": whole})
        self._keep(output)
        return whole

    def _make_next_schema(self) -> ResponseSchema | None:
        """Return the schema of the next reply; None where the rules leave replies free."""
        episode, allowed_actions = self._episode, self._episode.world.allowed_actions
        if not episode.rules.constrained or not allowed_actions:
            return None
        if allowed_actions not in self._schemas:
            # Some providers take no schema that does not begin with an object.
            wanted = {"type": "object", **find_expected_schema(episode)}
            schema = LimitedSchema.model_validate(wanted)
            name = f"{episode.family.name}_reply"
            self._schemas[allowed_actions] = ResponseSchema(name=name, json_schema=schema)
        return self._schemas[allowed_actions]

    async def call(self, tools: Sequence[ToolDef]) -> ChatMessageAssistant | Unparsed:
        """Return the model's reply, in which it may call `tools`.

        It is `Unparsed` if the conversation does not fit the model, however much is left out.
        """
        output = await self._ask(tools)
        if isinstance(output, Unparsed):
            return output
        self._keep(output)
        return output.message

    async def _ask(
        self,
        tools: Sequence[ToolDef] = (),
        schema: ResponseSchema | None = None,
        begun: Sequence[ChatMessage] = (),
    ) -> ModelOutput | Unparsed:
        if self._exceeded is not None:
            return self._exceeded
        self._spent.append([0, 0, 0])
        while True:
            output = await self._generate(*begun, tools=tools, schema=schema)
            if output is not None:
                return output
            if self._exceeded is not None:
                return self._exceeded
            if not self._context.shorten_refused(self.state.messages[self._since :]):
                return self._exceed()

    async def _generate(
        self,
        *more: ChatMessage,
        tools: Sequence[ToolDef] = (),
        schema: ResponseSchema | None = None,
    ) -> ModelOutput | None:
        """Ask the model once; None if that is too long for it."""
        sent = self._context.fit(self.state.messages[self._since :])
        self._note_compactions()
        if sent is None:
            self._exceed()
            return None
        config = reply_config(schema, self.model)
        try:
            output = await ask_until_readable(
                partial(self.model.generate, [*sent, *more], tools=list(tools), config=config)
            )
        except Exception as wrong:
            if not is_overflow(wrong):
                raise
            return None
        self._add_up(output)
        if output.stop_reason == "model_length":
            return None
        if not more:
            self._context.learn(output)
        return _make_loggable(output)

    def _exceed(self) -> Unparsed:
        """Note that nothing can be sent any more: what is too long now will not get shorter."""
        limit = self._context.limit
        allowed = "its provider refuses it" if limit is None else f"at most {limit:,} may be sent"
        self._exceeded = Unparsed(
            mode=EXCEEDED,
            detail=f"the conversation does not fit the model's context: "
            f"about {self._context.tokens:,} tokens are left when all is left out that can be, "
            f"and {allowed}",
        )
        return self._exceeded

    def _keep(self, output: ModelOutput) -> None:
        self.state.output = output
        self.state.messages.append(output.message)

    def _add_up(self, output: ModelOutput) -> None:
        if output.usage is not None and self._spent:
            used = tokens_of(output.usage)
            for column, tokens in enumerate((used.input, used.cached, used.output)):
                self._spent[-1][column] += tokens

    def _note_compactions(self) -> None:
        if self._context.compactions:
            self._store.compacted = self._context.compactions


def _find_token_limit(model: Model) -> int | None:
    """Return how many tokens a model takes, room for its reply left aside; None if unknown."""
    info = get_model_info(model)
    if info is None or info.input_tokens is None:
        return None
    whole = info.input_tokens
    return whole - min(info.output_tokens or whole // 4, whole // 4)


def _make_loggable(output: ModelOutput) -> ModelOutput:
    """Return a reply that a log can hold and that has something to read."""
    if not output.choices:
        empty = ModelOutput.from_content(output.model, "", stop_reason="unknown")
        return output.model_copy(update={"choices": empty.choices})
    try:
        output.model_dump_json()
    except (PydanticSerializationError, UnicodeEncodeError):
        # One half character would end the run.
        return ModelOutput.model_validate(make_writable(output.model_dump()))
    return output

"""What is said between a model and a world: asked, mended, continued and kept in the log.

The sample's messages hold everything that was said. What is sent of it is for `Context` to decide,
and what was left out is in the store, as are the tokens of every reply. Where the rules ask for it,
the provider holds replies to a JSON schema.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
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

from causarium.contract.episode import Episode
from causarium.contract.row import EXCEEDED
from causarium.contract.texts.reply_schemas import Schema, actions_schema
from causarium.contract.world import Move, Observation, Unparsed
from causarium.engine.play.inspect_episode import ask_until_readable
from causarium.engine.record.episode_record import Compaction, EpisodeStore, tokens_of

FRAME_CHARS = 3_000
"""What a picture is taken to be worth in characters, where tokens are counted roughly."""


def show_observation(seen: Observation) -> str | list[Content]:
    """Return an observation as the content of a message."""
    if not seen.frame:
        return seen.text
    return [ContentText(text=seen.text), ContentImage(image=seen.frame)]


_CHARS_PER_TOKEN = 3
_MESSAGE_TOKENS = 5
"""What surrounds a message, in any template."""
_SHORTENED_TO = 2 / 3
_AFTER_REFUSAL = 3 / 4
"""What a provider refuses is taken to be a third above its limit."""
_ALWAYS_FITS = 2_000
"""Below so many tokens nobody asks for the model's context length: looking it up takes time."""
_BELIEVABLE = (0.2, 5.0)
"""A count of the provider's that is further off than this is no count of what was sent."""
_OVERFLOW = re.compile(
    r"context.{0,20}(length|size|window)|(length|size|window).{0,20}context|exceed.{0,20}context|"
    r"prompt is too long|input length|too many (input )?tokens|maximum.{0,20}tokens",
    re.IGNORECASE,
)


def is_overflow(wrong: Exception) -> bool:
    """Tell whether a provider's error says that the conversation is too long for the model."""
    # Inspect's own error quotes the request, in which such words may stand.
    message = getattr(wrong, "provider_message", None) or str(wrong)
    return _OVERFLOW.search(message[:2_000]) is not None


@dataclass(slots=True)
class _Turn:
    """A reply, and what came after it."""

    begin: int
    reply: int
    """How many characters the reply has."""
    seen: list[int]
    """How many characters each of the messages after it has."""


class Context:
    """Decides what of a growing list of messages is sent, so that it stays within a context.

    The opening and the newest turn are sent whole. When the rest no longer fits, it is shortened in
    one step to two thirds of the limit, so that what was sent before stays the same from turn to
    turn and a provider's cache goes on hitting. Oldest first, observations give way to a line that
    says what is left out; then whole turns do, in one pair of such lines. Nothing is cut within a
    message, and a tool's answer never stands without its call. If the newest turn alone is too
    long, its observation gives way as well; if the opening is, nothing can be sent.

    Tokens are counted roughly, three characters to one, and the count is corrected by what the
    provider says it read the last time.
    """

    def __init__(self, limit: int | None, find_limit: Callable[[], int | None]) -> None:
        """Begin with nothing left out.

        Args:
            limit: How many tokens may be sent at most; None: as many as the model takes.
            find_limit: Says how many tokens the model takes, if anybody knows; asked only when a
                conversation gets long.
        """
        self.compactions: list[Compaction] = []
        self.limit = limit
        """How many tokens may be sent, as far as that is known."""
        self._strict = limit is not None
        self._find_limit: Callable[[], int | None] | None = None if self._strict else find_limit
        self._factor = 1.0
        self._opening = 0
        self._turns: list[_Turn] = []
        self._read = 0
        self._whole = 0
        """Roughly how many tokens everything has, left out or not."""
        self._noted = 0
        """How many turns are sent without what came after the reply."""
        self._merged = 0
        """How many turns, of these, are sent as one pair of lines."""
        self._lines: dict[str, ChatMessage] = {}

    def fit(self, messages: Sequence[ChatMessage]) -> list[ChatMessage] | None:
        """Return what is to be sent of `messages`; None if nothing can be."""
        self._take_in(messages)
        tokens = self.tokens
        if self._find_limit is not None and tokens > _ALWAYS_FITS:
            self.limit, self._find_limit = self._find_limit(), None
        if self.limit is not None and tokens > self.limit:
            self._shorten(messages)
            if self._strict and self.tokens > self.limit:
                return None
        return self._view(messages)

    @property
    def tokens(self) -> int:
        """Roughly how many tokens are sent as things stand."""
        return round(self._estimate_tokens() * self._factor)

    def learn(self, output: ModelOutput) -> None:
        """Correct the count by what the provider says it read."""
        used = output.usage
        if used is None:
            return
        read = used.input_tokens + (used.input_tokens_cache_read or 0)
        factor = (read + (used.input_tokens_cache_write or 0)) / max(1, self._estimate_tokens())
        if _BELIEVABLE[0] <= factor <= _BELIEVABLE[1]:
            self._factor = factor

    def shorten_refused(self, messages: Sequence[ChatMessage]) -> bool:
        """Shorten what the provider refused; False if nothing more can be left out."""
        before = (self._noted, self._merged)
        self.limit, self._find_limit = int(self.tokens * _AFTER_REFUSAL), None
        self._shorten(messages)
        return (self._noted, self._merged) != before

    def _take_in(self, messages: Sequence[ChatMessage]) -> None:
        for place in range(self._read, len(messages)):
            size = _chars(messages[place])
            self._whole += size // _CHARS_PER_TOKEN + _MESSAGE_TOKENS
            if isinstance(messages[place], ChatMessageAssistant):
                self._turns.append(_Turn(place, size, []))
            elif self._turns:
                self._turns[-1].seen.append(size)
            else:
                self._opening += size // _CHARS_PER_TOKEN + _MESSAGE_TOKENS
        self._read = len(messages)

    def _estimate_tokens(self) -> int:
        if not self._noted:
            return self._whole
        total = self._opening + 2 * _line_tokens() * (self._merged > 0)
        for number, turn in enumerate(self._turns[self._merged :], self._merged + 1):
            total += turn.reply // _CHARS_PER_TOKEN + _MESSAGE_TOKENS
            for size in turn.seen:
                tokens = size // _CHARS_PER_TOKEN + _MESSAGE_TOKENS
                total += min(tokens, _line_tokens()) if number <= self._noted else tokens
        return total

    def _shorten(self, messages: Sequence[ChatMessage]) -> None:
        limit = self.limit or 0
        before = self._left_out()
        target, older = int(limit * _SHORTENED_TO), len(self._turns) - 1
        while self.tokens > target and self._noted < older:
            self._noted += 1
        while self.tokens > target and self._merged < older:
            self._merged += 1
        if self.tokens > limit:
            self._noted = len(self._turns)
        if self.tokens > limit:
            self._merged = len(self._turns)
        after = self._left_out()
        if after != before:
            count, characters = after
            turn = sum(isinstance(message, ChatMessageAssistant) for message in messages) + 1
            self.compactions.append(Compaction(turn=turn, messages=count, characters=characters))

    def _left_out(self) -> tuple[int, int]:
        """Return how many messages are not sent as they are, and their characters."""
        sizes = [turn.reply for turn in self._turns[: self._merged]]
        for number, turn in enumerate(self._turns[: self._noted], 1):
            sizes += [size for size in turn.seen if number <= self._merged or _is_long(size)]
        return len(sizes), sum(sizes)

    def _view(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        if not self._noted:
            return list(messages)
        sent = list(messages[: self._turns[0].begin])
        if self._merged:
            sent += self._pair()
        for number, turn in enumerate(self._turns[self._merged :], self._merged + 1):
            sent.append(messages[turn.begin])
            after = messages[turn.begin + 1 : turn.begin + 1 + len(turn.seen)]
            if number > self._noted:
                sent += after
            else:
                sent += [
                    self._line(message, number, size) if _is_long(size) else message
                    for message, size in zip(after, turn.seen, strict=True)
                ]
        return sent

    def _line(self, message: ChatMessage, turn: int, size: int) -> ChatMessage:
        """Return the line that stands for one message; the same one every time."""
        key = message.id or f"{turn}"
        if key not in self._lines:
            note = f"[The observation of turn {turn} is left out: {size:,} characters.]"
            self._lines[key] = (
                message.model_copy(update={"id": f"{key}-left-out", "content": note})
                if isinstance(message, ChatMessageTool)
                else ChatMessageUser(content=note)
            )
        return self._lines[key]

    def _pair(self) -> list[ChatMessage]:
        gone = self._turns[: self._merged]
        replies, seen = sum(turn.reply for turn in gone), sum(sum(turn.seen) for turn in gone)
        which = "turn 1" if self._merged == 1 else f"turns 1 to {self._merged}"
        key = f"merged {self._merged}"
        if key not in self._lines:
            note = f"[The replies of {which} are left out: {replies:,} characters.]"
            shown = f"[The observations of {which} are left out: {seen:,} characters.]"
            self._lines[key] = ChatMessageAssistant(content=note)
            self._lines[f"{key} seen"] = ChatMessageUser(content=shown)
        return [self._lines[key], self._lines[f"{key} seen"]]


def _line_tokens() -> int:
    return 80 // _CHARS_PER_TOKEN + _MESSAGE_TOKENS


def _is_long(size: int) -> bool:
    """Tell whether a message is longer than the line that would stand for it."""
    return size // _CHARS_PER_TOKEN + _MESSAGE_TOKENS > _line_tokens()


def _chars(message: ChatMessage) -> int:
    size = 0
    if isinstance(message.content, str):
        size = len(message.content)
    else:
        for part in message.content:
            if isinstance(part, ContentText):
                size += len(part.text)
            elif isinstance(part, ContentReasoning):
                size += len(part.reasoning)
            elif isinstance(part, ContentImage):
                size += FRAME_CHARS
    for call in (message.tool_calls or ()) if isinstance(message, ChatMessageAssistant) else ():
        size += len(call.function) + len(json.dumps(call.arguments, default=str))
    return size


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
        return output

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

"""What of a conversation is sent to a model, so that long episodes stay inside its context.

The opening and the newest turn are sent whole. When the rest no longer fits, it is shortened in
one step to two thirds of the limit, so that what was sent before stays the same from turn to turn
and a provider's cache goes on hitting. Oldest first, observations give way to a line that says what
is left out; then whole turns do, in one pair of such lines. Nothing is cut within a message, and a
tool's answer never stands without its call. If the newest turn alone is too long, its observation
gives way as well; if the opening is, nothing can be sent.

Tokens are counted roughly, three characters to one, and the count is corrected by what the provider
says it read the last time.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    ModelOutput,
)

from causarium.contract.world import Observation
from causarium.engine.record.episode_store import Compaction

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
    """Decides what of a growing list of messages is sent."""

    def __init__(self, limit: int | None, find_limit: Callable[[], int | None]) -> None:
        """Begin with nothing left out.

        Args:
            limit: How many tokens may be sent at most; None: as many as the model takes.
            find_limit: Says how many tokens the model takes, if anybody knows; asked only when a
                conversation gets long.
        """
        self.compactions: list[Compaction] = []
        self._limit = limit
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
            self._limit, self._find_limit = self._find_limit(), None
        if self._limit is not None and tokens > self._limit:
            self._shorten(messages)
            if self._strict and self.tokens > self._limit:
                return None
        return self._view(messages)

    @property
    def tokens(self) -> int:
        """Roughly how many tokens are sent as things stand."""
        return round(self._estimate_tokens() * self._factor)

    @property
    def limit(self) -> int | None:
        """How many tokens may be sent, as far as that is known."""
        return self._limit

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
        self._limit, self._find_limit = int(self.tokens * _AFTER_REFUSAL), None
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
        limit = self._limit or 0
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

"""Models that say what a test tells them to, with no network."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

Say = Callable[[list[ChatMessage]], "str | tuple[str, dict[str, Any]]"]
"""Given the messages so far: a text, or a tool's name and arguments."""


def scripted_model(say: Say) -> Model:
    """Return a mock model whose every reply is what `say` makes of the conversation."""
    numbers = count()

    def output(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        said = say(messages)
        calls = (
            None
            if isinstance(said, str)
            else [ToolCall(id=f"call-{next(numbers)}", function=said[0], arguments=said[1])]
        )
        message = ChatMessageAssistant(
            content=said if isinstance(said, str) else "", tool_calls=calls, source="generate"
        )
        # Without a usage the mock counts tokens with a tokenizer that it would download.
        usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return ModelOutput(
            model="mockllm/model", choices=[ChatCompletionChoice(message=message)], usage=usage
        )

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def in_turn(says: Sequence["str | tuple[str, dict[str, Any]]"]) -> Say:
    """Say these one after another in every conversation, the last one for ever."""

    def say(messages: list[ChatMessage]) -> "str | tuple[str, dict[str, Any]]":
        turn = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        return says[min(turn, len(says) - 1)]

    return say

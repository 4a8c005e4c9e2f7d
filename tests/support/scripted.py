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

Call = tuple[str, dict[str, Any]]
Say = Callable[[list[ChatMessage]], str | Call | list[Call]]
"""Given the messages so far: a text, or a tool's name and arguments, or several of these."""


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
        called = [] if isinstance(said, str) else said if isinstance(said, list) else [said]
        calls = [
            ToolCall(id=f"call-{next(numbers)}", function=name, arguments=arguments)
            for name, arguments in called
        ]
        message = ChatMessageAssistant(
            content=said if isinstance(said, str) else "",
            tool_calls=calls or None,
            source="generate",
        )
        # Without a usage the mock counts tokens with a tokenizer that it would download.
        usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return ModelOutput(
            model="mockllm/model", choices=[ChatCompletionChoice(message=message)], usage=usage
        )

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def in_turn(says: Sequence[str | Call]) -> Say:
    """Say these one after another in every conversation, the last one for ever."""

    def say(messages: list[ChatMessage]) -> str | Call:
        turn = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        return says[min(turn, len(says) - 1)]

    return say

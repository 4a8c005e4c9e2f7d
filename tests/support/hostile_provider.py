"""A provider that returns whatever its library lets pass: a model for a run, drawn from a seed."""

import math
import random
from collections.abc import Callable
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from causarium.engine.play.bound_replies import MOST_REPLY
from tests.support.hostile_replies import make_reply

MUCH = 2 * MOST_REPLY
COUNTS = [0, 1, -1, 7, -(10**6), 10**13, 10**30]
COSTS = [None, 0.0, -1.0, math.nan, math.inf, 1e300]


def nest(depth: int, *, lists: bool = False) -> Any:
    """Return a value that nests so deep."""
    value: Any = 0
    for _ in range(depth):
        value = [value] if lists else {"a": value}
    return value


TEXTS: list[Callable[[], str]] = [
    lambda: "a" * MUCH,
    lambda: "\x00" * MUCH,
    lambda: "[{}," * (MUCH // 4),
    lambda: '{"a":' * 100_000,
    lambda: "half \ud83d of a pair",
    lambda: "\udfff" * 400_000,
    lambda: "",
]
ARGUMENTS: list[Callable[[], dict[str, Any]]] = [
    lambda: {"a": nest(300)},
    lambda: {"a": nest(100_000, lists=True)},
    lambda: {"a": [{}] * 200_000},
    lambda: {"\ud83d": "\ud83d"},
    lambda: {"answer": "a" * MUCH},
    lambda: {"a": math.nan, "b": math.inf, "c": 10**400},
    dict,
]


def draw_usage(draw: random.Random) -> ModelUsage:
    """Return a count of tokens that may be none."""
    if draw.random() < 0.2:
        return ModelUsage()  # for a reply without one, the stand-in looks for a tokenizer
    counts = (draw.choice(COUNTS) for _ in range(6))
    names = ("input_tokens", "output_tokens", "total_tokens", "reasoning_tokens")
    cached = ("input_tokens_cache_read", "input_tokens_cache_write")
    given = dict(zip((*names, *cached), counts, strict=True))
    return ModelUsage(**given, total_cost=draw.choice(COSTS))


def draw_output(draw: random.Random, tools: list[ToolInfo]) -> ModelOutput:
    """Return a reply, or raise what a provider raises."""
    kind = draw.random()
    if kind < 0.04:
        raise RuntimeError("no, \ud83d, " + "never " * 500_000)
    if kind < 0.08:
        return ModelOutput(model="m", choices=[], usage=draw_usage(draw))
    text = draw.choice(TEXTS)() if kind < 0.5 else make_reply(draw)
    content: Any = text
    if draw.random() < 0.2:
        content = [ContentReasoning(reasoning=draw.choice(TEXTS)()), ContentText(text=text)]
    names = [tool.name for tool in tools] + ["no such tool", "\ud83d", "x" * MUCH]
    many = draw.random() < 0.05  # of these, small ones: the stand-in holds them all in memory
    count = (3_000 if many else draw.choice([0, 1, 1, 2])) if tools else 0
    calls = [
        ToolCall(
            id=f"call{number}",
            function="no such tool" if many else draw.choice(names),
            arguments={} if many else draw.choice(ARGUMENTS)(),
            parse_error=draw.choice([None, None, "no JSON", "\ud83d" * 10_000 * (not many)]),
        )
        for number in range(count)
    ]
    said = ChatMessageAssistant(content=content, tool_calls=calls or None, source="generate")
    reason: Any = draw.choice(["stop", "stop", "max_tokens", "content_filter", "unknown"])
    metadata = draw.choice([None, None, {"a": nest(400)}, {"a": "b" * MUCH}, {"\ud83d": 1}])
    choices = [ChatCompletionChoice(message=said, stop_reason=reason)]
    return ModelOutput(model="m", choices=choices, usage=draw_usage(draw), metadata=metadata)


def hostile_model(seed: int) -> Model:
    """Return a model whose provider returns what is drawn from a seed."""
    draw = random.Random(seed)

    def output(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        return draw_output(draw, tools)

    return get_model("mockllm/model", custom_outputs=output, memoize=False)

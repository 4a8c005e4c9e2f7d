"""Cuts what a provider returns to what a log can hold, before anything keeps it.

Inspect writes a reply down as it comes, in several places. So the cut is made where the reply
comes in: a log that a run leaves can be read, whatever was sent. A reply that is cut says so in its
last words. It is cut beyond what any family reads, unless a sample has had its fill.
"""

import json
from contextvars import ContextVar
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    Model,
    ModelAPI,
    ModelCall,
    ModelOutput,
)
from inspect_ai.tool import ToolCall

from causarium.contract.frozen import make_writable
from causarium.contract.texts.replies import MAX_DEPTH
from causarium.contract.texts.scan_reply import is_deeper
from causarium.engine.record.json_size import count_values

MOST_REPLY = 2_000_000
"""So much one reply may weigh: bytes of its JSON, and `VALUE_WEIGHT` for each value in it."""
MOST_SAMPLE = 30_000_000
"""So much all large replies of one sample may weigh together."""
LEAST_REPLY = 20_000
"""So much each reply may weigh when a sample has had its fill."""
VALUE_WEIGHT = 40
_KEPT_CHARS = 250_000
"""So many characters stay of a text that is cut, where so many may; no family reads as many."""
_MOST_BYTES_OF_CHAR = 6
"""Largest number of bytes of JSON that a character takes."""
_MOST_NAME = 500
"""Largest length of the name of a call in a reply that is cut."""
_MOST_ERROR = 20_000
"""Largest length of a stored error."""


class _Allowance:
    """How much the replies of one sample may still weigh."""

    def __init__(self) -> None:
        self.left = MOST_SAMPLE

    def take(self, weight: int) -> None:
        self.left -= weight if weight > LEAST_REPLY else 0

    @property
    def most(self) -> int:
        """How much the next reply may weigh."""
        return max(LEAST_REPLY, min(MOST_REPLY, self.left))


_allowance: ContextVar[_Allowance | None] = ContextVar("causarium_reply_allowance", default=None)


def start_allowance() -> None:
    """Count the replies of this sample anew; each sample of Inspect's has a context of its own."""
    _allowance.set(_Allowance())


class _BoundGenerate:
    """Stands in the place of a provider's `generate`."""

    def __init__(self, api: ModelAPI) -> None:
        self._generate = api.generate

    async def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as Inspect has it
        try:
            result = await self._generate(*args, **kwargs)
        except Exception as wrong:
            _shorten_error(wrong)
            raise
        found, call = result if isinstance(result, tuple) else (result, None)
        if isinstance(found, Exception):
            _shorten_error(found)
        else:
            found = bound_output(found)
        if call is not None:
            _drop_large_response(call)
        return (found, call) if isinstance(result, tuple) else found


def bound_replies(model: Model) -> Model:
    """Have the replies of a model cut, whoever asks it; returns the model."""
    if not isinstance(model.api.generate, _BoundGenerate):
        setattr(model.api, "generate", _BoundGenerate(model.api))  # noqa: B010 - mypy takes no other
    return model


def bound_output(output: ModelOutput) -> ModelOutput:
    """Return a reply that a log can hold, and that has something to read."""
    allowance = _allowance.get() or _Allowance()
    if not output.choices:
        empty = ModelOutput.from_content(output.model, "", stop_reason="unknown")
        output = output.model_copy(update={"choices": empty.choices})
    weight = _weigh(output)
    if weight is None:
        # One half character would end the run.
        output = _mend(output)
        weight = _weigh(output)
    if weight is None or weight > allowance.most or _has_deep_call(output):
        output = _cut(output, allowance.most)
        weight = _weigh(output) or allowance.most
    allowance.take(weight)
    return output


def _weigh(output: ModelOutput) -> int | None:
    """Return the size of a reply as JSON; None if no JSON can hold it."""
    try:
        content = output.model_dump_json(exclude={"completion"}).encode()
    except (ValueError, RecursionError):
        return None
    return len(content) + VALUE_WEIGHT * count_values(content, MOST_REPLY // VALUE_WEIGHT)


def _mend(output: ModelOutput) -> ModelOutput:
    try:
        return ModelOutput.model_validate(make_writable(output.model_dump()))
    except (ValueError, RecursionError):
        return output


def _has_deep_call(output: ModelOutput) -> bool:
    return any(
        is_deeper(call.arguments, MAX_DEPTH)
        for choice in output.choices
        for call in choice.message.tool_calls or ()
    )


def _cut(output: ModelOutput, most: int) -> ModelOutput:
    """Return the words and the calls of a reply as far as they may weigh so much, and no more."""
    message = output.message
    text = str(make_writable(message.text))
    calls, left = _cut_calls(message.tool_calls or [], most // 2)
    kept = min(_KEPT_CHARS, (most // 2 + left) // _MOST_BYTES_OF_CHAR)
    if len(text) > kept:
        text = f"{text[:kept]}\n[This reply was cut here; it had {len(text):,} characters.]"
    said = ChatMessageAssistant(
        id=message.id,
        content=text,
        tool_calls=calls or None,
        model=message.model,
        source="generate",
    )
    choice = ChatCompletionChoice(message=said, stop_reason=output.stop_reason)
    return ModelOutput(
        model=output.model, choices=[choice], completion=text, usage=output.usage, time=output.time
    )


def _cut_calls(calls: list[ToolCall], most: int) -> tuple[list[ToolCall], int]:
    """Return calls with what they may weigh, and how much of that is left."""
    kept: list[ToolCall] = []
    for call in calls:
        cut = _cut_call(call, most)
        weight = _weigh_value([cut.id, cut.function, cut.arguments]) or 0
        if weight > most:
            break  # what comes after is not kept either
        most -= weight
        kept.append(cut)
    return kept, most


def _cut_call(call: ToolCall, most: int) -> ToolCall:
    """Return a call; one that weighs too much, or nests too deep, has arguments nobody can read."""
    id_, name = (str(make_writable(name[:_MOST_NAME])) for name in (call.id, call.function))
    problem = call.parse_error and str(make_writable(call.parse_error[:_MOST_NAME]))
    given: Any = {} if is_deeper(call.arguments, MAX_DEPTH) else make_writable(call.arguments)
    weight = _weigh_value(given)
    if weight is None or weight > most // 2 or not given:
        given, problem = {}, problem or "the arguments are too large, or nest too deep"
    return ToolCall(id=id_, function=name, arguments=given, parse_error=problem)


def _weigh_value(value: object) -> int | None:
    try:
        content = json.dumps(value).encode()
    except (ValueError, TypeError, RecursionError):
        return None
    return len(content) + VALUE_WEIGHT * count_values(content, MOST_REPLY // VALUE_WEIGHT)


def _drop_large_response(call: ModelCall) -> None:
    """Drop what a provider sent, word for word, where that is more than a reply may weigh."""
    weight = _weigh_value(call.response)
    if weight is None or weight > MOST_REPLY:
        call.response = {"cut": "what the provider sent is too large to be kept"}


def _shorten_error(wrong: BaseException) -> None:
    """Cut what an error says: providers quote what they were sent, or what they wanted to send."""
    wrong.args = tuple(
        str(make_writable(arg[:_MOST_ERROR])) if isinstance(arg, str) else arg for arg in wrong.args
    )

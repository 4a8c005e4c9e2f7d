"""A reply cut off at the token limit goes on where the rules let it."""

from collections.abc import Callable
from pathlib import Path

import pytest
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
from inspect_ai.tool import ToolChoice, ToolInfo

from causarium.engine.play.conversation import GO_ON
from tests.support.inspect_runs import run_task, task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.logs import newest_rows


def model_that_is_cut_off(
    is_begun: Callable[[list[ChatMessage]], bool], begin: str, end: str
) -> Model:
    """Return a model that begins a reply with the first text and ends it with the second."""

    def output(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        cut = not is_begun(messages)
        message = ChatMessageAssistant(content=begin if cut else end, source="generate")
        choice = ChatCompletionChoice(message=message, stop_reason="max_tokens" if cut else "stop")
        usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return ModelOutput(model="mockllm/model", choices=[choice], usage=usage)

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


@pytest.mark.parametrize(("continuations", "reads"), [(0, False), (2, True)])
def test_the_pieces_are_read_as_one_reply(continuations: int, reads: bool, tmp_path: Path) -> None:
    task = task_of(LAMPS, continuations=continuations)
    model = model_that_is_cut_off(lambda said: said[-1].text == GO_ON, '{"wired": "no su', 'ch"}')
    log = run_task(task, tmp_path, model)
    assert log.samples
    for sample in log.samples:
        turns = sample.store["causarium:turns"]
        assert all((turn["action"] is not None) == reads for turn in turns)
        assert sample.store.get("causarium:continued", 0) == (len(turns) if reads else 0)
    assert newest_rows([tmp_path])


def test_a_reply_is_begun_for_the_model_and_continued_from_its_end(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def is_begun(messages: list[ChatMessage]) -> bool:
        seen.append([f"{one.role}: {one.text}" for one in messages[2:]])
        return messages[-1].text != "<think>"

    model = model_that_is_cut_off(is_begun, "Hm.</think>{", '"wired": "no such"}')
    task = task_of(LAMPS, continuations=1, prefill="<think>")
    log = run_task(task, tmp_path, model, limit=1)
    assert log.samples
    assert seen[:2] == [["assistant: <think>"], ["assistant: <think>Hm.</think>{"]]
    replies = [one.text for one in log.samples[0].messages if one.role == "assistant"]
    assert replies[0] == '<think>Hm.</think>{"wired": "no such"}'
    assert all(turn["action"] for turn in log.samples[0].store["causarium:turns"])

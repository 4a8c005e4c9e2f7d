"""A reply cut off at the token limit goes on where the rules let it."""

from pathlib import Path

import pytest
from inspect_ai import eval
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
from tests.engine.play.test_inspect_episode import lamps_task
from tests.support.logs import newest_rows


def model_that_is_cut_off() -> Model:
    def output(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        cut = messages[-1].text != GO_ON
        text = '{"wired": "no su' if cut else 'ch"}'
        message = ChatMessageAssistant(content=text, source="generate")
        choice = ChatCompletionChoice(message=message, stop_reason="max_tokens" if cut else "stop")
        usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return ModelOutput(model="mockllm/model", choices=[choice], usage=usage)

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


@pytest.mark.parametrize(("continuations", "reads"), [(0, False), (2, True)])
def test_the_pieces_are_read_as_one_reply(continuations: int, reads: bool, tmp_path: Path) -> None:
    task = lamps_task(rules={"continuations": continuations})
    (log,) = eval(task, model=model_that_is_cut_off(), log_dir=str(tmp_path), display="none")
    assert log.status == "success"
    assert log.samples
    for sample in log.samples:
        turns = sample.store["causarium:turns"]
        assert all((turn["action"] is not None) == reads for turn in turns)
        assert sample.store.get("causarium:continued", 0) == (len(turns) if reads else 0)
    assert newest_rows([tmp_path])


def test_a_reply_is_begun_for_the_model_and_continued_from_its_end(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def output(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        seen.append([f"{one.role}: {one.text}" for one in messages[2:]])
        cut = messages[-1].text == "<think>"
        text = "Hm.</think>{" if cut else '"wired": "no such"}'
        message = ChatMessageAssistant(content=text, source="generate")
        choice = ChatCompletionChoice(message=message, stop_reason="max_tokens" if cut else "stop")
        usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return ModelOutput(model="mockllm/model", choices=[choice], usage=usage)

    model = get_model("mockllm/model", custom_outputs=output, memoize=False)
    task = lamps_task(rules={"continuations": 1, "prefill": "<think>"})
    (log,) = eval(task, model=model, log_dir=str(tmp_path), display="none", limit=1)
    assert log.samples
    assert seen[:2] == [["assistant: <think>"], ["assistant: <think>Hm.</think>{"]]
    replies = [one.text for one in log.samples[0].messages if one.role == "assistant"]
    assert replies[0] == '<think>Hm.</think>{"wired": "no such"}'
    assert all(turn["action"] for turn in log.samples[0].store["causarium:turns"])

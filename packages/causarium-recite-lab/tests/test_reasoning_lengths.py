"""Reasoning in parts and in tags is counted, other text is not."""

from causarium_recite_lab.commands.own_runs import reasoning_characters
from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
)


def test_reasoning_is_counted_wherever_it_stands() -> None:
    messages = [
        ChatMessageUser(content="<think>not mine</think>"),
        ChatMessageAssistant(content="<think>four</think>{}"),
        ChatMessageAssistant(
            content=[ContentReasoning(reasoning="twelve chars"), ContentText(text="graph")]
        ),
        ChatMessageAssistant(content="no thought"),
    ]
    sample = EvalSample(id="x", epoch=1, input="", target="", messages=messages)
    assert reasoning_characters(sample) == 4 + 12

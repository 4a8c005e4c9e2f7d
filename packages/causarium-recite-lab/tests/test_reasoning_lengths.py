"""Reasoning in parts and in tags is counted, other text is not."""

from causarium_recite_lab.analysis.own_runs import (
    Reasoning,
    read_reasoning,
    reasoning_characters,
)
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
    ModelUsage,
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


def test_tokens_are_those_of_the_agent_and_not_of_its_judge(tmp_path) -> None:
    usage = {name: ModelUsage(reasoning_tokens=n) for name, n in (("m/agent", 7), ("m/judge", 900))}
    sample = EvalSample(id="x", epoch=1, input="", target="", model_usage=usage)
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="t",
        dataset=EvalDataset(sample_ids=["x"], samples=1),
        model="m/agent",
        config=EvalConfig(),
    )
    path = tmp_path / "r.eval"
    write_eval_log(EvalLog(status="success", eval=spec, samples=[sample]), str(path))
    assert list(read_reasoning(path)) == [("x", Reasoning(characters=0, hidden_tokens=7))]

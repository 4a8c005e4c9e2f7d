"""What is sent of a long conversation: whole at both ends, in step with its cache, never torn."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from causarium import families
from causarium.engine.play.conversation import Context, is_overflow
from causarium.engine.record.episode_record import EpisodeStore
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import newest_rows

OPENING: list[ChatMessage] = [
    ChatMessageSystem(content="s" * 300),
    ChatMessageUser(content="u" * 600),
]


def chars(messages: list[ChatMessage]) -> int:
    return sum(len(message.text) for message in messages)


def conversation(sizes: list[tuple[int, int]], *, tools: bool) -> list[list[ChatMessage]]:
    """Return the messages before each reply of an episode."""
    said, stages = list(OPENING), [list(OPENING)]
    for number, (reply, seen) in enumerate(sizes):
        call = ToolCall(id=f"call-{number}", function="look", arguments={"at": "x" * reply})
        said.append(
            ChatMessageAssistant(content="", tool_calls=[call])
            if tools
            else ChatMessageAssistant(content="r" * reply)
        )
        said.append(
            ChatMessageTool(content="o" * seen, tool_call_id=call.id, function="look")
            if tools
            else ChatMessageUser(content="o" * seen)
        )
        stages.append(list(said))
    return stages


def unknown() -> None:
    return None


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 900), st.integers(0, 2_000)), min_size=1, max_size=40),
    st.integers(1_500, 6_000),
    st.booleans(),
)
def test_what_is_sent_fits_and_is_whole_at_both_ends(
    sizes: list[tuple[int, int]], limit: int, tools: bool
) -> None:
    context = Context(limit, unknown)
    for messages in conversation(sizes, tools=tools):
        sent = context.fit(messages)
        assert sent is not None
        assert context.tokens <= limit
        assert sent[:2] == OPENING
        # With limits such as these the newest turn always fits.
        assert sent[-2:] == messages[-2:]
        roles = [message.role for message in sent[1:]]
        assert all(a != b for a, b in pairwise(roles)), "two of one role in a row"
        _assert_calls_are_answered(sent)
        for message in sent[2:]:
            assert message in messages or message.text.startswith("[The ")


def _assert_calls_are_answered(sent: list[ChatMessage]) -> None:
    for one, following in pairwise([*sent, ChatMessageUser(content="")]):
        calls = (one.tool_calls or []) if isinstance(one, ChatMessageAssistant) else []
        answers = [following.tool_call_id] if isinstance(following, ChatMessageTool) else []
        assert [call.id for call in calls] == answers


def test_a_prefix_stays_the_same_between_a_few_steps() -> None:
    context = Context(3_000, unknown)
    views = [context.fit(stage) or [] for stage in conversation([(200, 600)] * 100, tools=False)]
    kept = sum(later[: len(earlier)] == earlier for earlier, later in pairwise(views))
    assert kept + len(context.compactions) == 100
    assert len(context.compactions) <= 100 / 3


def test_observations_go_before_replies_and_the_oldest_before_the_newer() -> None:
    context = Context(1_500, unknown)
    views = [context.fit(stage) or [] for stage in conversation([(150, 600)] * 30, tools=False)]
    first = next(view for view in views if any("left out" in message.text for message in view))
    assert first[3].text == "[The observation of turn 1 is left out: 600 characters.]"
    assert first[2].text == "r" * 150
    last = views[-1]
    assert last[2].text.startswith("[The replies of turns 1 to ")
    gone = context.compactions[-1]
    assert gone.characters == chars(conversation([(150, 600)] * 30, tools=False)[gone.turn - 1]) - (
        chars([one for one in views[gone.turn - 1] if not one.text.startswith("[")])
    )


def test_the_count_is_corrected_by_what_the_provider_read() -> None:
    context = Context(10_000, unknown)
    context.fit(OPENING)
    before = context.tokens
    usage = ModelUsage(input_tokens=before, input_tokens_cache_read=before)
    context.learn(ModelOutput(usage=usage))
    assert context.tokens == 2 * before
    context.learn(ModelOutput(usage=ModelUsage(input_tokens=1)))
    assert context.tokens == 2 * before, "one token for so many words is no count"


def test_a_model_whose_context_is_known_is_not_sent_more() -> None:
    context = Context(None, lambda: 4_000)
    for messages in conversation([(200, 900)] * 40, tools=False):
        assert context.fit(messages)
        assert context.tokens <= 4_000
    assert context.compactions


def test_an_opening_that_is_too_long_cannot_be_sent() -> None:
    assert Context(500, unknown).fit([ChatMessageUser(content="u" * 3_000)]) is None


@pytest.mark.parametrize(
    ("said", "overflow"),
    [
        ("request (8031 tokens) exceeds the available context size (4096 tokens)", True),
        ("This model's maximum context length is 8192 tokens", True),
        ("prompt is too long: 210000 tokens > 200000 maximum", True),
        ("rate limit reached for requests", False),
        ("invalid api key", False),
    ],
)
def test_a_refusal_for_length_is_told_from_others(said: str, overflow: bool) -> None:
    assert is_overflow(RuntimeError(said)) is overflow


def small_model(room: int, *, polite: bool, say: str) -> Model:
    """Return a model that refuses more than `room` characters, politely or with an error."""

    def output(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        full = chars(messages) > room
        if full and not polite:
            raise RuntimeError("this exceeds the available context size")
        said = ModelOutput.from_content(
            "mockllm/model",
            "too long" if full else say,
            stop_reason="model_length" if full else "stop",
        )
        read = 0 if full else chars(messages) // 4
        said.usage = ModelUsage(input_tokens=read, output_tokens=9, total_tokens=read + 9)
        return said

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def played(name: str, model: Model, folder: Path, **rules: Any) -> EvalLog:
    return run_task(task_of(families.get(name), **rules), folder, model, limit=1)


MEASURE = json.dumps({"memory": "m" * 300, "thought": "", "action": "measure"})


@pytest.mark.parametrize("polite", [True, False])
def test_a_provider_that_refuses_is_sent_less(polite: bool, tmp_path: Path) -> None:
    model = small_model(9_000, polite=polite, say=MEASURE)
    log = played("causalab", model, tmp_path, edition="paper", interface="plain")
    (sample,) = log.samples or []
    turns = sample.store["causarium:turns"]
    assert len(turns) == 40
    assert not any(turn["unparsed"] for turn in turns)
    assert EpisodeStore(sample.store).compacted
    assert sum(isinstance(one, ChatMessageAssistant) for one in sample.messages) == 40
    assert not any("left out" in message.text for message in sample.messages)
    assert {row.labels["context"] for row in newest_rows([tmp_path])} == {"shortened"}


def test_the_rule_bounds_what_is_sent_and_tokens_of_every_reply_are_kept(tmp_path: Path) -> None:
    model = small_model(10**9, polite=True, say=MEASURE)
    log = played("causalab", model, tmp_path, edition="paper", interface="plain", context=2_500)
    (sample,) = log.samples or []
    tokens = EpisodeStore(sample.store).tokens
    assert len(tokens) == 40
    assert max(read for read, _, _ in tokens) <= 2_500
    assert {written for _, _, written in tokens} == {9}


@pytest.mark.parametrize("name", families.FAMILIES)
@pytest.mark.parametrize("interface", ["json", "tools"])
def test_an_episode_whose_opening_does_not_fit_ends_and_is_scored(
    name: str, interface: str, tmp_path: Path
) -> None:
    model = small_model(0, polite=False, say="")
    # Which programs may be run does not matter here, and a sandbox is not on every machine.
    without_programs = families.get(name, "certified").rules.without_programs
    played(name, model, tmp_path, interface=interface, **without_programs)
    (row,) = newest_rows([tmp_path])
    assert row.unscored is None
    assert row.labels["context"] == "exceeded"

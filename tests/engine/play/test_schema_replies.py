"""A provider is told the schema of what is expected now, where the rules ask for it."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util._json import json_schema_dump

from causarium import families
from causarium.errors import UsageError
from tests.support.inspect_runs import run_task, task_of
from tests.support.lamps import FAMILY as LAMPS


def model_that_notes(told: list[dict[str, Any] | None]) -> Model:
    def output(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        schema = config.response_schema
        told.append(schema and json_schema_dump(schema.json_schema))
        said = ModelOutput.from_content("mockllm/model", '{"wired": "tin"}')
        said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return said

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def test_the_schema_of_what_is_expected_reaches_the_provider(tmp_path: Path) -> None:
    told: list[dict[str, Any] | None] = []
    task = task_of(LAMPS, constrained=True)
    run_task(task, tmp_path, model_that_notes(told))
    first = told[0]
    assert first is not None
    assert first["type"] == "object"
    assert [sorted(choice["properties"]) for choice in first["anyOf"]] == [["switch"], ["wired"]]


def test_replies_are_free_unless_the_rules_say_otherwise(tmp_path: Path) -> None:
    told: list[dict[str, Any] | None] = []
    run_task(task_of(LAMPS), tmp_path, model_that_notes(told))
    assert set(told) == {None}


@pytest.mark.parametrize("interface", ["tools", "code"])
def test_replies_that_are_no_json_cannot_be_constrained(interface: str) -> None:
    with pytest.raises(UsageError, match=f"replies of the interface {interface} are no JSON"):
        families.get("causalgame").rules_for("paper", interface=interface, constrained=True)

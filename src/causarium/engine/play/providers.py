"""Inspect's providers of ours: reference players, and a model that says what a file says.

Players go by the name of a model, so that every viewer of logs says who played. The scripted model
is for tests, documentation and rehearsals, and needs no network.
"""

import json
from pathlib import Path
from typing import Any, NoReturn

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from typing_extensions import override

from causarium.errors import BadFile, RunError

PROVIDER = "player"


@modelapi(PROVIDER)
class PlayerModel(ModelAPI):
    """Stands for a player; it cannot be asked."""

    def __init__(self, model_name: str, **_: object) -> None:
        super().__init__(model_name, config=GenerateConfig())

    async def generate(self, *_: object, **__: object) -> NoReturn:
        """Refuse: players play without a model.

        Raises:
            RunError: Always.
        """
        raise RunError(f"{PROVIDER}/{self.model_name} is a reference player, not a model")


SILENT, ECHO = "silent", "echo"


class ProviderDown(Exception):
    """What a script says of its provider."""


class ScriptModel(ModelAPI):
    """A model with replies written down beforehand."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **_: object,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if model_name not in (SILENT, ECHO):
            read_script(Path(model_name))

    @override
    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        output = self._output(input)
        taken, said = sum(_words(message) for message in input), _words(output.message)
        output.usage = ModelUsage(input_tokens=taken, output_tokens=said, total_tokens=taken + said)
        return output

    @override
    async def count_text_tokens(self, text: str) -> int:
        return len(text.split())

    def _output(self, input: list[ChatMessage]) -> ModelOutput:  # noqa: A002 — Inspect's name
        if self.model_name in (SILENT, ECHO):
            text = input[-1].text if self.model_name == ECHO and input else ""
            return ModelOutput.from_content(str(self.model_name), text)
        turn = sum(isinstance(message, ChatMessageAssistant) for message in input)
        lines = read_script(Path(self.model_name))
        line = lines[min(turn, len(lines) - 1)]
        if isinstance(line, str):
            return ModelOutput.from_content(self.model_name, line)
        if "fail" in line:
            raise ProviderDown(str(line["fail"]))
        name, arguments = line["call"]
        return ModelOutput.for_tool_call(self.model_name, name, arguments)


@modelapi(name="script")
def script() -> type[ModelAPI]:
    """Register the provider."""
    return ScriptModel


def _words(message: ChatMessage) -> int:
    calls = message.tool_calls if isinstance(message, ChatMessageAssistant) else None
    called = sum(len(json.dumps(call.arguments).split()) + 1 for call in calls or ())
    return len(message.text.split()) + called


def read_script(path: Path) -> list[str | dict[str, Any]]:
    """Read a file of replies.

    Raises:
        BadFile: It cannot be read, is empty, or a line is none of the three kinds.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        replies = [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as wrong:
        raise BadFile(
            f"script/{path} cannot be read: {wrong}; say script/silent, script/echo, or "
            "script/FILE.jsonl with a reply in JSON on each line"
        ) from wrong
    for reply in replies:
        if not _is_reply(reply):
            raise BadFile(
                f"{path} holds {json.dumps(reply)[:60]}, which is not a reply; a reply is a text, "
                '{"call": [NAME, ARGUMENTS]} or {"fail": MESSAGE}'
            )
    if not replies:
        raise BadFile(f"{path} holds no reply")
    return replies


def _is_reply(reply: object) -> bool:
    if isinstance(reply, str):
        return True
    if not isinstance(reply, dict) or len(reply) != 1:
        return False
    if "fail" in reply:
        return True
    call = reply.get("call")
    if not isinstance(call, list) or len(call) != 2:
        return False
    return isinstance(call[0], str) and isinstance(call[1], dict)

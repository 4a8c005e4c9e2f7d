"""An agent of one's own behind a wall: it asks, and this side makes its moves and its calls.

The world, the turns, the log and the model stay here. What comes from the agent's process are
requests, each of which is checked before anything is done with it.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    ContentReasoning,
    ContentText,
    ContentToolUse,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolDef, ToolInfo
from inspect_ai.util import LimitExceededError
from pydantic import TypeAdapter, ValidationError

from causarium.contract.texts.replies import describe_validation_error
from causarium.engine.gate import BudgetSpent
from causarium.engine.play.ask_roles import ask_until_readable
from causarium.engine.sandbox.agent_process import AgentProcess, BrokenFrame
from causarium.errors import RunError

GRACE_S = 5.0
"""So long an agent that was told that it is over may take to end by itself."""

_MESSAGES: TypeAdapter[list[ChatMessage]] = TypeAdapter(list[ChatMessage])
_TOOLS: TypeAdapter[list[ToolInfo]] = TypeAdapter(list[ToolInfo])
_CHOICE: TypeAdapter[ToolChoice] = TypeAdapter(ToolChoice)
_HARMLESS = (ContentText, ContentReasoning, ContentToolUse)
"""Content that refers to nothing; anything else may name a file of this machine."""


class AgentOver(Exception):
    """The agent acted after the end of the episode."""


class AgentError(RunError):
    """The agent raised an exception of its own."""


class WalledAgent:
    """One sample of an agent that runs in a process of its own."""

    def __init__(self, process: AgentProcess, tools: Sequence[ToolDef]) -> None:
        """Take a process for one sample.

        Args:
            process: The process.
            tools: What it may call: the world's actions, and `bash` where it has a sandbox.
        """
        self._process = process
        self._tools = {tool.name: tool for tool in tools}
        self._acting = anyio.Lock()
        self._failure: BaseException | None = None
        self._provider_error: Exception | None = None
        self.messages: list[ChatMessage] | None = None
        self.output: ModelOutput | None = None

    async def run(self, number: int, messages: Sequence[ChatMessage], shell: str = "") -> None:
        """Run the agent to its end.

        Args:
            number: A running number, which says nothing of the instance.
            messages: What it is given.
            shell: The name of the tool that is its shell, if it has one.

        Raises:
            AgentOver: It acted after the end.
            AgentError: It raised an exception of its own.
            BrokenFrame: It sent what is no request, or its process ended.
            LimitExceededError: It reached a limit of the sample.
        """
        tools = {name: _describe(tool) for name, tool in self._tools.items()}
        await self._process.send(
            {
                "sample": number,
                "messages": [each.model_dump(mode="json") for each in messages],
                "tools": [about for name, about in tools.items() if name != shell],
                "shell": tools.get(shell),
            }
        )
        end: dict[str, Any] | None = None
        async with anyio.create_task_group() as requests:
            scope = requests.cancel_scope
            try:
                while "end" not in (frame := await self._process.receive()):
                    requests.start_soon(self._answer, frame, scope)
                end = frame
            except BrokenFrame as wrong:
                self._failure = self._failure or wrong
            scope.cancel()
        if end is None and not isinstance(self._failure, BrokenFrame):
            end = await self._wait_for_end()
        self._read_end((end or {}).get("end"))

    async def _wait_for_end(self) -> dict[str, Any] | None:
        """Give an agent that was told that it is over the time to end by itself."""
        with anyio.move_on_after(GRACE_S):
            while True:
                try:
                    frame = await self._process.receive()
                    if "end" in frame:
                        return frame
                    await self._process.send({"id": frame.get("id"), "over": True})
                except BrokenFrame:
                    return None
        return None

    def _read_end(self, end: object) -> None:
        ending = end if isinstance(end, dict) else {}
        try:
            self.messages = _MESSAGES.validate_python(ending["messages"])
            self.output = ModelOutput.model_validate(ending["output"])
        except (KeyError, ValidationError) as wrong:
            if self._failure is None:
                raise BrokenFrame("an end that cannot be read") from wrong
        if self._failure is not None:
            raise self._failure
        if error := ending.get("error"):
            raise self._provider_error or AgentError(str(error)[:500])

    async def _answer(self, frame: dict[str, Any], scope: anyio.CancelScope) -> None:
        """Answer one request; what ends the sample is kept, and ends the reading of requests."""
        try:
            answer = await self._find_answer(frame)
            await self._process.send({"id": frame.get("id"), **answer})
        except anyio.get_cancelled_exc_class():
            raise
        except AgentOver as wrong:
            await self._process.send({"id": frame.get("id"), "over": True})
            self._fail(wrong, scope)
        except BaseException as wrong:  # noqa: BLE001 - raised again in `run`
            self._fail(wrong, scope)

    def _fail(self, wrong: BaseException, scope: anyio.CancelScope) -> None:
        self._failure = self._failure or wrong
        scope.cancel()

    async def _find_answer(self, frame: dict[str, Any]) -> dict[str, Any]:
        if "call" in frame:
            return await self._call(frame["call"])
        if isinstance(frame.get("generate"), dict):
            return await self._generate(frame["generate"])
        raise BrokenFrame("a request that is none")

    async def _call(self, given: object) -> dict[str, Any]:
        match given:
            case [str(name), dict(arguments)] if name in self._tools:
                execute: Callable[..., Awaitable[object]] = self._tools[name].tool
                async with self._acting:
                    return {"text": str(await execute(**arguments))}
        raise BrokenFrame("a call of a tool that it does not have")

    async def _generate(self, given: dict[str, Any]) -> dict[str, Any]:
        try:
            messages = _MESSAGES.validate_python(given["input"])
            tools = _TOOLS.validate_python(given["tools"])
            choice = _CHOICE.validate_python(given["tool_choice"])
            config = GenerateConfig.model_validate(given["config"])
        except (KeyError, ValidationError) as wrong:
            detail = describe_validation_error(wrong) if isinstance(wrong, ValidationError) else ""
            return {"error": f"this cannot be asked: {detail or wrong}"}
        if not all(map(_is_harmless, messages)):
            return {"error": "a message may hold text, and nothing that names a file or an address"}
        ask = partial(get_model().generate, messages, tools, choice, config)
        try:
            output = await ask_until_readable(ask)
        except (BudgetSpent, LimitExceededError):
            raise
        except Exception as wrong:  # noqa: BLE001 - an agent may know what to do about it
            self._provider_error = wrong
            return {"error": f"{type(wrong).__name__}: {wrong}"}
        # An agent that went on after an error of the provider's raises on its own account.
        self._provider_error = None
        return {"output": output.model_dump(mode="json")}


def _is_harmless(message: ChatMessage) -> bool:
    """Whether a message refers to nothing on this machine or in its network."""
    return isinstance(message.content, str) or all(
        isinstance(part, _HARMLESS) or _is_inline(part) for part in message.content
    )


def _is_inline(part: object) -> bool:
    sources = [getattr(part, name, None) for name in ("image", "audio", "video", "document")]
    named = [source for source in sources if source is not None]
    return bool(named) and all(str(source).startswith("data:") for source in named)


def _describe(tool: ToolDef) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters.model_dump(mode="json", exclude_none=True),
    }

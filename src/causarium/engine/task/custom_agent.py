"""Agents of a user's own, through Inspect's agent interface.

A user gives a factory: a function that takes the world's actions as Inspect tools and returns an
Inspect `Agent`. It is named by its file, or by its module if it is installed, and its own name.
The agent gets the sample's messages and does what it likes; what it does with the tools are its
moves. It is ended when it goes on after the world is done, or for ever asks the model and does
nothing.

It runs in a sandbox, in a process that never imports causarium; this process never imports the
agent. Without a wall it runs here, in reach of the truth, and reports say so.

Behind its wall an agent asks, and this side makes its moves and calls: world, turns, log and model
stay here, and each request is checked before anything is done with it.
"""

import ast
import hashlib
import json
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
from inspect_ai.agent import Agent, AgentState
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ContentReasoning,
    ContentText,
    ContentToolUse,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Solver, TaskState
from inspect_ai.tool import ToolChoice, ToolDef, ToolInfo
from inspect_ai.util import LimitExceededError, apply_limits, sample_limits, span, turn_limit
from pydantic import TypeAdapter, ValidationError

from causarium.contract.family import AnyFamily
from causarium.contract.frozen import make_writable
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.world import Move, offered_actions
from causarium.engine.gate import CallRefused, pass_gate
from causarium.engine.play.inspect_episode import Play, ask_until_readable, make_solver
from causarium.engine.play.programs import action_tools, shell
from causarium.engine.record.episode_record import PROCESS_ENDED, RAISED, EpisodeStore
from causarium.engine.sandbox.agent_process import (
    AgentProcess,
    Boundary,
    BrokenFrame,
    ProcessPool,
    check_boundary,
    find_module_file,
)
from causarium.errors import BadFile, RunError, UnknownName, UsageError
from causarium_agent.__main__ import load

MOST_REQUESTS = 16
"""Largest number of requests of an agent that wait at once: each may hold 8 MB."""
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
        self._open = anyio.Semaphore(MOST_REQUESTS)
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
                while "end" not in (frame := await self._receive()):
                    requests.start_soon(self._answer, frame, scope)
                end = frame
            except BrokenFrame as wrong:
                self._failure = self._failure or wrong
            scope.cancel()
        if end is None and not isinstance(self._failure, BrokenFrame):
            end = await self._wait_for_end()
        self._read_end((end or {}).get("end"))

    async def _receive(self) -> dict[str, Any]:
        """Return the next frame; none is read while too many requests wait for their answers."""
        await self._open.acquire()
        frame = await self._process.receive()
        if "end" in frame:
            self._open.release()
        return frame

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
        finally:
            self._open.release()

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
        except (CallRefused, LimitExceededError):
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


INTERFACE = "tools"
"""The interface that words what an agent of one's own reads."""
MOST_IDLE = 50
"""So often an agent may ask the model without a move between."""
MOST_AFTER = 3
"""So often it may still ask when the world is done."""
_IDLE = "it asked the model again and again, and did nothing"

Factory = Callable[[list[ToolDef]], Agent]
"""Makes an agent of the tools that it is to act with."""


@dataclass(frozen=True, slots=True)
class CustomAgent:
    """An agent that a user brings."""

    name: str
    digest: str
    """The digest of the file that it is in."""
    given: str
    """How it was named, so that it is found from every folder."""
    needs_sandbox: bool = False
    """Whether it says that it runs things in the sample's sandbox."""
    boundary: Boundary = "none"
    """Where it runs."""
    factory: Factory | None = None
    """The function itself, where it runs in this process; None where it was not imported."""


def find_agent(given: str, boundary: str | None = None) -> CustomAgent:
    """Find the agent that a user names: a file or a module, and a function in it.

    It is imported only if there is to be no wall, and there is one unless `none` is said.

    Raises:
        UsageError: It is named in another way, or this machine has no such boundary.
        BadFile: The file or module cannot be found or read.
        UnknownName: It holds no such function, or there is no such boundary.
    """
    file, sign, name = given.rpartition("@")
    if sign and file.endswith(".py"):
        path = Path(file).expanduser()
        if not path.is_file():
            raise BadFile(f"there is no file {path} with an agent in it")
    else:
        package, colon, name = given.rpartition(":")
        if not colon or not package:
            raise UsageError(
                "an agent is named path/to/file.py@name or package.module:name, "
                f"and {given!r} is neither"
            )
        path = find_module_file(package)
    chosen = check_boundary(boundary)
    defined = _list_definitions(path)
    if name not in defined:
        own = [one for one, mark in defined.items() if mark is not None and one[0] != "_"]
        raise UnknownName(f"agent in {path}", name, own, plural="functions there")
    place = resolve_agent_path(given)
    factory = _import_agent(place) if chosen == "none" else None
    needs_sandbox = bool(defined[name] or getattr(factory, "needs_sandbox", False))
    return CustomAgent(name, _digest(path), place, needs_sandbox, chosen, factory)


def _list_definitions(path: Path) -> dict[str, bool | None]:
    """Return the names of a file, and whether each needs a sandbox; None: it is imported."""
    try:
        module = ast.parse(path.read_bytes(), filename=str(path))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
        raise BadFile(f"{path} cannot be imported: {type(wrong).__name__}: {wrong}") from wrong
    defined: dict[str, bool | None] = {}
    for node in module.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                marks = [ast.unparse(mark) for mark in node.decorator_list]
                defined[node.name] = any(mark.endswith("needs_sandbox") for mark in marks)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                defined[name] = False
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                defined |= dict.fromkeys((each.asname or each.name for each in names), None)
    return defined


def agent_name(given: str) -> str:
    """Return the name of an agent, without the file or module that it is in."""
    return given.rpartition("@" if "@" in given else ":")[2]


def resolve_agent_path(given: str) -> str:
    """Return how an agent is given, so that it is found from every folder."""
    file, sign, name = given.rpartition("@")
    return f"{Path(file).expanduser().resolve()}@{name}" if sign else given


def custom_agent_rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return rules under which an agent of one's own can play: by tools, which is all it has.

    Raises:
        UsageError: They ask for another interface.
    """
    asked = rules.get("interface") or INTERFACE
    if asked != INTERFACE:
        raise UsageError(
            f"your own agent acts through interface={INTERFACE}, but the rules say "
            f"interface={asked}; leave that rule out"
        )
    return {**rules, "interface": INTERFACE}


def _import_agent(given: str) -> Factory:
    """Import an agent into this process, as its own process would."""
    before = list(sys.path)
    try:
        return load(given)
    except Exception as wrong:
        raise BadFile(f"{given} cannot be imported: {type(wrong).__name__}: {wrong}") from wrong
    finally:
        sys.path[:] = before


def _digest(path: Path) -> str:
    try:
        return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
    except OSError as wrong:
        raise BadFile(f"{path} cannot be read: {wrong}") from wrong


def custom_agent_solver(family: AnyFamily, own: CustomAgent) -> Solver:
    """Return the solver in which an agent of a user's own plays a family."""
    pool = None if own.boundary == "none" else ProcessPool(own.given)
    numbers = count(1)

    async def solve(state: TaskState) -> TaskState:
        play = Play(family, state)
        await pass_gate(partial(_Reins(play, own).drive, pool, next(numbers)))
        return await play.finish()

    return make_solver("causarium/own_agent", solve)


class _Reins:
    """Lets an agent run, and stops it when there is nothing left to do."""

    def __init__(self, play: Play, own: CustomAgent) -> None:
        self.play = play
        self.own = own
        self.patience = turn_limit(MOST_IDLE)
        self.scope = anyio.CancelScope()
        self._calls = EpisodeStore(play.state.store).start_calls()

    async def take(self, move: Move) -> str:
        """Make a move of the agent's; one after the end ends the agent."""
        if self.play.done:
            self._note("it acted after the end")
            if self.own.factory is None:
                raise AgentOver
            self.scope.cancel()
            await anyio.lowlevel.checkpoint()
        seen = await self.play.make(move)
        left = MOST_AFTER if self.play.done else MOST_IDLE
        self.patience.limit = int(self.patience.usage) + left
        return seen.text

    def note(self, name: str, arguments: dict[str, Any]) -> None:
        """Note down a call as it came through the wall: what the turns must follow from."""
        held = make_writable(json.loads(json.dumps(arguments, default=str)))
        self._calls.append([name, held, int(sample_limits().turn.usage)])

    async def drive(self, pool: ProcessPool | None, number: int) -> None:
        """Run the agent to its end, or to ours.

        Args:
            pool: The agent's processes; None: it runs in this one.
            number: The number of the sample, which says nothing of the instance.

        Raises:
            RunError: Its process did not start.
        """
        tools = action_tools(offered_actions(self.play.episode.world), self.take, self.note)
        with self.scope, apply_limits([self.patience], catch_errors=True) as limits:
            async with span(self.own.name, type="agent"):
                if pool is None:
                    await self._run_here(tools)
                else:
                    await self._run_behind_wall(tools, pool, number)
        if limits.limit_error is not None:
            self._note(_IDLE)

    async def _run_here(self, tools: list[ToolDef]) -> None:
        if self.own.factory is None:
            raise TypeError("an agent that was not imported runs behind a wall")
        state = self.play.state
        mind = AgentState(messages=list(state.messages))
        try:
            returned: object = await self.own.factory(tools)(mind)
            mind = returned if isinstance(returned, AgentState) else mind
        except (CallRefused, LimitExceededError):
            raise
        except Exception as wrong:
            if _did_provider_fail() and not self.play.done:
                raise
            self._note(f"{RAISED}{type(wrong).__name__}: {wrong}"[:500])
        finally:
            # What it said and read stays in the log, however it ended.
            state.messages, state.output = mind.messages, mind.output

    async def _run_behind_wall(self, tools: list[ToolDef], pool: ProcessPool, number: int) -> None:
        state = self.play.state
        bash = [shell(tools)] if self.own.needs_sandbox else []
        async with pool.lend() as process:
            agent = WalledAgent(process, [*tools, *bash])
            try:
                await agent.run(number, state.messages, bash[0].name if bash else "")
            except AgentOver:
                if agent.messages is None:
                    process.kill()
            except AgentError as wrong:
                self._note(f"{RAISED}{wrong}")
            except BrokenFrame as wrong:
                process.kill()
                self._note(f"{PROCESS_ENDED}: {str(wrong)[:500]}")
            except (CallRefused, LimitExceededError):
                raise
            except Exception as wrong:
                # What was played stands: whoever fails afterwards must not play it again.
                if not self.play.done:
                    raise
                process.kill()
                self._note(f"{RAISED}{type(wrong).__name__}: {wrong}"[:500])
            finally:
                if agent.messages is not None and agent.output is not None:
                    state.messages, state.output = agent.messages, agent.output

    def _note(self, why: str) -> None:
        EpisodeStore(self.play.state.store).ended = why


def _did_provider_fail() -> bool:
    """Whether the last call of a model in this sample failed: what is raised then is its error."""
    calls = [event for event in transcript().events if isinstance(event, ModelEvent)]
    return bool(calls) and calls[-1].error is not None

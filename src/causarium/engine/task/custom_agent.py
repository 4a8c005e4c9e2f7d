"""Agents of a user's own, through Inspect's agent interface.

A user gives a factory: a function that takes the world's actions as Inspect tools and returns an
Inspect `Agent`. It is named `path/to/file.py@name`, or `package.module:name` if it is installed.
The agent gets the sample's messages and does what it likes; what it does with the tools are its
moves. It is ended when it goes on after the world is done, or for ever asks the model and does
nothing.

It runs in a sandbox, in a process that never imports causarium; this process never imports the
agent. Without a wall it runs here, in reach of the truth, and reports say so.
"""

import ast
import hashlib
import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.machinery import SourceFileLoader
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio.lowlevel
from inspect_ai.agent import Agent, AgentState
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef
from inspect_ai.util import LimitExceededError, apply_limits, sample_limits, span, turn_limit

from causarium.contract.family import AnyFamily
from causarium.contract.frozen import make_writable
from causarium.contract.world import Move, offered_actions
from causarium.engine.gate import BudgetSpent, pass_gate
from causarium.engine.play.action_tools import action_tools
from causarium.engine.play.inspect_episode import Play
from causarium.engine.play.programs import shell
from causarium.engine.record.episode_store import PROCESS_ENDED, RAISED, EpisodeStore
from causarium.engine.sandbox.agent_process import (
    Boundary,
    BrokenFrame,
    ProcessPool,
    check_boundary,
    find_module_file,
)
from causarium.engine.task.walled_agent import AgentError, AgentOver, WalledAgent
from causarium.errors import BadFile, UnknownName, UsageError

INTERFACE = "tools"
"""The interface whose words an agent of one's own is given."""
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
    """Find the agent that `file.py@name` or `package.module:name` names.

    It is imported only if there is to be no wall.

    Args:
        given: The agent.
        boundary: Where it is to run: `sandbox`, or `none`; `sandbox` unless it is said.

    Raises:
        UsageError: It is named in another way, or this machine has no such boundary.
        BadFile: The file or module cannot be found or read.
        UnknownName: It holds no such function, or there is no such boundary.
    """
    if boundary == "none":
        return load_agent(given)
    file, sign, name = given.rpartition("@")
    if sign and file.endswith(".py"):
        path = Path(file).expanduser()
        if not path.is_file():
            raise BadFile(f"there is no file {path} with an agent in it")
    else:
        package, name = _split_module(given)
        path = find_module_file(package)
    chosen = check_boundary(boundary)
    defined = _list_definitions(path)
    if name not in defined:
        own = [each for each in defined if not each.startswith("_")]
        raise UnknownName(f"agent in {path}", name, own, plural="functions there")
    place = resolve_agent_path(given)
    return CustomAgent(name, _digest(path), place, defined[name], chosen)


def _list_definitions(path: Path) -> dict[str, bool]:
    """Return the names that a file defines, and whether each is marked as needing a sandbox."""
    try:
        module = ast.parse(path.read_bytes(), filename=str(path))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
        raise BadFile(f"{path} cannot be imported: {type(wrong).__name__}: {wrong}") from wrong
    defined: dict[str, bool] = {}
    for node in module.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                marks = [ast.unparse(mark) for mark in node.decorator_list]
                defined[node.name] = any(mark.endswith("needs_sandbox") for mark in marks)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                defined[name] = False
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                defined |= dict.fromkeys((each.asname or each.name for each in names), False)
    return defined


def _split_module(given: str) -> tuple[str, str]:
    package, colon, name = given.rpartition(":")
    if not colon or not package:
        raise UsageError(
            "an agent is given as path/to/file.py@name or as package.module:name, "
            f"and {given!r} is neither"
        )
    return package, name


def load_agent(given: str) -> CustomAgent:
    """Import the agent that `file.py@name` or `package.module:name` names into this process.

    Raises:
        UsageError: It is named in another way.
        BadFile: The file or module cannot be found or imported.
        UnknownName: It holds no such function.
    """
    file, sign, name = given.rpartition("@")
    if sign and file.endswith(".py"):
        module = _import_file(Path(file).expanduser())
    else:
        package, name = _split_module(given)
        module = _import_package(package)
    made = getattr(module, name, None)
    if not callable(made):
        own = [key for key, value in vars(module).items() if _is_own(value, key, module)]
        raise UnknownName(f"agent in {module.__file__}", name, own, plural="functions there")
    needs_sandbox = bool(getattr(made, "needs_sandbox", False))
    digest = _digest(Path(str(module.__file__)))
    return CustomAgent(name, digest, resolve_agent_path(given), needs_sandbox, factory=made)


def agent_name(given: str) -> str:
    """Return the name of the agent that is given as `file.py@name` or `package.module:name`."""
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
            f"an agent of your own acts through {INTERFACE}, and the rules say interface={asked}; "
            "leave that out"
        )
    return {**rules, "interface": INTERFACE}


class _UncachedLoader(SourceFileLoader):
    """Runs a file as it is now: Python's cache takes a file changed within a second for the old."""

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """Say that nothing is known of the file, so that a cache is neither read nor written."""
        raise OSError(f"{path} is read anew every time")


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise BadFile(f"there is no file {path} with an agent in it")
    name = f"causarium_agent_{path.stem}_{_digest(path).partition(':')[2][:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise BadFile(f"{path} is not a Python file")
    spec.loader = _UncachedLoader(name, str(path.resolve()))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        with _add_to_path(path.resolve().parent):
            spec.loader.exec_module(module)
    except BaseException as wrong:
        del sys.modules[name]
        if not isinstance(wrong, Exception):
            raise
        raise BadFile(f"{path} cannot be imported: {type(wrong).__name__}: {wrong}") from wrong
    return module


def _import_package(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as wrong:
        raise BadFile(
            f"the module {name} cannot be imported: {type(wrong).__name__}: {wrong}; "
            "a file is given as path/to/file.py@name"
        ) from wrong


@contextmanager
def _add_to_path(folder: Path) -> Iterator[None]:
    """Let a file import its neighbours, as it could if it were started by itself."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _is_own(value: object, name: str, module: ModuleType) -> bool:
    mine = getattr(value, "__module__", None) == module.__name__
    return callable(value) and mine and not name.startswith("_")


def _digest(path: Path) -> str:
    try:
        return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
    except OSError as wrong:
        raise BadFile(f"{path} cannot be read: {wrong}") from wrong


def custom_agent_solver(family: AnyFamily, own: CustomAgent) -> Solver:
    """Return the solver in which an agent of a user's own plays a family."""
    pool = None if own.boundary == "none" else ProcessPool(own.given)
    numbers = count(1)

    @solver(name="causarium/own_agent")
    def agent() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            play = Play(family, state)
            reins = _Reins(play, own)
            if pool is None:
                await pass_gate(reins.drive)
            else:
                await pass_gate(partial(reins.drive_behind_wall, pool, next(numbers)))
            return await play.finish()

        return solve

    return agent()


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

    async def drive(self) -> None:
        """Run the agent in this process to its end, or to ours."""
        if self.own.factory is None:
            raise TypeError("an agent that was not imported runs behind a wall")
        state = self.play.state
        mind = AgentState(messages=list(state.messages))
        tools = action_tools(offered_actions(self.play.episode.world), self.take, self.note)
        try:
            with self.scope, apply_limits([self.patience], catch_errors=True) as limits:
                async with span(self.own.name, type="agent"):
                    try:
                        mind = _final_state(await self.own.factory(tools)(mind), mind)
                    except (BudgetSpent, LimitExceededError):
                        raise
                    except Exception as wrong:
                        if _did_provider_fail():
                            raise
                        self._note(f"{RAISED}{type(wrong).__name__}: {wrong}"[:500])
        finally:
            # What it said and read stays in the log, however it ended.
            state.messages, state.output = mind.messages, mind.output
        if limits.limit_error is not None:
            self._note(_IDLE)

    async def drive_behind_wall(self, pool: ProcessPool, number: int) -> None:
        """Run the agent in a process of its own to its end, or to ours.

        Args:
            pool: The agent's processes.
            number: The number of the sample, which says nothing of the instance.

        Raises:
            RunError: Its process did not start.
        """
        state = self.play.state
        tools = action_tools(offered_actions(self.play.episode.world), self.take, self.note)
        bash = [shell(tools)] if self.own.needs_sandbox else []
        with apply_limits([self.patience], catch_errors=True) as limits:
            async with span(self.own.name, type="agent"), pool.lend() as process:
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
                finally:
                    if agent.messages is not None and agent.output is not None:
                        state.messages, state.output = agent.messages, agent.output
        if limits.limit_error is not None:
            self._note(_IDLE)

    def _note(self, why: str) -> None:
        EpisodeStore(self.play.state.store).ended = why


def _did_provider_fail() -> bool:
    """Whether the last call of a model in this sample failed: what is raised then is its error."""
    calls = [event for event in transcript().events if isinstance(event, ModelEvent)]
    return bool(calls) and calls[-1].error is not None


def _final_state(returned: Any, before: AgentState) -> AgentState:  # noqa: ANN401
    return returned if isinstance(returned, AgentState) else before

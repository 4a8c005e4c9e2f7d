"""Agents of a user's own, through Inspect's agent interface.

A user gives a factory: a function that takes the world's actions as Inspect tools and returns an
Inspect `Agent`. It is named `path/to/file.py@name`, or `package.module:name` if it is installed.
The agent gets the sample's messages and does what it likes; what it does with the tools are its
moves. It is ended when it goes on after the world is done, or for ever asks the model and does
nothing.
"""

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio.lowlevel
from inspect_ai.agent import Agent, AgentState
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef
from inspect_ai.util import apply_limits, span, turn_limit

from causarium.contract.family import AnyFamily
from causarium.contract.world import Move
from causarium.engine.gate import pass_gate
from causarium.engine.play.action_tools import action_tools
from causarium.engine.play.inspect_episode import Play
from causarium.engine.record.episode_store import EpisodeStore
from causarium.errors import BadFile, UnknownName, UsageError

INTERFACE = "tools"
"""The interface whose words an agent of one's own is given."""
MOST_IDLE = 50
"""So often an agent may ask the model without a move between."""
MOST_AFTER = 3
"""So often it may still ask when the world is done."""

Factory = Callable[[list[ToolDef]], Agent]
"""Makes an agent of the tools that it is to act with."""


@dataclass(frozen=True, slots=True)
class CustomAgent:
    """An agent that a user brings."""

    name: str
    factory: Factory
    digest: str
    """The digest of the file that it is in."""

    @property
    def needs_sandbox(self) -> bool:
        """Whether it says that it runs things in the sample's sandbox."""
        return bool(getattr(self.factory, "needs_sandbox", False))


def load_agent(given: str) -> CustomAgent:
    """Find the agent that `file.py@name` or `package.module:name` names.

    Raises:
        UsageError: It is named in another way.
        BadFile: The file or module cannot be found or imported.
        UnknownName: It holds no such function.
    """
    file, sign, name = given.rpartition("@")
    if sign and file.endswith(".py"):
        module = _import_file(Path(file).expanduser())
    else:
        package, colon, name = given.rpartition(":")
        if not colon or not package:
            raise UsageError(
                "an agent is given as path/to/file.py@name or as package.module:name, "
                f"and {given!r} is neither"
            )
        module = _import_package(package)
    made = getattr(module, name, None)
    if not callable(made):
        own = [key for key, value in vars(module).items() if _is_own(value, key, module)]
        raise UnknownName(f"agent in {module.__file__}", name, own, plural="functions there")
    return CustomAgent(name, made, _digest(Path(str(module.__file__))))


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


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise BadFile(f"there is no file {path} with an agent in it")
    name = f"causarium_agent_{path.stem}_{_digest(path).partition(':')[2][:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise BadFile(f"{path} is no Python file")
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

    @solver(name="causarium/own_agent")
    def agent() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            play = Play(family, state)
            await pass_gate(_Reins(play, own).drive)
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

    async def take(self, move: Move) -> str:
        """Make a move of the agent's; one after the end ends the agent."""
        if self.play.done:
            self._note("it acted after the end")
            self.scope.cancel()
            await anyio.lowlevel.checkpoint()
        seen = await self.play.make(move)
        left = MOST_AFTER if self.play.done else MOST_IDLE
        self.patience.limit = int(self.patience.usage) + left
        return seen.text

    async def drive(self) -> None:
        """Run the agent to its end, or to ours."""
        state = self.play.state
        mind = AgentState(messages=list(state.messages))
        tools = action_tools(self.play.episode.world.allowed_actions, self.take)
        try:
            with self.scope, apply_limits([self.patience], catch_errors=True) as limits:
                async with span(self.own.name, type="agent"):
                    mind = _final_state(await self.own.factory(tools)(mind), mind)
        finally:
            # What it said and read stays in the log, however it ended.
            state.messages, state.output = mind.messages, mind.output
        if limits.limit_error is not None:
            self._note("it asked the model again and again, and did nothing")

    def _note(self, why: str) -> None:
        EpisodeStore(self.play.state.store).ended = why


def _final_state(returned: Any, before: AgentState) -> AgentState:  # noqa: ANN401
    return returned if isinstance(returned, AgentState) else before

"""The process in which an agent of one's own runs.

It reaches the world, and the model, through two pipes with one line of JSON a message; there is
nothing else in it. For each sample Inspect runs a task of one sample, so that an agent finds what
it would find in any other: a model, spans, limits, a store.

    <- {"ready": true} or {"failed": "..."}                    the agent was loaded, or not
    -> {"sample", "messages", "tools", "shell"}                a sample begins
    <- {"id", "generate": {...}}   -> {"id", "output"} or {"id", "error"}
    <- {"id", "call": [name, arguments]}   -> {"id", "text"} or {"id", "error"} or {"id", "over"}
    <- {"end": {"messages", "output", "error"}}                it has ended
"""

import asyncio
import importlib
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

MOST_IDLE_S = 60.0
"""After so long without a sample the process ends; the next sample starts another."""


class Over(RuntimeError):
    """The agent acted after the end of the episode."""


class Line:
    """The two pipes: requests are answered by number, samples come one after another."""

    def __init__(self, received: BinaryIO, sent: BinaryIO) -> None:
        self._received, self._sent = received, sent
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._count = 0
        self.samples: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, frame: dict[str, Any]) -> None:
        """Send one message."""
        self._sent.write(json.dumps(frame).encode() + b"\n")
        self._sent.flush()

    async def ask(self, **request: Any) -> dict[str, Any]:  # noqa: ANN401
        """Send a request and return the answer to it."""
        self._count += 1
        answer: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        self._waiting[self._count] = answer
        self.send({"id": self._count, **request})
        return await answer

    def _read(self) -> None:
        for line in self._received:
            self._loop.call_soon_threadsafe(self._receive, json.loads(line))
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.samples.put_nowait, None)

    def _receive(self, frame: dict[str, Any]) -> None:
        if "sample" in frame:
            self.samples.put_nowait(frame)
        elif (answer := self._waiting.pop(frame["id"], None)) is not None and not answer.done():
            answer.set_result(frame)


async def serve(line: Line, given: str) -> None:
    """Load the agent and run one sample after another, until there are no more.

    It is loaded before anything is known of a sample: what it does later is its own doing.
    """
    try:
        factory = load(given)
    except Exception as wrong:  # noqa: BLE001 - the other process gets it
        line.send({"failed": f"{type(wrong).__name__}: {wrong}"})
        return
    line.send({"ready": True})
    register_relay(line)
    while True:
        try:
            job = await asyncio.wait_for(line.samples.get(), MOST_IDLE_S)
        except TimeoutError:
            return
        if job is None:
            return
        line.send({"end": await run_sample(line, job, factory)})


async def run_sample(
    line: Line, job: dict[str, Any], factory: Callable[..., Any]
) -> dict[str, Any]:
    """Run the agent on one sample; returns what it said and how it ended."""
    from inspect_ai import Task, eval_async
    from inspect_ai.agent import AgentState
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessage, get_model
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from pydantic import TypeAdapter

    import causarium_agent

    end: dict[str, Any] = {"messages": [], "output": None, "error": None}
    messages = TypeAdapter(list[ChatMessage]).validate_python(job["messages"])
    tools = [make_tool(line, each) for each in job["tools"]]
    if job.get("shell"):
        causarium_agent._shell_of_this_process = lambda: make_tool(line, job["shell"])

    @solver
    def agent() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            mind = AgentState(messages=list(state.messages))
            try:
                returned = await factory(tools)(mind)
                mind = returned if isinstance(returned, AgentState) else mind
            except Over:
                end["error"] = "over"
            except Exception as wrong:  # noqa: BLE001 - the other process gets it
                end["error"] = f"{type(wrong).__name__}: {wrong}"
            end["messages"] = [each.model_dump(mode="json") for each in mind.messages]
            end["output"] = mind.output.model_dump(mode="json")
            return state

        return solve

    with tempfile.TemporaryDirectory() as folder:
        (log,) = await eval_async(
            Task(dataset=MemoryDataset([Sample(id=job["sample"], input=messages)]), solver=agent()),
            model=get_model("relay/model"),
            log_dir=folder,
            log_samples=False,
            log_realtime=False,
        )
    if log.status != "success" and end["error"] is None:
        end["error"] = log.error.message if log.error else log.status
    return end


def load(given: str) -> Callable[..., Any]:
    """Return the factory that a user names: a file or a module, and a function in it."""
    file, sign, name = given.rpartition("@")
    if not sign:
        package, _, name = given.rpartition(":")
        found: Callable[..., Any] = getattr(importlib.import_module(package), name)
        return found
    path = Path(file)
    sys.path.insert(0, str(path.parent))
    module = sys.modules[f"agent_{path.stem}"] = ModuleType(f"agent_{path.stem}")
    module.__file__ = str(path)
    # Python's own cache takes a file that was changed within a second for the old one.
    exec(compile(path.read_bytes(), path, "exec"), vars(module))  # noqa: S102 - the user's own
    factory: Callable[..., Any] = getattr(module, name)
    return factory


def make_tool(line: Line, about: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return a tool that asks the other process to act."""
    from inspect_ai.tool import ToolDef, ToolParams

    async def execute(**arguments: Any) -> str:  # noqa: ANN401
        answer = await line.ask(call=[about["name"], arguments])
        if "over" in answer:
            raise Over("the episode is over")
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return str(answer["text"])

    return ToolDef(
        execute,
        name=about["name"],
        description=about["description"],
        parameters=ToolParams.model_validate(about["parameters"]),
        parallel=False,
    )


def register_relay(line: Line) -> None:
    """Make a model of the other process's model."""
    from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
    from inspect_ai.tool import ToolChoice, ToolInfo
    from pydantic import TypeAdapter

    choice = TypeAdapter(ToolChoice)

    @modelapi(name="relay")
    class Relay(ModelAPI):
        async def generate(
            self,
            input: list[ChatMessage],  # noqa: A002 - as Inspect has it
            tools: list[ToolInfo],
            tool_choice: ToolChoice,
            config: GenerateConfig,
        ) -> ModelOutput:
            answer = await line.ask(
                generate={
                    "input": [each.model_dump(mode="json") for each in input],
                    "tools": [each.model_dump(mode="json", exclude_none=True) for each in tools],
                    "tool_choice": choice.dump_python(tool_choice, mode="json"),
                    "config": config.model_dump(mode="json", exclude_none=True),
                }
            )
            if "error" in answer:
                raise RuntimeError(answer["error"])
            return ModelOutput.model_validate(answer["output"])


def main() -> None:
    """Take the pipes from where a program would read and print, and serve."""
    received, sent = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    os.environ.setdefault("INSPECT_DISPLAY", "none")

    async def run() -> None:
        await serve(Line(received, sent), sys.argv[1])

    asyncio.run(run())
    # The reader waits for ever on a pipe that nobody closes.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()

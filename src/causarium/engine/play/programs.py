"""Runs the programs that an agent writes, in the sandbox of its sample.

While a program runs it may use its verbs on the world: each is an ordinary turn, taken before the
program's own. All that comes out of a sandbox is hostile input. What a program did is data; a
sandbox that does not start is a broken machine. Where there is no Inspect run, each episode has a
sandbox of its own; a coding agent acts on the world from a command line in one.

Actions are Inspect tools too, and the schema of a tool is that of the action. Inspect refuses
arguments outside the schema before they reach us; `read_refusal` turns such refusals into
`Unparsed`, so that they count.
"""

import contextlib
import json
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, get_args
from weakref import WeakSet, finalize

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream
from inspect_ai.model import ChatMessageTool, Content
from inspect_ai.tool import ToolDef, ToolParams
from inspect_ai.util import JSONSchema, SandboxEnvironment, sandbox
from pydantic import ValidationError

from causarium.contract.episode import Episode, not_handled
from causarium.contract.texts.replies import MAX_DEPTH, MAX_REPLY_CHARS, describe_validation_error
from causarium.contract.texts.reply_schemas import INVALID_CALL, tool_parameters
from causarium.contract.texts.scan_reply import is_deeper
from causarium.contract.world import Action, Move, Observation, Program, ProgramResult, Unparsed
from causarium.engine.record.episode_record import MOST_DETAIL
from causarium.engine.sandbox.bubblewrap import Bubblewrap, find_sandbox
from causarium.engine.sandbox.held_sandbox import HeldCommand, tasks
from causarium.engine.sandbox.sandbox_command import PYTHON
from causarium.errors import RunError

NO_CALL = "invalid format"
"""The error mode of a reply without a tool call, where one is needed."""


MakeMove = Callable[[Move], Awaitable[str | list[Content]]]
"""Makes a move and says, or shows, what the world answered."""


Note = Callable[[str, dict[str, Any]], None]
"""Notes down a call: the name of the tool and its arguments."""


def action_tools(
    actions: tuple[type[Action], ...], take: MakeMove, note: Note | None = None
) -> list[ToolDef]:
    """Return a tool for each action that can be called; `note` gets every call as it came."""
    return [_tool(action, take, note) for action in actions if action.in_tools]


def _tool(action: type[Action], take: MakeMove, note: Note | None) -> ToolDef:
    async def execute(**arguments: Any) -> str | list[Content]:  # noqa: ANN401
        if note is not None:
            note(action.kind, arguments)
        return await take(read_arguments(action, arguments))

    return ToolDef(
        execute,
        name=action.kind,
        description=(action.__doc__ or action.kind).strip(),
        parameters=_parameters(action),
        parallel=False,
    )


def read_arguments(action: type[Action], arguments: object) -> Move:
    """Return the move that a call of a tool makes."""
    try:
        return action.model_validate(arguments)
    except ValidationError as wrong:
        return _make_unparsed(describe_validation_error(wrong))
    except Exception:  # noqa: BLE001 - no call may end a sample
        return not_handled("read")


def _parameters(action: type[Action]) -> ToolParams:
    properties, required = tool_parameters(action)
    schemas = {name: JSONSchema.model_validate(field) for name, field in properties.items()}
    return ToolParams(properties=schemas, required=required)


def tool_schema(action: type[Action]) -> dict[str, Any]:
    """Return the schema by which Inspect checks the arguments of a call."""
    return _parameters(action).model_dump(exclude_none=True)


def read_refusal(message: ChatMessageTool) -> Unparsed | None:
    """Return what a tool message says that Inspect itself refused, if it did."""
    if message.error is None:
        return None
    return Unparsed(mode=INVALID_CALL, detail=message.error.message[:MOST_DETAIL])


TIME_S = 60
"""How long a program may run; the time in which it waits for the world does not count."""
MOST_CODE_CHARS = 100_000
MOST_OUTPUT_CHARS = 16_000
"""So much of the output is kept: half from its beginning, half from its end."""
MOST_CALLS = 200
"""So often one program may use its verbs."""
_GRACE_S = 5
_MOST_LINE_BYTES = 2_000_000
_BROUGHT_DOWN = "[nothing can be run any more: an earlier program has seen to that]"
_STARTED_IN: WeakSet[SandboxEnvironment] = WeakSet()
"""Sandboxes in which a program has run: one that then starts no more was brought down by it."""
_ENDINGS = get_args(ProgramResult.model_fields["ending"].annotation)

Take = Callable[[Move], Awaitable[Observation]]
"""Makes a move and returns what the world answered."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is run in a sandbox, and what it finds there."""

    code: str
    files: Mapping[str, str]
    """Beside it: name to text."""
    verbs: Mapping[str, Any]
    """What its client can ask for: name to what that does (`about`) and arguments (`fields`)."""
    answer: Callable[[object], Awaitable[dict[str, Any]]]
    """Answers what it asks for; what that is, is not known to be anything."""


async def run_program(
    episode: Episode, program: Program, take: Take, place: SandboxEnvironment | None = None
) -> Program:
    """Run a program, by default in the sandbox of the sample; return it with what became of it.

    Whatever stood there before is overwritten. A program that the world does not expect is not
    run; the world will say so.

    Raises:
        RunError: The sandbox does not work.
    """
    if type(program) not in episode.world.allowed_actions:
        return program.model_copy(update={"ran": None})

    async def answer(asked: object) -> dict[str, Any]:
        if episode.done:
            return refusal("It is over; nothing more can be done.")
        seen = await take(read_call(asked, program.verbs))
        return {"legal": seen.legal, "seen": dict(seen.data), "text": seen.text}

    files: Mapping[str, str] = getattr(episode.world, "workspace", dict)()
    verbs = {
        verb.kind: {"about": (verb.__doc__ or "").strip(), "fields": _arguments(verb)}
        for verb in program.verbs
    }
    ran = await run_job(Job(program.code, files, verbs, answer), place)
    return program.model_copy(update={"ran": ran})


def refusal(why: str) -> dict[str, Any]:
    """Return the answer to a request that is not met."""
    return {"legal": False, "seen": {}, "text": why}


async def run_job(job: Job, place: SandboxEnvironment | None = None) -> ProgramResult:
    """Run code in the sandbox of the sample, and return what became of it.

    Raises:
        RunError: The sandbox does not work.
    """
    if len(job.code) > MOST_CODE_CHARS:
        size = f"it has {len(job.code):,} characters; at most {MOST_CODE_CHARS:,} are run"
        return ProgramResult(output=f"The program was not run: {size}.", ending="refused")
    try:
        place = place or sandbox()
    except ProcessLookupError:
        return ProgramResult(
            output="The program was not run: there is no sandbox.", ending="refused"
        )
    try:
        ran = await _attend(job, place)
    except _NotReady:
        if place not in _STARTED_IN:
            raise
        ran = await _attend_again(job, place)
    _STARTED_IN.add(place)
    return ran


async def _attend(job: Job, place: SandboxEnvironment) -> ProgramResult:
    guest = [PYTHON, "-I", "-c", read_inner_module("guest.py")]
    try:
        entrance = place.as_type(Bubblewrap).start(guest)
    except TypeError as wrong:
        raise RunError(
            "programs run in a bubblewrap sandbox, and this run was given another; leave out "
            "--sandbox"
        ) from wrong
    async with entrance as running:
        return await _Session(job, running).attend()


async def _attend_again(job: Job, place: SandboxEnvironment) -> ProgramResult:
    """Try once more: what an earlier program left behind may have taken one start with it."""
    try:
        return await _attend(job, place)
    except _NotReady:
        return ProgramResult(output=_BROUGHT_DOWN, ending="failed")


class _NotReady(RunError):
    """Nothing can be started in a sandbox."""


@dataclass
class _Output:
    """What a program printed: the beginning, and the end if there is too much of it."""

    head: str = ""
    tail: str = ""
    left_out: int = 0

    def add(self, text: str) -> None:
        half = MOST_OUTPUT_CHARS // 2
        room = half - len(self.head)
        self.head += text[:room]
        self.tail += text[room:]
        if (extra := len(self.tail) - half) > 0:
            self.left_out += extra
            self.tail = self.tail[extra:]

    def __str__(self) -> str:
        cut = f"\n[… {self.left_out:,} characters left out …]\n" if self.left_out else ""
        return f"{self.head}{cut}{self.tail}"


@dataclass
class _Session:
    """One program while it runs."""

    job: Job
    running: HeldCommand
    output: _Output = field(default_factory=_Output)
    calls: int = 0
    complaints: bytearray = field(default_factory=bytearray)
    silent: anyio.Event = field(default_factory=anyio.Event)
    """Set when nothing more will be complained of."""

    async def attend(self) -> ProgramResult:
        """Send the program in and serve it until it is over."""
        async with tasks() as group:
            group.start_soon(self._listen)
            ending = await self._serve()
            self.running.kill()
        return ProgramResult(output=str(self.output), ending=ending)

    async def _listen(self) -> None:
        """Read what the sandbox itself complains of, and keep the last of it."""
        async for part in self.running.stderr:
            self.complaints += part
            del self.complaints[:-2000]
        self.silent.set()

    async def _serve(self) -> Any:  # noqa: ANN401 — one of _ENDINGS
        lines = BufferedByteReceiveStream(self.running.stdout)
        with anyio.move_on_after(TIME_S + _GRACE_S) as patience:
            if "ready" not in (await _frame(lines) or {}):
                await self._fail()
            await self._send(self._request())
            while (frame := await _frame(lines)) is not None:
                if "end" in frame:
                    return frame["end"] if frame["end"] in _ENDINGS else "failed"
                if "call" in frame:
                    if self.calls == MOST_CALLS:
                        self.output.add(f"\n[a program may ask {MOST_CALLS} times]\n")
                        return "failed"
                    left = patience.deadline - anyio.current_time()
                    patience.deadline = math.inf
                    self.calls += 1
                    answer = await self.job.answer(frame["call"])
                    patience.deadline = anyio.current_time() + left
                    await self._send(answer)
                self.output.add(str(frame.get("out", "")))
        return "out of time" if patience.cancelled_caught else self._cut_off()

    async def _fail(self) -> NoReturn:
        """Say why nothing starts in the sandbox."""
        with anyio.move_on_after(1):
            await self.silent.wait()
        complaint = self.complaints.decode(errors="replace").strip()
        raise _NotReady(f"the sandbox does not start: {complaint or 'it says nothing'}")

    def _cut_off(self) -> str:
        if self.running.excess == "memory":
            return "out of memory"
        if self.running.excess == "cpu":
            return "out of time"
        if self.running.excess == "disk":
            self.output.add("\n[it made more files than it may; all of them are gone]\n")
        return "failed"

    def _request(self) -> dict[str, Any]:
        ours = {"client.py": read_inner_module("client.py"), "program.py": self.job.code}
        files, verbs = {**self.job.files, **ours}, dict(self.job.verbs)
        return {"files": files, "verbs": verbs, "time_s": TIME_S}

    async def _send(self, value: dict[str, Any]) -> None:
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self.running.stdin.send(json.dumps(value).encode() + b"\n")


def read_request(asked: object) -> tuple[str, dict[str, Any]] | Unparsed:
    """Read what a program asks for: `[KIND, {ARGUMENT: VALUE}]` as JSON."""
    if not isinstance(asked, str) or len(asked) > MAX_REPLY_CHARS:
        return _make_unparsed(f"a request has at most {MAX_REPLY_CHARS:,} characters")
    try:
        kind, given = json.loads(asked)
    except (ValueError, TypeError, RecursionError):
        return _make_unparsed("a request has a name and arguments")
    if not isinstance(given, dict) or is_deeper(given, MAX_DEPTH):
        return _make_unparsed(f"arguments have names, and nest at most {MAX_DEPTH} deep")
    return str(kind), given


def read_call(asked: object, verbs: tuple[type[Action], ...]) -> Move:
    """Read what a program asks for as one of its verbs."""
    request = read_request(asked)
    if isinstance(request, Unparsed):
        return request
    kind, given = request
    verb = next((one for one in verbs if one.kind == kind), None)
    if verb is None:
        return _make_unparsed(
            f"a program can do {', '.join(one.kind for one in verbs) or 'nothing'}"
        )
    arguments = _arguments(verb)
    if any(name not in arguments for name in given):
        return _make_unparsed(f"{verb.kind} has the arguments {', '.join(arguments) or 'none'}")
    return read_arguments(verb, given)


def _make_unparsed(detail: str) -> Unparsed:
    return Unparsed(mode=INVALID_CALL, detail=detail)


def _arguments(verb: type[Action]) -> list[str]:
    return list(verb.model_json_schema().get("properties", {}))


def read_inner_module(name: str) -> str:
    """Return the text of a module that runs inside."""
    return (Path(__file__).parents[1] / "sandbox" / name).read_text(encoding="utf-8")


async def _frame(lines: BufferedByteReceiveStream) -> dict[str, Any] | None:
    """Return the next line from inside; None when there are no more, or it is no line of ours."""
    try:
        frame = json.loads(await lines.receive_until(b"\n", _MOST_LINE_BYTES))
    except (anyio.EndOfStream, anyio.IncompleteRead, anyio.DelimiterNotFound):
        return None
    except (ValueError, RecursionError):
        return {}
    return frame if isinstance(frame, dict) else {}


class ProgramRunner:
    """The sandbox of one episode; it is removed when nobody holds the runner any more.

    Raises:
        NoSandbox: Bubblewrap does not work on this machine; says why.
    """

    def __init__(self) -> None:
        find_sandbox()
        self._place = Bubblewrap()
        finalize(self, self._place.close)

    def run(
        self, episode: Episode, program: Program, take: Callable[[Move], Observation]
    ) -> Program:
        """Run a program and return it with what became of it.

        Raises:
            RunError: The sandbox does not work.
        """

        async def take_later(move: Move) -> Observation:
            return take(move)

        # A thread of its own: whoever calls may be inside an event loop already.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(
                anyio.run, run_program, episode, program, take_later, self._place
            ).result()


_PROGRAM = f"{read_inner_module('terminal.py')}\n\nmain(client._lines)\n"
_ABOUT = """Run a command line in your sandbox, and read what it prints. Files that you write stay.

The command `world` acts on the world, and nothing else does: world NAME '{"argument": value}'.
`world NAME --help` shows the arguments. In Python: import world; world.act("NAME", argument=value).
What can be done:"""


def shell(tools: Sequence[ToolDef]) -> ToolDef:
    """Return the tool `bash`; in its sandbox the command `world` does what `tools` do."""
    known = {tool.name: tool for tool in tools}
    verbs = {name: _verb(one) for name, one in known.items()}
    listed = "\n".join(f"- {name}: {verb['about']}" for name, verb in verbs.items())

    async def answer(asked: object) -> dict[str, Any]:
        found = read_request(asked)
        if isinstance(found, Unparsed):
            return refusal(found.detail)
        name, given = found
        if name not in known:
            return refusal(f"there is no {name!r}; world can do {', '.join(known)}")
        return {"legal": True, "seen": {}, "text": str(await known[name].tool(**given))}

    async def execute(cmd: str) -> str:
        if len(cmd) > MOST_CODE_CHARS:
            return f"A command line has at most {MOST_CODE_CHARS:,} characters; nothing was run."
        files = {
            "command.sh": cmd,
            "verbs.json": json.dumps(verbs),
            "world.py": read_inner_module("world.py"),
        }
        return _describe_result(await run_job(Job(_PROGRAM, files, verbs, answer)))

    return ToolDef(
        execute,
        name="bash",
        description=f"{_ABOUT}\n{listed}",
        parameters={"cmd": "The command line, for bash."},
        parallel=False,
    )


def _verb(one: ToolDef) -> dict[str, Any]:
    """Return what `world` says of an action."""
    schema = one.parameters.model_dump(exclude_none=True)
    return {
        "about": one.description,
        "fields": list(one.parameters.properties),
        "arguments": schema,
    }


def _describe_result(ran: ProgramResult) -> str:
    """Return what the agent reads of a command line that was run."""
    how = "" if ran.ending == "finished" else f"\n[{ran.ending}]"
    return f"{ran.output}{how}".strip() or "[no output]"

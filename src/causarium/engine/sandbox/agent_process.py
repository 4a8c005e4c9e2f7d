"""The process of an agent of one's own, behind the wall that programs have.

It is shown the interpreter, the installed packages but for causarium, and the files beside it; no
network, no process but its own, nobody's home. It speaks to the process that scores it in lines of
JSON. Without a wall an agent runs in the process that scores it, and only where that was asked for.
"""

import contextlib
import json
import os
import sys
import sysconfig
from collections.abc import AsyncIterator, Iterator, Mapping
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Literal, get_args

import anyio
import anyio.lowlevel
from anyio.streams.buffered import BufferedByteReceiveStream

import causarium
import causarium_agent
from causarium.engine.sandbox.bubblewrap import no_bubblewrap
from causarium.engine.sandbox.held_sandbox import HeldCommand, HeldSandbox
from causarium.engine.sandbox.sandbox_command import COPIES, Contents, Limits, show_interpreter
from causarium.errors import BadFile, RunError, UnknownName, UsageError

Boundary = Literal["sandbox", "none"]
BOUNDARIES: tuple[Boundary, ...] = get_args(Boundary)
AGENT_LIMITS = Limits(
    memory_mb=4096, processes=256, cpu_s=36_000, disk_mb=256, tmp_mb=256, descriptors=512
)
"""What one process of an agent may use: it plays many samples, and imports more than a program."""
MOST_FRAME_BYTES = 8 << 20
MOST_PROCESSES = 8
"""So many samples of one run are played at once; others wait."""
_BESIDE = frozenset({".py", ".toml", ".yaml", ".yml", ".txt", ".md", ".j2"})
"""Files beside an agent that it may need; logs and set files are not among them."""
_SHOWN = ("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", sys.prefix, sys.base_prefix)


def check_boundary(given: str | None) -> Boundary:
    """Return the boundary of that name; `sandbox` where none is given.

    Raises:
        UnknownName: There is none of that name.
        UsageError: An agent is to run behind a wall, and this machine has none.
    """
    if given == "none":
        return "none"
    if given not in (None, "sandbox"):
        raise UnknownName("agent boundary", given, BOUNDARIES, plural="boundaries")
    if (why := no_bubblewrap()) is not None:
        raise UsageError(
            f"your own agent runs in a sandbox, and there is none here: {why}. --agent-boundary "
            "none runs it without one; it could then read the truth, and the run card says so"
        )
    return "sandbox"


def agent_contents(agent: str) -> tuple[Contents, str]:
    """Return what the sandbox of an agent shows, and the agent's name in there.

    Raises:
        BadFile: The agent's file or module cannot be found.
    """
    copies, name = _list_copies(agent)
    prefixes = tuple(dict.fromkeys(map(Path, (sys.base_prefix, sys.prefix))))

    def show(roots: Mapping[Path, Path]) -> Iterator[str]:
        for prefix in prefixes:
            yield from show_interpreter(prefix, roots)
        for hidden in _list_hidden():
            yield from ("--size", "4096", "--tmpfs", hidden, "--remount-ro", hidden)

    library = Path(causarium_agent.__file__).parent
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    variables = {"PYTHONPATH": f"{COPIES}/lib:{COPIES}/own", "PATH": path, "USER": "agent"}
    return (
        Contents(
            roots=prefixes,
            show=show,
            variables={**variables, "INSPECT_DISPLAY": "none"},
            copies={f"lib/{library.name}": library, **copies},
        ),
        name,
    )


def _list_copies(agent: str) -> tuple[dict[str, Path], str]:
    """Return what of an agent is shown inside, by its name there, and the agent's name inside."""
    file, sign, name = agent.rpartition("@")
    if sign:
        path = Path(file).resolve()
        beside = {f"own/{each.name}": each for each in _list_beside(path)}
        return beside, f"{COPIES}/own/{path.name}@{name}"
    top = find_module_file(agent.rpartition(":")[0].partition(".")[0])
    folder = top.parent if top.name == "__init__.py" else top
    return {f"own/{folder.name}": folder}, agent


def _list_beside(path: Path) -> Iterator[Path]:
    """Yield an agent's file and what it may need beside it: texts, and packages."""
    ours = Path(causarium.__file__).resolve().parent
    yield path
    for each in sorted(path.parent.iterdir()):
        package = each.is_dir() and (each / "__init__.py").is_file()
        if each == path or each.is_symlink() or ours.is_relative_to(each):
            continue
        if package or (each.is_file() and each.suffix in _BESIDE):
            yield each


def find_module_file(name: str) -> Path:
    """Return the file of an installed module without importing it, nor the packages it is in.

    Raises:
        BadFile: There is no such module.
    """
    places = None
    spec = None
    for end in range(1, name.count(".") + 2):
        spec = PathFinder.find_spec(".".join(name.split(".")[:end]), places)
        if spec is None:
            break
        places = spec.submodule_search_locations
    if spec is None or spec.origin is None:
        raise BadFile(
            f"No module named {name.partition('.')[0]!r} can be found ({name}); "
            "a file is given as path/to/file.py@name"
        )
    return Path(spec.origin)


def _list_hidden() -> Iterator[str]:
    """Yield the folders, among those shown, that hold causarium or say that it is installed."""
    roots = [Path(path) for path in _SHOWN]
    # Another interpreter that is shown may have causarium installed as well.
    prefixes = {Path("/usr"), Path(sys.prefix), Path(sys.base_prefix)}
    sites = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    for prefix in prefixes:
        for name in ("site-packages", "dist-packages"):
            sites.update(prefix.glob(f"lib*/python3*/{name}"))
    candidates = [Path(causarium.__file__).parent]
    candidates += [found for site in sorted(sites) for found in site.glob("causarium")]
    candidates += [info for site in sorted(sites) for info in site.glob("causarium-*.dist-info")]
    for path in dict.fromkeys(candidates):
        if path.is_dir() and any(path.is_relative_to(root) for root in roots):
            yield os.fspath(path)


class BrokenFrame(Exception):
    """An agent's process sent what is no frame, too large a one, or nothing any more."""


class AgentProcess:
    """One running process."""

    def __init__(self, sandbox: HeldSandbox, command: HeldCommand) -> None:
        self.ready: object = None
        """What it said when it had loaded the agent."""
        self._sandbox, self._command = sandbox, command
        self._received = BufferedByteReceiveStream(command.stdout)

    @classmethod
    async def start(cls, agent: str) -> "AgentProcess":
        """Start the process of an agent and wait until it has loaded the agent.

        Raises:
            RunError: It did not start, or cannot load the agent.
        """
        contents, name = agent_contents(agent)
        return await cls.run(contents, "causarium_agent", name)

    @classmethod
    async def run(cls, contents: Contents, module: str, *words: str) -> "AgentProcess":
        """Run a module that loads an agent, and wait until it has loaded it.

        Args:
            contents: What its sandbox shows.
            module: The module.
            words: What it is handed on the command line.

        Raises:
            RunError: It did not start, or cannot load the agent.
        """
        sandbox = HeldSandbox(AGENT_LIMITS, contents)
        await sandbox.open()
        command = await sandbox.launch([sys.executable, "-m", module, *words])
        started = cls(sandbox, command)
        try:
            first = await started.receive()
        except BrokenFrame as wrong:
            started.kill()
            raise RunError(f"the agent's process did not start: {wrong}") from wrong
        if "ready" not in first:
            started.kill()
            raise RunError(f"the agent cannot be loaded: {first.get('failed')}")
        started.ready = first["ready"]
        return started

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._sandbox.alive

    async def send(self, frame: dict[str, Any]) -> None:
        """Send a frame.

        Raises:
            BrokenFrame: The process has ended.
        """
        try:
            await self._command.stdin.send(json.dumps(frame).encode() + b"\n")
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError) as wrong:
            raise BrokenFrame(self.last_words()) from wrong

    async def receive(self) -> dict[str, Any]:
        """Return the next frame.

        Raises:
            BrokenFrame: The process has ended, or sent what is no frame.
        """
        try:
            line = await self._received.receive_until(b"\n", MOST_FRAME_BYTES)
            frame = json.loads(line)
        except anyio.DelimiterNotFound as wrong:
            raise BrokenFrame(f"a message of more than {MOST_FRAME_BYTES:,} bytes") from wrong
        except (anyio.IncompleteRead, anyio.EndOfStream, anyio.ClosedResourceError) as wrong:
            raise BrokenFrame(f"its process ended: {self.last_words()}") from wrong
        except (ValueError, RecursionError) as wrong:
            raise BrokenFrame("a message that is no JSON") from wrong
        if not isinstance(frame, dict):
            raise BrokenFrame("a message that is no object")
        return frame

    def last_words(self) -> str:
        """Return why it was ended, or the end of what it printed."""
        if self._command.excess is not None:
            return f"it took too much: {self._command.excess}"
        return self._command.errors.decode(errors="replace").strip()

    def kill(self) -> None:
        """End it."""
        self._sandbox.close()
        self._command.close()


class ProcessPool:
    """The processes of one agent: one for each sample that is played, used again."""

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._free: list[AgentProcess] = []
        self._loop: object = None
        self._places = anyio.Semaphore(MOST_PROCESSES)

    @contextlib.asynccontextmanager
    async def lend(self) -> AsyncIterator[AgentProcess]:
        """Lend a process for one sample; one that an exception left in the middle is ended."""
        self._follow_loop()
        async with self._places:
            process = await self._take()
            try:
                yield process
            except BaseException:
                process.kill()
                raise
            self._free.append(process)

    async def _take(self) -> AgentProcess:
        while self._free:
            process = self._free.pop()
            if process.is_running:
                return process
            process.kill()
        return await AgentProcess.start(self._agent)

    def _follow_loop(self) -> None:
        """Forget processes of an event loop that is gone."""
        loop = anyio.lowlevel.current_token()
        if self._loop != loop:
            for process in self._free:
                process.kill()
            self._free, self._loop = [], loop
            self._places = anyio.Semaphore(MOST_PROCESSES)

"""The process of an agent of one's own, as the process that scores it sees it: lines of JSON."""

import contextlib
import json
import tempfile
from collections.abc import AsyncIterator
from typing import IO, Any

import anyio
import anyio.lowlevel
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from causarium.engine.wall.boundary import Boundary, agent_command
from causarium.errors import RunError

MOST_FRAME_BYTES = 8 << 20
MOST_PROCESSES = 8
"""So many samples of one run are played at once; others wait."""
_MOST_SAID = 2_000


class BrokenFrame(Exception):
    """An agent's process sent what is no frame, too large a one, or nothing any more."""


class AgentProcess:
    """One running process."""

    def __init__(self, process: Process, said: IO[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise TypeError("the process has no pipes")
        self._process, self._said = process, said
        self._sent, self._received = process.stdin, BufferedByteReceiveStream(process.stdout)

    @classmethod
    async def start(cls, agent: str, boundary: Boundary) -> "AgentProcess":
        """Start the process of an agent and wait until it has loaded the agent.

        Raises:
            RunError: It did not start, or cannot load the agent.
        """
        command, variables = agent_command(agent, boundary)
        said = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        process = await anyio.open_process(
            command, stderr=said, env=variables, start_new_session=True
        )
        started = cls(process, said)
        try:
            first = await started.receive()
        except BrokenFrame as wrong:
            started.kill()
            raise RunError(f"the agent's process did not start: {wrong}") from wrong
        if "ready" not in first:
            started.kill()
            raise RunError(f"the agent cannot be loaded: {first.get('failed')}")
        return started

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    async def send(self, frame: dict[str, Any]) -> None:
        """Send a frame.

        Raises:
            BrokenFrame: The process has ended.
        """
        try:
            await self._sent.send(json.dumps(frame).encode() + b"\n")
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
        """Return the end of what the process printed."""
        with contextlib.suppress(OSError, ValueError):
            size = self._said.seek(0, 2)
            self._said.seek(max(0, size - _MOST_SAID))
            return self._said.read().decode(errors="replace").strip()
        return ""

    def kill(self) -> None:
        """End it."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        with contextlib.suppress(OSError):
            self._said.close()


class ProcessPool:
    """The processes of one agent: one for each sample that is played, used again."""

    def __init__(self, agent: str, boundary: Boundary) -> None:
        self._agent, self._boundary = agent, boundary
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
            if process.is_running:
                self._free.append(process)

    async def _take(self) -> AgentProcess:
        while self._free:
            process = self._free.pop()
            if process.is_running:
                return process
            process.kill()
        return await AgentProcess.start(self._agent, self._boundary)

    def _follow_loop(self) -> None:
        """Forget processes of an event loop that is gone."""
        loop = anyio.lowlevel.current_token()
        if self._loop != loop:
            for process in self._free:
                process.kill()
            self._free, self._loop = [], loop
            self._places = anyio.Semaphore(MOST_PROCESSES)

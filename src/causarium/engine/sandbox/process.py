"""A running sandbox, watched from outside.

The kernel limits what one process may take. What all of them take together, in memory and on disk,
is looked up many times a second, and a sandbox that goes beyond is ended whole.
"""

import contextlib
import os
import signal
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
from typing import Literal

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process, TaskGroup

from causarium.engine.sandbox.limits import Limits

Excess = Literal["memory", "disk"]

_LOOK_EVERY_S = 0.1
_HARMLESS = ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "XDG_RUNTIME_DIR")
_MEGABYTE = 1024 * 1024


@dataclass
class Running:
    """A process, and what it used too much of, if it was ended for that."""

    process: Process
    excess: Excess | None = None

    @property
    def stdin(self) -> ByteSendStream:
        """Where it reads from."""
        assert self.process.stdin is not None  # noqa: S101 — opened as a pipe, below
        return self.process.stdin

    @property
    def stdout(self) -> ByteReceiveStream:
        """Where it writes to."""
        assert self.process.stdout is not None  # noqa: S101
        return self.process.stdout

    @property
    def stderr(self) -> ByteReceiveStream:
        """Where it complains to."""
        assert self.process.stderr is not None  # noqa: S101
        return self.process.stderr

    def kill(self) -> None:
        """End it, and with it all that it started: the sandbox dies with its first process."""
        # Not `send_signal`, which would collect the exit code that asyncio is waiting for.
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)


@contextlib.asynccontextmanager
async def tasks() -> AsyncIterator[TaskGroup]:
    """Open a task group out of which an exception comes as it was raised, and not in a group.

    What waits inside is cancelled when the block is left.
    """
    try:
        async with anyio.create_task_group() as group:
            yield group
            group.cancel_scope.cancel()
    except BaseExceptionGroup as several:
        found: BaseException = several
        while isinstance(found, BaseExceptionGroup) and len(found.exceptions) == 1:
            found = found.exceptions[0]
        raise found from found.__cause__


@contextlib.asynccontextmanager
async def watched(
    argv: Sequence[str], *, limits: Limits | None, folders: Sequence[Path] = ()
) -> AsyncIterator[Running]:
    """Start a process and watch it; it is gone when the block is left, however it is left.

    Args:
        argv: What to start.
        limits: What it may use; None if somebody else sees to that.
        folders: The folders of this machine in which it writes.
    """
    # The first process inside keeps the variables it was started with, and programs can read them.
    variables = {name: os.environ[name] for name in _HARMLESS if name in os.environ}
    process = await anyio.open_process(
        argv, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=variables, start_new_session=True
    )
    running = Running(process)
    try:
        async with tasks() as group:
            if limits is not None:
                group.start_soon(_watch, running, limits, folders)
            yield running
    finally:
        running.kill()
        with anyio.CancelScope(shield=True):
            await process.wait()
            await process.aclose()


async def _watch(running: Running, limits: Limits, folders: Sequence[Path]) -> None:
    while running.excess is None:
        await anyio.sleep(_LOOK_EVERY_S)
        if memory(running.process.pid) > limits.memory_mb * _MEGABYTE:
            running.excess = "memory"
        elif any(_overfull(folder, limits) for folder in folders):
            running.excess = "disk"
    running.kill()


def memory(pid: int) -> int:
    """Return the bytes that a process and all its descendants hold for themselves."""
    page, total, waiting = os.sysconf("SC_PAGE_SIZE"), 0, [pid]
    while waiting:
        one = Path(f"/proc/{waiting.pop()}")
        try:
            resident, shared = (one / "statm").read_text().split()[1:3]
            total += (int(resident) - int(shared)) * page
            for thread in (one / "task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
        except (OSError, ValueError):
            continue
    return total


def _overfull(folder: Path, limits: Limits) -> bool:
    size = count = 0
    for where, _, names in os.walk(folder):
        count += len(names) + 1
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(f"{where}/{name}").st_blocks * 512
        if size > limits.disk_mb * _MEGABYTE or count > limits.files:
            return True
    return False

"""A command that runs in a sandbox, with its input and output in our hands."""

import contextlib
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from subprocess import PIPE
from typing import Protocol

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process, TaskGroup

from causarium.engine.sandbox.limits import Excess

_HARMLESS = ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "XDG_RUNTIME_DIR")


class Running(Protocol):
    """A command, and what it used too much of, if it was ended for that."""

    excess: Excess | None

    @property
    def stdin(self) -> ByteSendStream:
        """Where it reads from."""

    @property
    def stdout(self) -> ByteReceiveStream:
        """Where it writes to."""

    @property
    def stderr(self) -> ByteReceiveStream:
        """Where it complains to."""

    def kill(self) -> None:
        """End it, and with it all that it started."""


class ClientCommand:
    """A command that another program runs for us, and whose limits are that program's to keep."""

    excess: Excess | None = None

    def __init__(self, process: Process) -> None:
        self._process = process

    @property
    def stdin(self) -> ByteSendStream:
        """Where it reads from."""
        assert self._process.stdin is not None  # noqa: S101 — opened as a pipe, below
        return self._process.stdin

    @property
    def stdout(self) -> ByteReceiveStream:
        """Where it writes to."""
        assert self._process.stdout is not None  # noqa: S101
        return self._process.stdout

    @property
    def stderr(self) -> ByteReceiveStream:
        """Where it complains to."""
        assert self._process.stderr is not None  # noqa: S101
        return self._process.stderr

    def kill(self) -> None:
        """End it."""
        # Not `send_signal`, which would collect the exit code that asyncio is waiting for.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)


def harmless_variables() -> Mapping[str, str]:
    """Return the variables that a sandbox may be started with: programs can read them."""
    return {name: os.environ[name] for name in _HARMLESS if name in os.environ}


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
async def run_client(argv: Sequence[str]) -> AsyncIterator[Running]:
    """Start a command line; it is gone when the block is left, however it is left."""
    process = await anyio.open_process(
        argv,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=harmless_variables(),
        start_new_session=True,
    )
    running = ClientCommand(process)
    try:
        yield running
    finally:
        running.kill()
        with anyio.CancelScope(shield=True):
            await process.wait()
            await process.aclose()

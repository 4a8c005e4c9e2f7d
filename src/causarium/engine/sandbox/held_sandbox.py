"""One sandbox from outside: opened once, asked for commands, watched, and closed at any moment.

Nothing that comes from inside is believed but exit codes, and whoever does not answer in time is
ended with everything in the sandbox. To close it is to kill it: no folder has to be removed.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, TaskGroup

from causarium.engine.sandbox.sandbox_command import (
    PYTHON,
    WORK,
    WRITABLE,
    Contents,
    Excess,
    Limits,
    Meter,
    open_filter,
    prepare,
    program_contents,
    wrap_in_sandbox,
)
from causarium.errors import RunError

_HARMLESS = ("PATH", "HOME", "XDG_RUNTIME_DIR")
"""The variables that a sandbox may be started with: programs can read them."""


@contextlib.asynccontextmanager
async def tasks() -> AsyncIterator[TaskGroup]:
    """Open a task group that raises an exception as it was, and not in a group.

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


KILLED = 137
_OPENING_S = 30
_ANSWER_S = 2
"""So long a holder may take to end a command; it takes milliseconds."""
_LOOK_EVERY_S = 0.1
_GENTLY_S = 0.3
_MOST_ANSWER_BYTES = 1000
_MOST_BYTES = 65_536
_MOST_ERRORS = 2_000


class HeldSandbox:
    """A sandbox that is open, and the way to the holder inside of it."""

    def __init__(self, limits: Limits, contents: Contents | None = None) -> None:
        """Begin to open a sandbox; by default it shows what programs are shown."""
        contents = contents or program_contents()
        self.limits = limits
        folder = Path(tempfile.mkdtemp(prefix="causarium-sandbox-"))
        # Also where nobody closes it: a pool keeps the processes of agents until Python ends.
        self._remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._places: list[int] = []
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setblocking(False)  # noqa: FBT003
        prepare(folder, contents)
        filter_handle = open_filter()
        text = Path(__file__).with_name("holder.py").read_text(encoding="utf-8")
        holder = [PYTHON, "-I", "-S", "-c", text, str(theirs.fileno()), *WRITABLE]
        try:
            self._process = subprocess.Popen(  # noqa: S603 — our own words, no shell
                wrap_in_sandbox(
                    holder,
                    folder=folder,
                    limits=limits,
                    filter_handle=filter_handle,
                    contents=contents,
                ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={name: os.environ[name] for name in _HARMLESS if name in os.environ},
                pass_fds=(theirs.fileno(), filter_handle),
                start_new_session=True,
            )
        except OSError as wrong:
            self._control.close()
            self._remove()
            raise RunError(f"the sandbox does not start: {wrong}") from wrong
        finally:
            theirs.close()
            os.close(filter_handle)

    @property
    def alive(self) -> bool:
        """Whether it can be asked for commands."""
        return self._control.fileno() >= 0 and self._process.poll() is None

    async def open(self) -> None:
        """Wait until it can be asked; nothing but ours has run in it before.

        Raises:
            RunError: It does not start; says why.
        """
        if self._places:
            return
        word = b""
        with anyio.move_on_after(_OPENING_S), contextlib.suppress(OSError):
            await anyio.wait_readable(self._control)
            word, self._places, _, _ = socket.recv_fds(self._control, 1, len(WRITABLE))
        if word != b"r":
            self._process.kill()
            _, complaint = self._process.communicate()
            self.close()
            said = complaint.decode(errors="replace").strip()
            raise RunError(f"the sandbox does not start: {said or 'it gives no reason'}")

    def close(self) -> None:
        """End all that runs in it; what was written is gone with it."""
        if self._control.fileno() < 0:
            return
        self._control.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        for place in self._places:
            os.close(place)
        self._places = []
        self._remove()

    @contextlib.asynccontextmanager
    async def start(
        self, argv: Sequence[str], cwd: str | None, env: Mapping[str, str]
    ) -> AsyncIterator["HeldCommand"]:
        """Start a command; when the block is left it is gone, with all that it started.

        Args:
            argv: What to run, as it would be typed inside.
            cwd: Where to run it; relative paths begin in the workspace.
            env: Variables beside the few that are always there.
        """
        request = {"argv": list(argv), "cwd": str(Path(WORK, cwd or "")), "env": dict(env)}
        command = HeldCommand(self._control)
        try:
            async with tasks() as group:
                await command.send(request)
                group.start_soon(self._watch, command)
                yield command
        finally:
            command.kill()
            with anyio.CancelScope(shield=True):
                with anyio.move_on_after(_ANSWER_S):
                    await command.wait()
                if command.code is None or command.lost:
                    self.close()
                command.close()

    async def launch(self, argv: Sequence[str]) -> "HeldCommand":
        """Start a command that runs as long as the sandbox, watched from a thread of its own.

        One that takes too much ends the sandbox. What it says to `stderr` is read all the time,
        and the end of it is kept.
        """
        command = HeldCommand(self._control)
        await command.send({"argv": list(argv), "cwd": WORK, "env": {}})
        threading.Thread(target=self._attend, args=[command], daemon=True).start()
        return command

    def _attend(self, command: "HeldCommand") -> None:
        meter = Meter(self._process.pid, self._places)
        with contextlib.suppress(OSError, ValueError):
            while self.alive:
                command.read_errors()
                command.excess = meter.excess(self.limits)
                if command.excess is not None:
                    self._process.kill()
                    return
                time.sleep(_LOOK_EVERY_S)

    async def _watch(self, command: "HeldCommand") -> None:
        meter = Meter(self._process.pid, self._places)
        while (excess := meter.excess(self.limits)) is None:
            await anyio.sleep(_LOOK_EVERY_S)
            if not self.alive:
                return
        command.excess = excess
        if excess != "disk" and self._kill_all():
            await anyio.sleep(_GENTLY_S)
        if not self.alive or meter.excess(self.limits) not in (None, "cpu"):
            self.close()

    def _kill_all(self) -> bool:
        """Ask for an end of all commands; files stay."""
        try:
            self._control.send(b"k")
        except OSError:
            return False
        return True


class HeldCommand:
    """A command in a sandbox that stays open."""

    def __init__(self, control: socket.socket) -> None:
        self.excess: Excess | None = None
        self.code: int | None = None
        self.errors = b""
        """The end of what it said to `stderr`, as far as `read_errors` was called."""
        self.lost = False
        """Whether the holder went away before it said how the command ended."""
        self._line, line = socket.socketpair()
        self._line.setblocking(False)  # noqa: FBT003
        (given, stdin), (stdout, out), (stderr, err) = os.pipe(), os.pipe(), os.pipe()
        self.stdin, self.stdout, self.stderr = (
            PipeWriter(stdin),
            PipeReader(stdout),
            PipeReader(stderr),
        )
        try:
            socket.send_fds(control, [b"s"], [line.fileno(), given, out, err])
        except OSError:
            self.lost = True
        finally:
            line.close()
            for handle in (given, out, err):
                os.close(handle)

    async def send(self, request: Mapping[str, object]) -> None:
        """Say what is to be run."""
        left = memoryview(json.dumps(request).encode() + b"\n")
        with contextlib.suppress(BrokenPipeError, ConnectionError):
            while left:
                try:
                    left = left[self._line.send(left) :]
                except BlockingIOError:
                    await anyio.wait_writable(self._line)

    def read_errors(self) -> None:
        """Read what it has said to `stderr`, and keep the end of it."""
        while part := self.stderr.read_now():
            self.errors = (self.errors + part)[-_MOST_ERRORS:]

    async def wait(self) -> int:
        """Return its exit code once it has ended; one of a holder that is gone is `KILLED`."""
        said = b""
        while self.code is None:
            try:
                part = self._line.recv(_MOST_ANSWER_BYTES)
            except BlockingIOError:
                await anyio.wait_readable(self._line)
                continue
            except OSError:
                part = b""
            said += part
            if said.endswith(b"\n") or not part or len(said) > _MOST_ANSWER_BYTES:
                self.code = _read_code(said)
                self.lost = self.lost or self.code is None
                self.code = KILLED if self.code is None else self.code
        return self.code

    def kill(self) -> None:
        """End it, and with it all that it started."""
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Give all descriptors back."""
        self._line.close()
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()


def _read_code(said: bytes) -> int | None:
    try:
        return int(json.loads(said)["code"])
    except (ValueError, TypeError, KeyError):
        return None


class _Pipe:
    """One end of a pipe; the descriptor belongs to it."""

    def __init__(self, handle: int) -> None:
        os.set_blocking(handle, False)
        self._handle: int | None = handle

    def close(self) -> None:
        """Give the descriptor back; whoever reads at the other end sees the end."""
        handle, self._handle = self._handle, None
        if handle is not None:
            with contextlib.suppress(RuntimeError):
                anyio.notify_closing(handle)
            os.close(handle)

    async def aclose(self) -> None:
        """Give the descriptor back."""
        self.close()


class PipeReader(_Pipe, ByteReceiveStream):
    """The end of a pipe that is read."""

    async def receive(self, max_bytes: int = _MOST_BYTES) -> bytes:
        """Return what there is, once there is something."""
        while True:
            if self._handle is None:
                raise anyio.ClosedResourceError
            try:
                data = os.read(self._handle, max_bytes)
            except BlockingIOError:
                await anyio.wait_readable(self._handle)
                continue
            if not data:
                raise anyio.EndOfStream
            return data

    def read_now(self) -> bytes:
        """Return what there is now; nothing if there is nothing, or never will be."""
        try:
            return b"" if self._handle is None else os.read(self._handle, _MOST_BYTES)
        except OSError:
            return b""


class PipeWriter(_Pipe, ByteSendStream):
    """The end of a pipe that is written to."""

    async def send(self, item: bytes) -> None:
        """Write everything, as fast as it is read at the other end."""
        left = memoryview(item)
        while left:
            if self._handle is None:
                raise anyio.ClosedResourceError
            try:
                left = left[os.write(self._handle, left) :]
            except BlockingIOError:
                await anyio.wait_writable(self._handle)
            except BrokenPipeError as wrong:
                raise anyio.BrokenResourceError from wrong

"""Bubblewrap as an Inspect sandbox: `inspect eval ... --sandbox bubblewrap`.

A sandbox is opened for its first command and stays open until the sample ends; the workspace and
`/tmp` are in memory and go with it. Files go in and out through commands as well, so that a link
that a program left behind leads nowhere but into its own sandbox.
"""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Literal, overload

import anyio
from anyio.abc import ByteReceiveStream
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentLimits,
    SandboxEnvironmentSpec,
    SandboxUserUnsupportedError,
    sandboxenv,
)
from typing_extensions import override

from causarium.engine.sandbox.held_sandbox import HeldCommand, HeldSandbox
from causarium.engine.sandbox.sandbox_command import (
    PYTHON,
    Contents,
    Limits,
    explain_missing_filter,
    list_missing_programs,
    open_filter,
    prepare,
    program_contents,
    wrap_in_sandbox,
)
from causarium.errors import UsageError

_FILE_TIMEOUT_S = 60
_WRITE = (
    'd=$(dirname -- "$1"); mkdir -p -- "$d" && '
    'if [ -d "$1" ]; then echo "$1 is a directory" >&2; exit 21; fi && cat > "$1"'
)
_READ = (
    'if [ -d "$1" ]; then echo "$1 is a directory" >&2; exit 21; fi; '
    'if [ ! -e "$1" ]; then echo "no file $1" >&2; exit 2; fi; head -c "$2" < "$1"'
)
_REFUSED = 126
_LAST_WORDS_S = 1


@sandboxenv(name="bubblewrap")
class Bubblewrap(SandboxEnvironment):
    """One sandbox; its commands share its files and nothing else."""

    def __init__(self, limits: Limits | None = None, contents: Contents | None = None) -> None:
        """Take what a sandbox may use and what it shows: by default what programs may and see."""
        super().__init__()
        self.limits = limits or Limits()
        self._contents = contents
        self._held: HeldSandbox | None = None
        self._opening = anyio.Lock()

    def close(self) -> None:
        """Remove the sandbox and all that it kept."""
        if self._held is not None:
            self._held.close()
        self._held = None

    async def _open(self) -> HeldSandbox:
        """Return the sandbox, or a new and empty one where a program has brought it down."""
        async with self._opening:
            if self._held is None or not self._held.alive:
                self.close()
                self._held = HeldSandbox(self.limits, self._contents)
            await self._held.open()
            return self._held

    @override
    @classmethod
    def default_concurrency(cls) -> int | None:
        return 2 * (os.cpu_count() or 1)

    @override
    @classmethod
    def config_deserialize(cls, config: dict[str, object]) -> Limits:
        return Limits.model_validate(config)

    @override
    @classmethod
    async def sample_init(
        cls, task_name: str, config: object, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        return {"default": cls(config if isinstance(config, Limits) else None)}

    @override
    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: object,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        for environment in environments.values():
            environment.as_type(cls).close()

    @contextlib.asynccontextmanager
    async def start(
        self, cmd: list[str], cwd: str | None = None, env: dict[str, str] | None = None
    ) -> AsyncIterator[HeldCommand]:
        """Start a command, by default in the working folder, to talk to by its input and output.

        One that takes too much is ended. What was written is lost if there are too many files, or
        if the sandbox itself was brought down: the next command finds a new one.

        Raises:
            RunError: No sandbox can be opened.
        """
        held = await self._open()
        async with held.start(cmd, cwd, env or {}) as running:
            yield running

    @override
    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        if user is not None:
            raise SandboxUserUnsupportedError(
                f"a bubblewrap sandbox has one user, agent; nothing can run as {user!r} in it"
            )
        limit = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE
        code, out, err = await self._run(cmd, input, cwd, env, timeout, limit)
        printed, complaint = (text.decode(errors="replace") for text in (out, err))
        if code == _REFUSED and "ermission denied" in complaint:
            raise PermissionError(complaint.strip())
        return ExecResult(success=code == 0, returncode=code, stdout=printed, stderr=complaint)

    @override
    async def write_file(self, file: str, contents: str | bytes) -> None:
        command = ["/bin/sh", "-c", _WRITE, "sh", _make_path_argument(file)]
        code, _, err = await self._run(command, contents, timeout=_FILE_TIMEOUT_S)
        if code:
            raise _failure(file, code, err)

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...  # noqa: FBT002

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    @override
    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        limit = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        command = ["/bin/sh", "-c", _READ, "sh", _make_path_argument(file), str(limit + 1)]
        code, out, err = await self._run(command, timeout=_FILE_TIMEOUT_S, limit=limit + 1)
        if code:
            raise _failure(file, code, err)
        if len(out) > limit:
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None)
        return out.decode() if text else out

    async def _run(
        self,
        cmd: list[str],
        given: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout: int | None = None,
        limit: int | None = None,
    ) -> tuple[int, bytes, bytes]:
        """Run a command to its end; returns its exit code and the last of what it wrote."""
        data = given.encode() if isinstance(given, str) else given or b""
        out, err = bytearray(), bytearray()
        with anyio.fail_after(timeout):
            async with self.start(cmd, cwd, env) as running, anyio.create_task_group() as group:
                group.start_soon(_feed, running, data)
                group.start_soon(_tail, running.stdout, out, limit)
                group.start_soon(_tail, running.stderr, err, limit)
                code = await running.wait()
                # What it left running beside another command may keep its output open.
                group.cancel_scope.deadline = anyio.current_time() + _LAST_WORDS_S
        first = 0 if limit is None else -limit
        return code, bytes(out[first:]), bytes(err[first:])


def _make_path_argument(file: str) -> str:
    """Return a path that no program takes for an option."""
    return file if file.startswith("/") else f"./{file}"


def _failure(file: str, code: int, complaint: bytes) -> OSError:
    message = f"{file}: {complaint.decode(errors='replace').strip()}"
    if code == 21:
        return IsADirectoryError(message)
    if code == 2 and b"no file" in complaint:
        return FileNotFoundError(message)
    if b"ermission denied" in complaint or b"Read-only" in complaint:
        return PermissionError(message)
    return OSError(message)


async def _feed(running: HeldCommand, given: bytes) -> None:
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        await running.stdin.send(given)
    await running.stdin.aclose()


async def _tail(stream: ByteReceiveStream, end: bytearray, limit: int | None) -> None:
    """Read a stream to its end, and keep at least the last `limit` bytes of it."""
    async for part in stream:
        end += part
        if limit is not None and len(end) > 2 * limit:
            del end[:-limit]


_PATIENCE_S = 20


class NoSandbox(UsageError):
    """Nothing on this machine can run an agent's programs safely."""


def find_sandbox() -> SandboxEnvironmentSpec:
    """Return the sandbox for programs that an agent writes.

    Raises:
        NoSandbox: There is none; says why, and what would help.
    """
    if (why := no_bubblewrap()) is not None:
        raise NoSandbox(
            "programs that an agent writes run only in a sandbox, and bubblewrap does not work "
            f"here: {why}. Install bubblewrap 0.8 or newer (on Debian: apt install bubblewrap) "
            "where user namespaces are allowed, or play without programs: --rule analysis=false, "
            "with the interface json or tools"
        )
    return SandboxEnvironmentSpec("bubblewrap", Limits())


@cache  # opens a sandbox, and every task asks
def no_bubblewrap() -> str | None:
    """Say why bubblewrap cannot be used, or return None; it is tried out."""
    if missing := list_missing_programs():
        return f"not installed: {', '.join(missing)}"
    if (no_filter := explain_missing_filter()) is not None:
        return no_filter
    handle = open_filter()
    try:
        with tempfile.TemporaryDirectory(prefix="causarium-sandbox-") as name:
            prepare(Path(name), program_contents())
            command = wrap_in_sandbox(
                [PYTHON, "-c", "import numpy"],
                folder=Path(name),
                limits=Limits(),
                filter_handle=handle,
                contents=program_contents(),
            )
            return _try_command(command, handle)
    finally:
        os.close(handle)


def _try_command(command: list[str], handle: int) -> str | None:
    """Run a command that inherits a descriptor; returns what it complained of if it failed."""
    try:
        tried = subprocess.run(  # noqa: S603 — our own words, no shell
            command,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
            pass_fds=[handle],
        )
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return str(wrong)
    if tried.returncode == 0:
        return None
    said = (tried.stderr or tried.stdout).strip().splitlines()
    return said[-1] if said else f"{command[0]} ended with {tried.returncode}"

"""Bubblewrap as an Inspect sandbox: `inspect eval ... --sandbox bubblewrap`.

Each command runs in namespaces of its own; what lasts between commands is the workspace and
`/tmp`, two folders of this machine that nobody else uses. Files go in and out through commands
as well, so that a link that a program left behind leads nowhere but into its own sandbox.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Literal, overload

import anyio
from anyio.abc import ByteReceiveStream
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentLimits,
    SandboxUserUnsupportedError,
    sandboxenv,
)
from typing_extensions import override

from causarium.engine.sandbox.limits import Limits
from causarium.engine.sandbox.process import Running, watched
from causarium.engine.sandbox.sandbox_command import WORK, prepare, sandboxed

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


@sandboxenv(name="bubblewrap")
class Bubblewrap(SandboxEnvironment):
    """One sandbox: a folder on this machine, and a fresh set of namespaces for every command."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__()
        self.limits = limits or Limits()
        self._folder = Path(tempfile.mkdtemp(prefix="causarium-sandbox-"))
        prepare(self._folder)

    def close(self) -> None:
        """Remove the sandbox and all that it kept."""
        _remove(self._folder)

    @property
    def _kept(self) -> tuple[Path, ...]:
        return self._folder / "workspace", self._folder / "tmp"

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
    ) -> AsyncIterator[Running]:
        """Start a command whose input and output are read and written while it runs.

        One that writes too much is ended, and all that was written is thrown away: there would
        be no room for the next.
        """
        argv = sandboxed(
            cmd, folder=self._folder, limits=self.limits, cwd=cwd or WORK, environment=env
        )
        async with watched(argv, limits=self.limits, folders=self._kept) as running:
            yield running
        if running.excess == "disk":
            for folder in self._kept:
                _remove(folder, keep=True)

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
        said, complaint = (text.decode(errors="replace") for text in (out, err))
        if code == _REFUSED and "ermission denied" in complaint:
            raise PermissionError(complaint.strip())
        return ExecResult(success=code == 0, returncode=code, stdout=said, stderr=complaint)

    @override
    async def write_file(self, file: str, contents: str | bytes) -> None:
        command = ["/bin/sh", "-c", _WRITE, "sh", _plain(file)]
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
        command = ["/bin/sh", "-c", _READ, "sh", _plain(file), str(limit + 1)]
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
        written = given.encode() if isinstance(given, str) else given or b""
        said: dict[str, bytes] = {}
        with anyio.fail_after(timeout):
            async with self.start(cmd, cwd, env) as running, anyio.create_task_group() as group:
                group.start_soon(_feed, running, written)
                for name, stream in (("out", running.stdout), ("err", running.stderr)):
                    group.start_soon(partial(_tail, stream, said, name, limit))
                code = await running.process.wait()
        return (code if code >= 0 else 128 - code), said["out"], said["err"]


def _remove(folder: Path, *, keep: bool = False) -> None:
    """Remove what is in a folder, whatever was done to keep it, and the folder unless kept."""
    for where, names, _ in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                if not Path(where, name).is_symlink():
                    Path(where, name).chmod(0o700)
    for path in folder.iterdir() if keep else (folder,):
        with contextlib.suppress(OSError):
            path.unlink() if path.is_symlink() or path.is_file() else shutil.rmtree(path)


def _plain(file: str) -> str:
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


async def _feed(running: Running, given: bytes) -> None:
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        await running.stdin.send(given)
    await running.stdin.aclose()


async def _tail(
    stream: ByteReceiveStream, said: dict[str, bytes], name: str, limit: int | None
) -> None:
    """Read a stream to its end, and keep the last `limit` bytes of it."""
    kept = bytearray()
    async for part in stream:
        kept += part
        if limit is not None and len(kept) > 2 * limit:
            del kept[:-limit]
    said[name] = bytes(kept if limit is None else kept[-limit:])

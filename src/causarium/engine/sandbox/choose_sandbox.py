"""Which sandbox a run gets: Docker where it runs, else bubblewrap, else none, and why not."""

import os
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from inspect_ai.util import SandboxEnvironmentSpec

from causarium.engine.sandbox.bubblewrap import Bubblewrap
from causarium.engine.sandbox.limits import Limits
from causarium.engine.sandbox.sandbox_command import (
    PYTHON,
    list_missing_programs,
    prepare,
    program_contents,
    wrap_in_sandbox,
)
from causarium.engine.sandbox.seccomp import explain_missing_filter, open_filter
from causarium.errors import UsageError

_PATIENCE_S = 20
_ENGINE_VERSION = ["docker", "version", "--format", "{{.Server.Version}}"]
_COMPOSE_VERSION = ["docker", "compose", "version", "--short"]
_LEAST_ENGINE, _LEAST_COMPOSE = "24.0.6", "2.21.0"
"""The oldest Docker that Inspect works with."""
_COMPOSE = Path(__file__).with_name("compose.yaml")


class NoSandbox(UsageError):
    """Nothing on this machine can run an agent's programs safely."""


def choose_sandbox() -> SandboxEnvironmentSpec:
    """Return the sandbox for programs that an agent writes.

    Raises:
        NoSandbox: There is none; says what was tried and what would help.
    """
    docker = no_docker()
    if docker is None:
        return SandboxEnvironmentSpec("docker", str(_COMPOSE))
    bubblewrap = no_bubblewrap()
    if bubblewrap is None:
        return SandboxEnvironmentSpec("bubblewrap", Limits())
    raise NoSandbox(
        "programs that an agent writes run in a sandbox only, and there is none here. "
        f"Docker: {docker}. Bubblewrap: {bubblewrap}. Start Docker, or install bubblewrap 0.8 or "
        "newer (on Debian: apt install bubblewrap) where user namespaces are allowed, or play "
        "without programs: --rule analysis=false, with the interface json or tools"
    )


@cache
def no_docker() -> str | None:
    """Say why Docker cannot be used, or return None; what Inspect finds too old is no Docker."""
    for name, command, needed in (
        ("Docker", _ENGINE_VERSION, _LEAST_ENGINE),
        ("Docker Compose", _COMPOSE_VERSION, _LEAST_COMPOSE),
    ):
        if isinstance(found := _run(command), str):
            return found
        version = found.stdout.strip().removeprefix("v")
        if _release(version) < _release(needed):
            return f"{name} is {version or 'of no known version'}, and {needed} is needed"
    return None


def _release(version: str) -> tuple[int, ...]:
    """Read `26.1.5+dfsg1` as (26, 1, 5); what is no version comes before all of them."""
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", version)
    return tuple(int(part or 0) for part in found.groups()) if found else ()


@cache
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
            tried = _run(command, handle)
    finally:
        os.close(handle)
    return tried if isinstance(tried, str) else None


def _run(command: list[str], *handles: int) -> subprocess.CompletedProcess[str] | str:
    """Run a command that inherits some descriptors; returns what it complained of if it failed."""
    try:
        tried = subprocess.run(  # noqa: S603 — our own words, no shell
            command,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
            pass_fds=handles,
        )
    except FileNotFoundError:
        return f"{command[0]} is not installed"
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return str(wrong)
    if tried.returncode == 0:
        return tried
    said = (tried.stderr or tried.stdout).strip().splitlines()
    return said[-1] if said else f"{command[0]} ended with {tried.returncode}"


__all__ = ["Bubblewrap", "NoSandbox", "choose_sandbox", "no_bubblewrap", "no_docker"]

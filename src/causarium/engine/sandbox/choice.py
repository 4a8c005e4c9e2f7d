"""Which sandbox a run gets: Docker where it runs, else bubblewrap, else none, and why not."""

import subprocess
import tempfile
from functools import cache
from pathlib import Path

from inspect_ai.util import SandboxEnvironmentSpec

from causarium.engine.sandbox.bubblewrap import Bubblewrap
from causarium.engine.sandbox.command import PYTHON, missing_programs, prepare, sandboxed
from causarium.engine.sandbox.limits import Limits
from causarium.errors import UsageError

_PATIENCE_S = 20
_COMPOSE = Path(__file__).with_name("compose.yaml")


class NoSandbox(UsageError):
    """Nothing on this machine can run an agent's programs safely."""


def choose() -> SandboxEnvironmentSpec:
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
        "newer (on Debian: apt install bubblewrap) where user namespaces are allowed, or play by "
        "rules under which no programs are run: --rule analysis=false, with the interface json or "
        "tools"
    )


@cache
def no_docker() -> str | None:
    """Say why Docker cannot be used, or return None."""
    for command in (["docker", "info"], ["docker", "compose", "version"]):
        if (reason := _failure(command)) is not None:
            return reason
    return None


@cache
def no_bubblewrap() -> str | None:
    """Say why bubblewrap cannot be used, or return None; it is tried out."""
    if missing := missing_programs():
        return f"not installed: {', '.join(missing)}"
    with tempfile.TemporaryDirectory(prefix="causarium-sandbox-") as name:
        prepare(Path(name))
        tried = [PYTHON, "-c", "import numpy"]
        return _failure(sandboxed(tried, folder=Path(name), limits=Limits()))


def _failure(command: list[str]) -> str | None:
    """Run a command; returns what it complained of, or None if it went well."""
    try:
        tried = subprocess.run(  # noqa: S603 — our own words, no shell
            command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    except FileNotFoundError:
        return f"{command[0]} is not installed"
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return str(wrong)
    if tried.returncode == 0:
        return None
    said = (tried.stderr or tried.stdout).strip().splitlines()
    return said[-1] if said else f"{command[0]} ended with {tried.returncode}"


__all__ = ["Bubblewrap", "NoSandbox", "choose", "no_bubblewrap", "no_docker"]

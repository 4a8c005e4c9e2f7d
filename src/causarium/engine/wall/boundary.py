"""Where an agent of one's own runs, and the command that starts it there.

In a sandbox it sees the interpreter, the installed packages but for causarium, and the files beside
it; no network, no process but its own, nobody's home. As a plain process it is out of reach of our
memory but not of our files. Without a wall it runs in the process that scores it.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Literal, get_args

import causarium
import causarium_agent
from causarium.errors import BadFile, UnknownName, UsageError

Boundary = Literal["sandbox", "process", "none"]
BOUNDARIES: tuple[Boundary, ...] = get_args(Boundary)
_AGENT = Path("/agent")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")
_BESIDE = frozenset({".py", ".toml", ".yaml", ".yml", ".txt", ".md", ".j2"})
"""Files beside an agent that it may need; logs and set files are not among them."""
_PATIENCE_S = 20


def check_boundary(given: str | None) -> Boundary:
    """Return the boundary of that name; where none is given, the best that this machine has.

    Raises:
        UnknownName: There is none of that name.
        UsageError: This machine has no such boundary.
    """
    if given is None:
        return "process" if explain_no_sandbox() else "sandbox"
    for boundary in BOUNDARIES:
        if boundary == given:
            if boundary == "sandbox" and (why := explain_no_sandbox()):
                raise UsageError(f"there is no sandbox for agents here: {why}")
            return boundary
    raise UnknownName("agent boundary", given, BOUNDARIES, plural="boundaries")


@cache
def explain_no_sandbox() -> str:
    """Say why an agent cannot run in a sandbox here; empty if it can, which is tried out."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed"
    try:
        tried = subprocess.run(  # noqa: S603 - our own words, no shell
            [program, *_walls({}), "--", sys.executable, "-I", "-c", "import json"],
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return str(wrong)
    return "" if tried.returncode == 0 else (tried.stderr.strip() or "bubblewrap failed")


def agent_command(agent: str, boundary: Boundary) -> tuple[list[str], dict[str, str]]:
    """Return how to start the process of an agent: the command and its environment.

    Args:
        agent: The agent: `file.py@name` or `package.module:name`.
        boundary: `sandbox` or `process`.

    Raises:
        BadFile: The agent's file or module cannot be found.
    """
    start = [sys.executable, "-m", "causarium_agent"]
    variables = {"HOME": "/tmp", "LANG": "C.UTF-8", "USER": "agent", "INSPECT_DISPLAY": "none"}  # noqa: S108
    variables["PATH"] = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    if boundary == "process":
        folder = str(Path(causarium_agent.__file__).parents[1])
        return [*start, agent], {**variables, "HOME": str(Path.home()), "PYTHONPATH": folder}
    shown, name = _find_shown(agent)
    variables["PYTHONPATH"] = f"{_AGENT / 'lib'}:{_AGENT / 'own'}"
    words = [word for pair in variables.items() for word in ("--setenv", *pair)]
    program = shutil.which("bwrap") or "bwrap"
    return [program, *_walls(shown), "--clearenv", *words, "--", *start, name], {}


def _find_shown(agent: str) -> tuple[dict[Path, Path], str]:
    """Return what of an agent is shown inside, by where it is here, and its name inside."""
    file, sign, name = agent.rpartition("@")
    if sign:
        path = Path(file).resolve()
        own = _AGENT / "own"
        return {each: own / each.name for each in _list_beside(path)}, f"{own / path.name}@{name}"
    top = find_module_file(agent.rpartition(":")[0].partition(".")[0])
    folder = top.parent if top.name == "__init__.py" else top
    return {folder: _AGENT / "own" / folder.name}, agent


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


def _walls(shown: Mapping[Path, Path]) -> Iterator[str]:
    yield from ("--unshare-user", "--unshare-all", "--uid", "1000", "--gid", "1000")
    yield from ("--cap-drop", "ALL", "--die-with-parent", "--new-session", "--hostname", "agent")
    for path in (*_SYSTEM, *_ETC):
        if Path(path).is_symlink():
            yield from ("--symlink", str(Path(path).readlink()), path)
        else:
            yield from ("--ro-bind-try", path, path)
    for prefix in dict.fromkeys((sys.base_prefix, sys.prefix)):
        if not any(Path(prefix).is_relative_to(path) for path in _SYSTEM):
            yield from ("--ro-bind", prefix, prefix)
    for hidden in _list_hidden():
        yield from ("--size", "4096", "--tmpfs", hidden)
    # Last: where causarium or the interpreter lies below the host's own /tmp, it is gone.
    yield from ("--proc", "/proc", "--dev", "/dev")
    if not any(Path(prefix).is_relative_to("/tmp") for prefix in (sys.prefix, sys.base_prefix)):  # noqa: S108
        yield from ("--tmpfs", "/tmp")  # noqa: S108
    library = Path(causarium_agent.__file__).parent
    yield from ("--ro-bind", str(library), str(_AGENT / "lib" / library.name))
    for here, there in shown.items():
        yield from ("--ro-bind", str(here), str(there))
    yield from ("--chdir", "/tmp")  # noqa: S108


def _list_hidden() -> Iterator[str]:
    """Yield the folders, among those shown, that hold causarium or say that it is installed."""
    sites = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    candidates = [Path(causarium.__file__).parent, *(site / "causarium" for site in sites)]
    candidates += [info for site in sites for info in site.glob("causarium-*.dist-info")]
    roots = [Path(path) for path in (*_SYSTEM, sys.prefix, sys.base_prefix)]
    for path in dict.fromkeys(candidates):
        if path.is_dir() and any(path.is_relative_to(root) for root in roots):
            yield os.fspath(path)

"""The command line that opens a sandbox and runs a first command in it.

Bubblewrap makes namespaces: no network, no processes but its own, and a file system that holds
what is listed here and nothing else. What can be written is kept in memory, in file systems of a
fixed size, so that no folder of this machine is ever written to. There are two users of this wall,
programs that an agent wrote and agents of one's own; they differ in what they are shown and in
nothing else. Neither is shown causarium: who can draw instances can look up answers.

A user who is root becomes somebody else first. Root in a user namespace is still root to parts of
the kernel, and the limit on processes does not hold for it.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import causarium
from causarium.engine.sandbox.limits import Limits

WORK = "/workspace"
"""Where commands run, inside."""
COPIES = "/agent"
"""Where copies lie, inside."""
WRITABLE = (WORK, "/tmp", "/dev/shm")  # noqa: S108
"""What can be written, inside: each is a file system of its own."""
OFFERED = ("numpy", "pandas")
"""What programs may import beside the standard library, where it is installed."""
PYTHON = str(Path(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}"))
"""The interpreter that the packages on offer were built for, which runs causarium too."""
NOBODY = 64_533
"""Who root becomes: an id that systems leave free."""
_MEGABYTE = 1024 * 1024
_SYSTEM = ("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec")
_TOP = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")
_STAGED = 'while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 1; shift 2; done; shift'
"""What lies where only root may go is shown at a place that everybody reaches."""


@dataclass(frozen=True)
class Contents:
    """What of this machine a sandbox shows, and the variables that commands find in it."""

    roots: tuple[Path, ...]
    """The folders from which parts are shown."""
    show: Callable[[Mapping[Path, Path]], Iterable[str]]
    """Returns bubblewrap's words for them, given where each of the folders can be reached."""
    variables: Mapping[str, str]
    copies: Mapping[str, Path] = field(default_factory=dict)
    """Files and folders that are copied, by their names in `COPIES`."""


def is_root() -> bool:
    """Whether this process is root, and commands have to become somebody else."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def list_missing_programs() -> list[str]:
    """Return the system programs that are needed and not installed."""
    needed = ["bwrap", "prlimit", *(["unshare", "mount", "setpriv"] if is_root() else [])]
    return [name for name in needed if shutil.which(name) is None]


def prepare(folder: Path, contents: Contents) -> None:
    """Fill a new folder of this machine with what a sandbox is shown of it.

    Args:
        folder: The folder, which is empty.
        contents: What the sandbox is to show.
    """
    folder.chmod(0o711)
    copies = folder / "copies"
    copies.mkdir(mode=0o755)
    for name, source in contents.copies.items():
        (copies / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copies / name, ignore=_ignore_caches)
        else:
            shutil.copyfile(source, copies / name)
    for place, folders, files in os.walk(copies):
        # Whoever runs causarium may keep files to themselves; inside is somebody else.
        for name in (*folders, *files):
            Path(place, name).chmod(0o755 if name in folders else 0o644)
    (folder / "passwd").write_text(f"agent:x:1000:1000::{WORK}:/bin/sh\n")
    (folder / "group").write_text("agent:x:1000:\n")
    for number in range(len(contents.roots)):
        (folder / f"root{number}").mkdir()


_ignore_caches = shutil.ignore_patterns("__pycache__")


def wrap_in_sandbox(
    command: Sequence[str],
    *,
    folder: Path,
    limits: Limits,
    filter_handle: int,
    contents: Contents,
) -> list[str]:
    """Return the command line that runs `command` in a new sandbox.

    Args:
        command: What to run, as it would be typed inside.
        folder: A folder on this machine, as `prepare` left it.
        limits: What may be used inside.
        filter_handle: A descriptor from which bubblewrap reads the filter of system calls.
        contents: What the sandbox shows.
    """
    roots = {
        root: folder / f"root{n}" if is_root() else root for n, root in enumerate(contents.roots)
    }
    wrapped = [
        *(_find_program("bwrap"), *_walls(limits), "--seccomp", str(filter_handle)),
        # What is private first: packages on offer may lie below the host's own /tmp.
        *(*_mount_private_folders(folder, limits), *_show_system(), *contents.show(roots)),
        *("--ro-bind", str(folder / "copies"), COPIES, *_set_variables(contents.variables)),
        *("--remount-ro", "/", "--chdir", WORK, "--"),
        *_write_limits(limits),
        *command,
    ]
    if not is_root():
        return wrapped
    mounts = [str(path) for pair in roots.items() for path in pair]
    becoming = [
        _find_program("setpriv"),
        f"--reuid={NOBODY}",
        f"--regid={NOBODY}",
        "--clear-groups",
        "--",
    ]
    return [
        *(
            _find_program("unshare"),
            "--mount",
            "--",
            "/bin/sh",
            "-c",
            f'{_STAGED}; exec "$@"',
            "sh",
        ),
        *(*mounts, "--", *becoming, *wrapped),
    ]


def _find_program(name: str) -> str:
    return shutil.which(name) or name


def _walls(limits: Limits) -> list[str]:
    return [
        *("--unshare-user", "--unshare-all", "--disable-userns", "--uid", "1000", "--gid", "1000"),
        *("--cap-drop", "ALL", "--die-with-parent", "--new-session", "--as-pid-1"),
        *("--hostname", "sandbox"),
        *("--proc", "/proc", "--dev", "/dev"),
        # It reads as the other does, but cannot be mapped: such a map is memory that nobody counts.
        *("--dev-bind", "/dev/full", "/dev/zero"),
        *_memory_disk("/dev/shm", limits.tmp_mb),  # noqa: S108
        *("--remount-ro", "/dev"),
    ]


def _memory_disk(place: str, megabytes: int) -> list[str]:
    return ["--perms", "1777", "--size", str(megabytes * _MEGABYTE), "--tmpfs", place]


def _show_system() -> Iterator[str]:
    for path in _SYSTEM:
        yield from ("--ro-bind-try", path, path)
    for path in _TOP:
        if Path(path).is_symlink():
            yield from ("--symlink", str(Path(path).readlink()), path)
        else:
            yield from ("--ro-bind-try", path, path)
    for path in _ETC:
        yield from ("--ro-bind-try", path, path)


def show_interpreter(prefix: Path, roots: Mapping[Path, Path]) -> Iterator[str]:
    """Yield bubblewrap's words for what an interpreter, or an environment of one, needs."""
    for part in ("bin", "lib", "lib64", "pyvenv.cfg"):
        if f"{prefix / part}" not in _SYSTEM:
            yield from ("--ro-bind-try", f"{roots[prefix] / part}", f"{prefix / part}")


def program_contents() -> Contents:
    """Return what programs are shown: the interpreter and a few packages."""
    packages = ":".join(dict.fromkeys(str(found.parent) for found in _packages()))
    return Contents(
        roots=tuple(dict.fromkeys([Path(sys.base_prefix), *(path.parent for path in _packages())])),
        show=_show_packages,
        variables={"PYTHONPATH": packages},
    )


def _show_packages(roots: Mapping[Path, Path]) -> Iterator[str]:
    yield from show_interpreter(Path(sys.base_prefix), roots)
    for hidden in map(str, _find_folders_to_hide()):
        yield from ("--size", str(_MEGABYTE), "--tmpfs", hidden)
    # At their own places: some find their libraries by the way from here to there.
    for found in _packages():
        yield from ("--ro-bind", f"{roots[found.parent] / found.name}", str(found))
    for hidden in map(str, _find_folders_to_hide()):
        yield from ("--remount-ro", hidden)


def _mount_private_folders(folder: Path, limits: Limits) -> Iterator[str]:
    yield from _memory_disk(WORK, limits.disk_mb)
    yield from _memory_disk("/tmp", limits.tmp_mb)  # noqa: S108
    for name in ("passwd", "group"):
        yield from ("--ro-bind", str(folder / name), f"/etc/{name}")


def _set_variables(variables: Mapping[str, str]) -> Iterator[str]:
    path = f"{Path(sys.base_prefix) / 'bin'}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    always = {"PATH": path, "HOME": WORK, "LANG": "C.UTF-8", **variables}
    # Each thread of a linear-algebra library reserves memory and counts as a process.
    always |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    yield "--clearenv"
    for name, value in always.items():
        yield from ("--setenv", name, value)


def _write_limits(limits: Limits) -> list[str]:
    # Inside, so that they count in the sandbox's own user namespace and not over the whole machine.
    memory, size = limits.memory_mb * _MEGABYTE, limits.file_mb * _MEGABYTE
    return [
        *(
            _find_program("prlimit"),
            f"--nproc={limits.processes}",
            f"--as={memory}",
            f"--fsize={size}",
        ),
        *(f"--cpu={limits.cpu_s}:{limits.cpu_s + 1}", f"--nofile={limits.descriptors}"),
        *("--core=0", "--memlock=0", "--"),
    ]


@cache
def _find_folders_to_hide() -> tuple[Path, ...]:
    """Return the folders, among those shown, that may hold causarium, or packages not on offer."""
    shown = [Path(path) for path in _SYSTEM]
    shown += [Path(sys.base_prefix) / part for part in ("bin", "lib", "lib64")]
    folders = {
        site.resolve()
        for root in {Path(sys.base_prefix), Path("/usr")}
        for pattern in ("lib*/python3*/site-packages", "lib*/python3*/dist-packages")
        for site in root.glob(pattern)
    }
    folders.add(Path(causarium.__file__).resolve().parent)
    inside = {path for path in folders if any(path.is_relative_to(root) for root in shown)}
    return tuple(sorted(p for p in inside if not any(q in p.parents for q in inside)))


@cache
def _packages() -> tuple[Path, ...]:
    """Return the folders and modules of the packages on offer and of what they need."""
    found: dict[str, Path] = {}
    names = list(OFFERED)
    for name in names:
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        for file in package.files or ():
            top = file.parts[0]
            if top.endswith((".dist-info", "__pycache__")) or top in {"..", "/"}:
                continue
            found[top] = Path(str(package.locate_file(top))).resolve()
        for wanted in package.requires or ():
            if ";" not in wanted and (bare := _strip_requirement(wanted)) not in names:
                names.append(bare)
    return tuple(path for path in found.values() if path.exists())


def _strip_requirement(requirement: str) -> str:
    name = requirement
    for mark in " <>=!~([":
        name = name.partition(mark)[0]
    return name

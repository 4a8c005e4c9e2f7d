"""The command line that opens a sandbox and runs a first command in it.

Bubblewrap makes namespaces: no network, no processes but its own, and a file system that holds
what is listed here and nothing else. What can be written is kept in memory, in file systems of a
fixed size, so that no folder of this machine is ever written to. There are two users of this wall,
programs that an agent wrote and agents of one's own; they differ in what they are shown and in
nothing else. Neither is shown causarium: who can draw instances can look up answers.

A user who is root becomes somebody else first. Root in a user namespace is still root to parts of
the kernel, and the limit on processes does not hold for it.

What is left inside of the namespaces and may do harm, the kernel's filter of system calls refuses:
memory that no limit counts (memfd, System V, shared anonymous maps), parts of the kernel that have
often been broken (io_uring, bpf, userfaultfd, keys), other namespaces, and looking into other
processes. It is a list of what is refused, not of what is allowed: one of those breaks numpy and
shells with each new C library. A call that is refused fails with an error that programs handle.

The kernel limits what one process may take and how much fits in a folder. What all processes take
together is added up from outside, many times a second.
"""

import contextlib
import os
import platform
import shutil
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from errno import EAFNOSUPPORT, ENOSYS, EPERM
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal

import causarium
from causarium.contract.frozen import Frozen

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _MASK, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_KILL, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
"""Where a call's number, its architecture and the low halves of its arguments lie."""
_X32 = 0x40000000
_SHARED_ANONYMOUS = 0x21
_NEW_NAMESPACES = 0x7E020000
_UNIX_SOCKETS = 1
_SOL_SOCKET = 1
_BUFFER_SIZES = (7, 8, 32, 33)
"""The options of a socket that make its buffers larger."""
_RECORD_LOCKS = (6, 7, 37, 38)
"""The commands of fcntl that lock a part of a file, each with memory of the kernel's own."""

_REFUSED = (
    # memory that is not counted
    *("memfd_create", "memfd_secret", "shmget", "msgget", "semget", "mq_open", "io_setup"),
    *("mbind", "set_mempolicy", "set_mempolicy_home_node", "migrate_pages", "move_pages"),
    # large and often broken parts of the kernel
    *("bpf", "perf_event_open", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("userfaultfd", "add_key", "request_key", "keyctl", "fanotify_init", "personality"),
    # other processes
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp"),
    # other namespaces and file systems
    *("unshare", "setns", "chroot", "mount", "umount2", "pivot_root", "move_mount", "open_tree"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_tree_attr"),
    *("name_to_handle_at", "open_by_handle_at", "quotactl", "quotactl_fd"),
    # the machine itself
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"),
    *("swapon", "swapoff", "reboot", "acct", "syslog", "vhangup", "iopl", "ioperm", "modify_ldt"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex"),
    *("sethostname", "setdomainname"),
)


def _table(text: str) -> dict[str, int]:
    pairs = (word.split("=") for word in text.split())
    return {name: int(number) for name, number in pairs}


_SINCE_5_1 = _table("""
    io_uring_setup=425 io_uring_enter=426 io_uring_register=427 open_tree=428
    move_mount=429 fsopen=430 fsconfig=431 fsmount=432 fspick=433 clone3=435
    pidfd_getfd=438 process_madvise=440 mount_setattr=442 quotactl_fd=443 memfd_secret=447
    set_mempolicy_home_node=450 open_tree_attr=467
""")
"""From here on a call has the same number on every machine."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The numbers of system calls on one kind of processor."""

    audit: int
    numbers: dict[str, int]
    has_x32: bool = False


_X86_64 = _table("""
    mmap=9 shmget=29 socket=41 socketpair=53 setsockopt=54 clone=56 semget=64 msgget=68
    fcntl=72 ptrace=101 syslog=103 personality=135 vhangup=153 modify_ldt=154 pivot_root=155
    adjtimex=159 chroot=161 acct=163 settimeofday=164 mount=165 umount2=166 swapon=167
    swapoff=168 reboot=169 sethostname=170 setdomainname=171 iopl=172 ioperm=173
    init_module=175 delete_module=176 quotactl=179 io_setup=206 clock_settime=227
    mbind=237 set_mempolicy=238 mq_open=240 kexec_load=246 add_key=248 request_key=249
    keyctl=250 migrate_pages=256 unshare=272 move_pages=279 perf_event_open=298
    fanotify_init=300 name_to_handle_at=303 open_by_handle_at=304 clock_adjtime=305
    setns=308 process_vm_readv=310 process_vm_writev=311 kcmp=312 finit_module=313
    memfd_create=319 kexec_file_load=320 bpf=321 userfaultfd=323
""")
_AARCH64 = _table("""
    io_setup=0 fcntl=25 umount2=39 mount=40 pivot_root=41 chroot=51 vhangup=58 quotactl=60 acct=89
    personality=92 unshare=97 kexec_load=104 init_module=105 delete_module=106
    clock_settime=112 syslog=116 ptrace=117 reboot=142 sethostname=161 setdomainname=162
    settimeofday=170 adjtimex=171 mq_open=180 msgget=186 semget=190 shmget=194 socket=198
    socketpair=199 setsockopt=208 add_key=217 request_key=218 keyctl=219 clone=220
    mmap=222 swapon=224 swapoff=225 mbind=235 set_mempolicy=237 migrate_pages=238
    move_pages=239 perf_event_open=241 fanotify_init=262 name_to_handle_at=264
    open_by_handle_at=265 clock_adjtime=266 setns=268 process_vm_readv=270
    process_vm_writev=271 kcmp=272 finit_module=273 memfd_create=279 bpf=280
    userfaultfd=282 kexec_file_load=294
""")

MACHINES = {
    "x86_64": Machine(0xC000003E, _X86_64 | _SINCE_5_1, has_x32=True),
    "aarch64": Machine(0xC00000B7, _AARCH64 | _SINCE_5_1),
}
"""The machines that there is a filter for."""


def explain_missing_filter() -> str | None:
    """Say why this machine cannot have a filter, or return None."""
    kind = platform.machine()
    if kind in MACHINES:
        return None
    return f"there is no filter of system calls for {kind}, only for {' and '.join(MACHINES)}"


def open_filter() -> int:
    """Return a descriptor from which this machine's filter can be read; it is the caller's."""
    handle, end = os.pipe()
    os.write(end, seccomp_filter())
    os.close(end)
    return handle


def seccomp_filter(machine: Machine | None = None) -> bytes:
    """Return the filter for a machine, as the kernel reads it; for this one unless it is named."""
    machine = machine or MACHINES[platform.machine()]
    number = machine.numbers
    lines = [
        _line(_LOAD, _ARCH),
        _line(_EQUAL, machine.audit, yes=1),
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
    ]
    if machine.has_x32:
        lines += [_line(_AT_LEAST, _X32, no=1), _line(_RETURN, _KILL)]
    for name in _REFUSED:
        if name in number:
            lines += [_line(_EQUAL, number[name], no=1), _fail(EPERM)]
    # glibc falls back to clone, and its flags can be read here.
    lines += [_line(_EQUAL, number["clone3"], no=1), _fail(ENOSYS)]
    lines += _match_call(
        number["clone"], [_argument(0), _line(_ANY_BIT, _NEW_NAMESPACES, no=1), _fail(EPERM)]
    )
    shared = [_line(_MASK, _SHARED_ANONYMOUS), _line(_EQUAL, _SHARED_ANONYMOUS, no=1)]
    lines += _match_call(number["mmap"], [_argument(3), *shared, _fail(EPERM)])
    # No network is there to be reached, and what loopback connections hold is counted nowhere.
    family = [_argument(0), _line(_EQUAL, _UNIX_SOCKETS, yes=1), _fail(EAFNOSUPPORT)]
    lines += _match_call(number["socket"], family)
    lines += _match_call(number["socketpair"], family)
    # It is said to be done, and is not: many programs take a refusal for the end.
    sizes = [_argument(1), _line(_EQUAL, _SOL_SOCKET, no=2 * len(_BUFFER_SIZES) + 1), _argument(2)]
    for option in _BUFFER_SIZES:
        sizes += [_line(_EQUAL, option, no=1), _fail(0)]
    lines += _match_call(number["setsockopt"], sizes)
    # Said to be done too: nobody outside shares these files, and SQLite wants to lock its own.
    locks = [_argument(1)]
    for command in _RECORD_LOCKS:
        locks += [_line(_EQUAL, command, no=1), _fail(0)]
    lines += _match_call(number["fcntl"], locks)
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def _match_call(number: int, lines: list[bytes]) -> list[bytes]:
    """Return lines for one call alone; whoever gets to their end is allowed."""
    return [_line(_EQUAL, number, no=len(lines) + 1), *lines, _line(_RETURN, _ALLOW)]


def _line(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """Return one instruction: its code, how far to jump if true and if not, and its value."""
    return struct.pack("<HBBI", code, yes, no, value)


def _argument(number: int) -> bytes:
    return _line(_LOAD, _ARGUMENTS + 8 * number)


def _fail(error: int) -> bytes:
    return _line(_RETURN, _ERRNO | error)


class Limits(Frozen):
    """What the programs of one sandbox may use, together unless it says otherwise."""

    memory_mb: int = 1024
    """Memory of all processes, with what lies in files; no single one can even reserve more."""
    processes: int = 64
    """Processes and threads at one time."""
    cpu_s: int = 120
    """Processor time of one command, over all its processes."""
    disk_mb: int = 256
    """What may lie in the workspace."""
    tmp_mb: int = 64
    """What may lie in /tmp, and again in /dev/shm."""
    files: int = 10_000
    """How many files there may be."""
    file_mb: int = 64
    """The size of one file."""
    descriptors: int = 64
    """Open files, pipes and sockets of one process."""


Excess = Literal["memory", "disk", "cpu"]

_CPU_SLACK_S = 2
"""The kernel ends a single process at its limit; this is for many that stay below it."""
_SOCKET_BYTES = 212_992
"""What a socket holds before whoever writes to it has to wait, unless set otherwise."""
_FREE_DESCRIPTORS = 8
"""So many of a process's descriptors are not taken for full sockets."""
_HELD = ("RssAnon:", "VmSwap:", "VmPTE:")


@dataclass
class Meter:
    """Reads what the processes below one process, and the folders that they write in, take."""

    root: int
    """The process that is counted with all its descendants."""
    folders: Sequence[int] = ()
    """Open folders, each on a file system of its own."""
    _ticks: dict[tuple[int, int], int] = field(default_factory=dict)
    _begun: float | None = None

    def excess(self, limits: Limits) -> Excess | None:
        """Return what there is too much of since the first look, if there is anything."""
        size, files = self._count_written()
        memory, cpu = self._processes()
        if self._begun is None:
            self._begun = cpu
        if size + memory > limits.memory_mb * _MEGABYTE:
            return "memory"
        if files > limits.files:
            return "disk"
        return "cpu" if cpu - self._begun > limits.cpu_s + _CPU_SLACK_S else None

    def _count_written(self) -> tuple[int, int]:
        """Return the bytes and the number of files; what is deleted and still open counts."""
        size = files = 0
        for folder in self.folders:
            with contextlib.suppress(OSError):
                seen = os.statvfs(folder)
                size += (seen.f_blocks - seen.f_bfree) * seen.f_frsize
                files += seen.f_files - seen.f_ffree
        return size, files

    def _processes(self) -> tuple[int, float]:
        """Return the bytes that all processes hold, and the processor time that they took."""
        memory = whole = 0
        for pid in tree(self.root):
            memory += measure_memory(pid)
            with contextlib.suppress(OSError, ValueError, IndexError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                own, of_children = (sum(map(int, fields[i : i + 2])) for i in (11, 13))
                whole += own + of_children
                self._ticks[pid, int(fields[19])] = own
        # Where children are never waited for, their time is lost to their parents.
        return memory, max(whole, sum(self._ticks.values())) / os.sysconf("SC_CLK_TCK")


def tree(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    waiting = [pid]
    while waiting:
        here = waiting.pop()
        yield here
        with contextlib.suppress(OSError, ValueError):
            for thread in Path(f"/proc/{here}/task").iterdir():
                with contextlib.suppress(OSError):
                    waiting += map(int, (thread / "children").read_text().split())


def measure_memory(pid: int) -> int:
    """Return the bytes that a process holds for itself, in memory, swapped out or in sockets.

    Once its first thread has ended, it shows nothing, while its other threads show all of it.
    """
    with contextlib.suppress(OSError):
        for place in (Path(f"/proc/{pid}"), *Path(f"/proc/{pid}/task").iterdir()):
            with contextlib.suppress(OSError):
                if (own := _memory(place / "status")) is not None:
                    return own + _in_sockets(place / "fd")
    return 0


def _memory(status: Path) -> int | None:
    sizes = [
        int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith(_HELD)
    ]
    return sum(sizes) * 1024 if sizes else None


def _in_sockets(descriptors: Path) -> int:
    """Return how much may wait in a process's sockets, which the kernel does not show."""
    try:
        count = len(os.listdir(descriptors))  # noqa: PTH208 — ten times a second
    except OSError:
        return 0
    return max(0, count - _FREE_DESCRIPTORS) * _SOCKET_BYTES


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
    """Fill a new folder of this machine with what a sandbox is shown of it."""
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
    command: Sequence[str], *, folder: Path, limits: Limits, filter_handle: int, contents: Contents
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


@cache  # 0.4 s: reads what each package says of its files, for every sandbox otherwise
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

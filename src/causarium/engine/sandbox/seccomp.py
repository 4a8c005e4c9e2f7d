"""The kernel's filter on system calls, as classic BPF: what a program in a sandbox may not ask for.

Namespaces take away what lies outside. What is refused here is left inside of them: memory that no
limit counts (memfd, System V, shared anonymous maps), parts of the kernel that have often been
broken (io_uring, bpf, userfaultfd, keys), other namespaces, and looking into other processes.

It is a list of what is refused, not of what is allowed: one of those breaks numpy and shells with
each new C library. A call that is refused fails with an error that programs know how to handle.
"""

import os
import platform
import struct
from dataclasses import dataclass
from errno import EAFNOSUPPORT, ENOSYS, EPERM

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
    # glibc falls back to clone, whose flags can be read here.
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
    return [
        _line(_EQUAL, number, no=len(lines) + 1),
        *lines,
        _line(_RETURN, _ALLOW),
    ]


def _line(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """Return one instruction: its code, how far to jump if true and if not, and its value."""
    return struct.pack("<HBBI", code, yes, no, value)


def _argument(number: int) -> bytes:
    return _line(_LOAD, _ARGUMENTS + 8 * number)


def _fail(error: int) -> bytes:
    return _line(_RETURN, _ERRNO | error)

"""A disk that is really full: a tiny file system in a name space of its own.

Only the process that asks for it sees it, and it is gone with that process.
"""

import ctypes
import os
from pathlib import Path

NEW_MOUNTS, NEW_USER = 0x00020000, 0x10000000
REMOUNT, READ_ONLY = 32, 1


def mount(folder: Path, kibibytes: int) -> None:
    """Put a disk of this size over a folder; this process must have no other thread.

    Raises:
        OSError: Not allowed on this machine.
    """
    user, group = os.getuid(), os.getgid()
    _check(_libc().unshare(NEW_MOUNTS | NEW_USER))
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        Path(f"/proc/self/{name}").write_text(text)
    _mount(folder, kibibytes, 0)


def make_room(folder: Path, kibibytes: int) -> None:
    """Give the disk another size."""
    _mount(folder, kibibytes, REMOUNT)


def forbid_writing(folder: Path) -> None:
    """Let nobody write to the disk any more, root included."""
    _mount(folder, 4096, REMOUNT | READ_ONLY)


def _mount(folder: Path, kibibytes: int, flags: int) -> None:
    size = f"size={kibibytes}k".encode()
    _check(_libc().mount(b"tmpfs", bytes(folder), b"tmpfs", flags, size))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))

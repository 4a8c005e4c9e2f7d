"""What a sandbox allows, and what it takes, looked up from outside: memory, processor time, files.

The kernel limits what one process may take and how much fits in a folder. What all processes take
together is added up here, many times a second.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from causarium.contract.frozen import Frozen


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

_MEGABYTE = 1024 * 1024
_CPU_SLACK_S = 2
"""The kernel ends a single process at its limit; this is for many that stay below it."""
_SOCKET_BYTES = 212_992
"""What a socket holds before whoever writes to it has to wait, unless it is told otherwise."""
_FREE_DESCRIPTORS = 8
"""So many of a process's descriptors are not taken for full sockets."""
_HELD = ("RssAnon:", "VmSwap:", "VmPTE:")


@dataclass
class Meter:
    """Reads what the processes below one process, and the folders that they write in, take."""

    root: int
    """The process whose descendants are counted, itself included."""
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

    One whose first thread has ended shows nothing, while its other threads show all of it.
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
    """Return how much may wait in the sockets of a process, of which the kernel shows nothing."""
    try:
        count = len(os.listdir(descriptors))  # noqa: PTH208 — ten times a second
    except OSError:
        return 0
    return max(0, count - _FREE_DESCRIPTORS) * _SOCKET_BYTES

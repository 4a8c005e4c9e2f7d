"""What a sandbox allows."""

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

"""What a sandbox allows."""

from causarium.contract.frozen import Frozen


class Limits(Frozen):
    """What the programs of one sandbox may use, together unless it says otherwise."""

    memory_mb: int = 1024
    """Memory of all processes together; no single one can even reserve more."""
    processes: int = 64
    """Processes and threads at one time."""
    cpu_s: int = 120
    """Processor time of one process."""
    disk_mb: int = 256
    """What may be written, over all files."""
    files: int = 10_000
    """How many files may be written."""
    file_mb: int = 64
    """The size of one file."""

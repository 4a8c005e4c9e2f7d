"""How long a piece of work keeps a core busy, however busy the machine is."""

import time
from collections.abc import Callable


def cpu_seconds(work: Callable[[], object], *, rounds: int = 5) -> float:
    """Return the CPU time of the quickest of several rounds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)

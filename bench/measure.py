"""Timing one piece of work against a baseline, alternately, in one process.

Machines are noisy, so what is kept is the ratio of the best of several alternating rounds.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measurement:
    """One line of a bench: a rate of ours, and a baseline's, in the same unit."""

    work: str
    unit: str
    ours: float
    baseline: float | None = None
    """None where there is nothing to compare with and `target` is all there is."""
    target: str = ""
    """What we want to see, in words."""

    @property
    def ratio(self) -> float | None:
        """How many times the baseline ours is."""
        return None if not self.baseline else self.ours / self.baseline


def rate(
    work: Callable[[], int],
    *,
    seconds: float = 0.5,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Return how many items a second `work` does; it returns how many it did in one call.

    With `time.process_time` for a clock, the seconds are those that a core spent on it.
    """
    done, start = 0, clock()
    while (passed := clock() - start) < seconds:
        done += work()
    return done / passed


def compare(
    ours: Callable[[], int],
    baseline: Callable[[], int],
    *,
    rounds: int = 5,
    seconds: float = 0.3,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float]:
    """Return the best rate of each, measured in alternating rounds.

    Args:
        ours: Does some of our work, and returns how many items.
        baseline: The same by the baseline.
        rounds: How often each is measured.
        seconds: How long, each time.
        clock: What tells the time.
    """
    pairs = [
        (rate(ours, seconds=seconds, clock=clock), rate(baseline, seconds=seconds, clock=clock))
        for _ in range(rounds)
    ]
    return max(a for a, _ in pairs), max(b for _, b in pairs)

"""Single numbers: effort, and whether a value is right.

**Effort** is how much an agent used, against the least that would have done.

| used | optimum | `effort` |
|------|---------|----------|
| 6    | 3       | 2        |
| 2    | 3       | 2/3      |
| 0    | 3       | 0        |
| any  | 0       | nan      |
| any  | unknown | nan      |

The optimum is the least that suffices in the worst case, so a lucky agent can use less and have an
effort below 1; so has one that answers without looking. Effort therefore says something only beside
accuracy. Where nothing is needed the ratio has nothing beneath it: it is nan and left out of means.

**A value** that is not finite is never right, whatever the tolerance: an agent that predicts
infinity or nan has not predicted anything.
"""

import math

from causarium.errors import ContractError

MOST = 1e300
"""The most that a number of a verdict may be: the sum of many must still be a number."""


def effort(used: float, optimum: float | None) -> float:
    """Return `used` as a multiple of `optimum`; nan where the optimum is 0 or unknown.

    Raises:
        ContractError: A quantity is negative or not finite.
    """
    for name, amount in (("amount used", used), ("optimum", optimum)):
        if amount is not None and not (math.isfinite(amount) and amount >= 0):
            raise ContractError(f"the {name} is {amount}; it must be a count, 0 or more")
    return used / optimum if optimum else math.nan


def is_close(value: float, truth: float, *, absolute: float = 0.0, relative: float = 0.0) -> bool:
    """Say whether `value` lies within a tolerance of `truth`; the wider of the two counts.

    The relative tolerance is a share of `truth` alone, not of the larger of both, so that a
    proposal cannot widen its own tolerance by being large. The edge belongs to the window.

    Args:
        value: What was proposed.
        truth: What is right.
        absolute: The greatest difference allowed.
        relative: The greatest difference allowed, as a share of the magnitude of `truth`.

    Raises:
        ContractError: A tolerance is negative or not finite, or the truth is not finite.

    Example:
        >>> is_close(103, 100, relative=0.05), is_close(103, 100, absolute=2)
        (True, False)
    """
    for name, tolerance in (("absolute", absolute), ("relative", relative)):
        if not (math.isfinite(tolerance) and tolerance >= 0):
            raise ContractError(f"the {name} tolerance is {tolerance}; it must be 0 or more")
    if not math.isfinite(truth):
        raise ContractError(f"nothing can be close to {truth}; the truth must be finite")
    return math.isfinite(value) and abs(value - truth) <= max(absolute, relative * abs(truth))


def error_of(value: float, truth: float) -> float:
    """Return the absolute error; nan when `value` is not finite, so that no mean is drowned."""
    return min(abs(value - truth), MOST) if math.isfinite(value) else math.nan

"""Whether a number is right, and how far off it is.

A number that is not finite is never right, whatever the tolerance: an agent that predicts infinity
or nan has not predicted anything.
"""

import math

from causarium.errors import ContractError


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
    return abs(value - truth) if math.isfinite(value) else math.nan

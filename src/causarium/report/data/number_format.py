"""How numbers and names look: the same in every format."""

import math
from collections.abc import Iterable

from causarium.contract.texts.printable import replace_unprintable
from causarium.scoring.intervals import Interval

NONE = "–"
"""Shown where there is no number."""

__all__ = ["NONE", "bounds", "count", "digits", "format_signed", "replace_unprintable", "show"]


def digits(values: Iterable[float]) -> int:
    """Return how many decimals suit a column: three for shares, two beyond."""
    return 3 if all(math.isnan(value) or abs(value) <= 1 for value in values) else 2


def show(value: float, places: int = 3) -> str:
    """Write a number; nan is a dash.

    Example:
        >>> show(0.5), show(float("nan"))
        ('0.500', '–')
    """
    if math.isnan(value):
        return NONE
    text = f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def count(value: int) -> str:
    """Write a count."""
    return f"{value:,}"


def format_signed(value: float, places: int = 3) -> str:
    """Write a difference, always with its sign, except for zero."""
    text = show(value, places)
    if text == NONE or float(text) == 0:
        return text
    return text.replace("-", "−") if value < 0 else f"+{text}"


def bounds(interval: Interval, places: int = 3) -> str:
    """Write an interval as `[low, high]`; nothing where there is none."""
    if math.isnan(interval.low) or math.isnan(interval.high):
        return ""
    return f"[{show(interval.low, places)}, {show(interval.high, places)}]"

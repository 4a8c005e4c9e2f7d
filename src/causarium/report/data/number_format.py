"""How numbers and names look: the same in every format."""

import math
import re
from collections.abc import Iterable

from causarium.scoring.intervals import Interval

NONE = "–"
"""Shown where there is no number."""

_LONG_NUMBER = re.compile(r"\d+\.\d{3,}(?!\d)")
_ONE = re.compile(r"\b1 ([a-z]+)s were\b")


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


def format_amount(value: float) -> str:
    """Write a mean of counts: whole from ten on, one decimal below; nan is a dash.

    Example:
        >>> format_amount(720.0), format_amount(2.96), format_amount(3.0)
        ('720', '3.0', '3')
    """
    if math.isnan(value):
        return NONE
    return f"{value:,.0f}" if abs(value) >= 10 or value == int(value) else f"{value:.1f}"


def format_metric(name: str) -> str:
    """Write the name of a metric as words.

    Example:
        >>> format_metric("edge_f1"), format_metric("train_exact")
        ('edge F1', 'train exact')
    """
    return " ".join("F1" if part == "f1" else part for part in name.split("_"))


def tidy_sentence(text: str) -> str:
    """Return a verdict's explanation for people: numbers short, one of a thing in the singular.

    Example:
        >>> tidy_sentence("Submitted 212.437125626. 1 interventions were made.")
        'Submitted 212.44. 1 intervention was made.'
    """
    short = _LONG_NUMBER.sub(_round_number, text.replace("Error mode:", "Error:"))
    return _ONE.sub(r"1 \1 was", short).replace("; 1 suffice ", "; 1 suffices ")


def _round_number(match: re.Match[str]) -> str:
    value = float(match[0])
    return f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def lower_first(text: str) -> str:
    """Return a sentence as it stands within another one; a name keeps its capitals.

    Example:
        >>> lower_first("Whoever looks."), lower_first("DAGs only.")
        ('whoever looks.', 'DAGs only.')
    """
    return f"{text[:1].lower()}{text[1:]}" if text[1:2].islower() or text[1:2] == " " else text


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
    ends = tell_ends(interval, places).replace(" to ", ", ")
    return ends and f"[{ends}]"


def tell_ends(interval: Interval, places: int = 3) -> str:
    """Write an interval as `low to high`; nothing where there is none.

    Measures that are all equal have one without width: their spread is not known. Ends that would
    look alike get more decimals, unless it is only rounding that tells them apart.

    Example:
        >>> tell_ends(Interval(0.2, 0.1, 0.3, n=9), 1), tell_ends(Interval(0.0, -1e-17, 1e-17, n=9))
        ('0.1 to 0.3', '')
    """
    if not interval.high - interval.low > 1e-12:  # nor where there is none: nan
        return ""
    low, high = show(interval.low, places), show(interval.high, places)
    return f"{low} to {high}" if low != high else tell_ends(interval, places + 1)

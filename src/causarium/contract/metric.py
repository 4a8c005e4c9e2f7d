"""What one number of a verdict is, so that tables and checks need not guess."""

from dataclasses import dataclass
from typing import Literal

Better = Literal["higher", "lower", "neither"]
"""Which way a number is better; `neither` for one that only describes, such as a count of turns."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a verdict."""

    about: str
    """One sentence on what it says."""
    better: Better = "neither"
    share: bool = False
    """Whether it is 0 or 1 by its nature, so that its mean is a share and has Wilson's interval."""


SLIPS = "slips"
"""The number that every verdict has: how often form alone stood between an agent and its move."""
SLIPS_METRIC = Metric("Replies whose form had to be forgiven or asked for again; never graded.")

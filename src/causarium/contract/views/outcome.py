"""How an episode ended, in one of five ways that every family knows."""

from typing import Literal

from causarium.contract.frozen import Frozen

Ending = Literal["proved", "lucky", "wrong", "unreadable", "silent"]
"""Right and shown to be; right by less than that; wrong; no usable answer; none at all."""


class Outcome(Frozen):
    """How one episode ended."""

    ending: Ending
    words: str
    """The family's own words for it, the same for all episodes that ended so."""

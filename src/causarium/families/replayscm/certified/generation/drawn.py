"""A system as it was drawn, before it gets its names and signs."""

from collections.abc import Mapping
from typing import NamedTuple

from ..mechanics.case import Case
from ..mechanics.systems import Rule


class Drawn(NamedTuple):
    """A case and the truth about it."""

    case: Case
    rules: Mapping[int, Rule]
    hands: tuple[int, ...]
    """The variable behind each unnamed hand."""
    traits: int
    """Bit u is the trait of unit u."""
    trait: int
    """The trait of the test unit."""

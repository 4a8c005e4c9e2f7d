"""Probes: learners that try to read the answer off what is shown, with nothing done.

A probe names the question (is there an arrow from A to B? which way does it point?) and the numbers
of the public part that might give it away. The audit trains a classifier on other instances and
says how well it does on those of a set. Where nothing leaks, it does as well as chance.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias

from causarium.contract.instance import Instance, PublicT, SecretT

Examples: TypeAlias = Sequence[tuple[Sequence[float], bool]]
"""Questions about one instance: features, made of its public part alone, and the truth."""


@dataclass(frozen=True, slots=True)
class Probe(Generic[PublicT, SecretT]):
    """A question whose answer must not be readable in the public part."""

    about: str
    """One sentence on what it tries to tell."""
    examples: Callable[[Instance[PublicT, SecretT]], Examples]
    """Returns the questions about one instance, each with equally many features."""
    metric: Literal["accuracy", "auc"] = "accuracy"
    chance: float = 0.5
    """What it scores where nothing leaks."""
    allowance: float = 0.0
    """How far above chance it may score: a small leak that the family's page tells of."""
    levels: frozenset[str] = frozenset()
    """The levels it asks about; empty: all. A set that has none of them is not probed."""


AnyProbe: TypeAlias = Probe[Any, Any]

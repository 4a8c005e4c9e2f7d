"""The lab of the paper edition: a crystal in the manipulator, a budget, a lock, a reactor to tune.

The lock works one way: once the reactor is open, the manipulator stays shut.

It knows nothing of words and turns; `world.py` and the dialog world put an interface around it.
Every method either does what it says or returns a `Refusal` and changes nothing.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from causarium.scm.mechanism import Specimen
from causarium.seeds import stream
from ..levels import LabRules
from ..model.instance import FREQUENCY, LabInstance, fold_name, name_index

MAX_VALUE = 1e15
"""Beyond this, two decimals are no longer exact."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not done."""

    reason: str


class Row(NamedTuple):
    """One reading of the manipulator's crystal."""

    values: tuple[float, ...]
    """The properties in listing order, then the frequency."""
    target: int | None
    """The property that was put to a value just before, by its index; None when none was."""


class Lab:
    """One instance's lab."""

    def __init__(self, instance: LabInstance, rules: LabRules) -> None:
        self.public = instance.public
        self.rules = rules
        self._target = instance.secret.target
        self._index = self.public.index
        self.names = name_index(self.public.properties)
        mechanism = instance.secret.mechanism(self.public)
        self._descendants = mechanism.dag.descendants
        bases = (*instance.secret.manipulator_bases, instance.secret.base_frequency)
        self._crystal = Specimen(mechanism, bases)
        self._disturbance = instance.secret.disturbance
        self.used = 0
        """How many interventions were made."""
        self.touched = 0
        """The mask of nodes that an intervention may have moved since the start."""
        self.locked = False
        """Whether the manipulator is locked, which the reactor does once and for all."""
        self.submitted: list[float] = []
        self.solved = False
        self.rows: list[Row] = [Row(tuple(self._crystal.values), None)]

    @property
    def left(self) -> int:
        """How many interventions are left."""
        return self.public.budget - self.used

    @property
    def submissions_left(self) -> int:
        """How many submissions are left; none after a success."""
        return 0 if self.solved else self.rules.submissions - len(self.submitted)

    def measure(self) -> list[float] | Refusal:
        """Read the crystal: the properties in listing order, then the frequency."""
        if self.locked:
            return _LOCKED
        return self._crystal.values

    def node(self, name: str) -> int | Refusal:
        """Find a property by any of its names; the frequency cannot be put to a value."""
        found = name if name in self._index else None
        if found is None and len(name) <= 200:
            found = self.names.get(fold_name(name))
        if found is None:
            known = ", ".join(self.public.names)
            return Refusal(f"there is no property {name[:80]!r}; the properties are {known}")
        if found == FREQUENCY:
            return Refusal("the frequency cannot be put to a value, only the properties can")
        return self._index[found]

    def intervene(self, name: str, value: float) -> list[float] | Refusal:
        """Put a property to a value and read the crystal; costs one of the budget."""
        if self.locked:
            return _LOCKED
        if self.left <= 0:
            return Refusal(f"all {self.public.budget} interventions are used up")
        node = self.node(name)
        if isinstance(node, Refusal):
            return node
        limit = self.public.limit
        if not math.isfinite(value) or abs(value) > limit:
            return Refusal(f"{value!r} is not a number between {-limit:,.0f} and {limit:,.0f}")
        return self._put(node, value)

    def _put(self, node: int, value: float) -> list[float] | Refusal:
        crystal = self._crystal
        before = crystal.state()
        values = crystal.put(node, value, self._draw())
        if not all(-MAX_VALUE < v < MAX_VALUE for v in values):
            crystal.restore(before)
            return Refusal(f"the crystal cannot take {value!r}: its values would leave every scale")
        self.used += 1
        self.touched |= 1 << node | self._descendants[node]
        self.rows.append(Row(tuple(values), node))
        return values

    def _draw(self) -> dict[int, float] | None:
        hidden = self._disturbance
        if hidden is None:
            return None
        # By the number of the intervention, so that a refused one uses no draw up.
        shift = hidden.weight * stream(hidden.seed, "hidden", self.used).choice(hidden.values)
        return {self._index[name]: shift for name in hidden.affected}

    def open_reactor(self) -> None:
        """Turn to the reactor, which locks the manipulator for good."""
        self.locked = True

    def submit(self, value: float) -> bool | Refusal:
        """Tune the reactor; says whether the crystal answers. Locks the manipulator."""
        if self.submissions_left <= 0:
            return Refusal("no submission is left")
        low, high = self.public.reactor_range
        if not math.isfinite(value):
            return Refusal(f"{value!r} is not a finite number")
        if self.rules.clamped_submissions:
            value = min(max(value, low), high)
        elif not low <= value <= high:
            return Refusal(f"the reactor can be tuned from {low:,.0f} to {high:,.0f} Hz")
        self.open_reactor()
        self.submitted.append(value)
        dead = self.rules.last_submission_dead and len(self.submitted) == self.rules.submissions
        self.solved = not dead and is_within_tolerance(
            value, self._target, self.public.tolerance, self.rules
        )
        return self.solved


_LOCKED = Refusal("the manipulator is locked: the reactor has been opened")


def is_within_tolerance(value: float, target: float, tolerance: float, rules: LabRules) -> bool:
    """Say whether a submission meets the target.

    The certified window is the stated one, its ends included. With the quirk `asymmetric_window`
    the ends are left out, and the setting must still lie inside after its decimals are cut off,
    unless it then agrees with the target's whole part.
    """
    if not rules.asymmetric_window:
        # A hair of slack, so that the stated ends are inside in spite of binary fractions.
        return abs(value - target) <= tolerance + 1e-9
    if not abs(value - target) < tolerance:
        return False
    return int(value) == int(target) or abs(int(value) - target) < tolerance

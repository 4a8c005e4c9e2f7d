"""Paper edition: an episode from its recorded turns, as readings, refusals, beliefs and grades.

The legal actions are played again in a fresh world. A hypothesis is in force from the turn it
was sent with until the next one; one with problems never comes into force, unless the rules leave
hypotheses unchecked, and one that is empty says nothing new.

The area of a number is its mean over the turns: what a belief scored on average while it was held.
Turns before the first hypothesis count as what an empty one scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple

from causarium.contract.turn import Turn
from causarium.scm.dag import mask_of
from causarium.scm.equivalence import class_size
from causarium.scoring.graph_scores import Edge
from ..levels import LabRules
from ..mechanics.lab import Lab, Row
from ..mechanics.resolve_hypothesis import ResolvedHypothesis
from ..model.instance import LabInstance
from ..play.dialog import DialogWorld
from ..play.world import LabWorld
from .grade_hypothesis import Grade, Truth, grade


class Step(NamedTuple):
    """Where things stood after one turn."""

    belief: ResolvedHypothesis | None
    """What was then believed; None before the first hypothesis."""
    used: int
    """How many interventions had been made."""


@dataclass(slots=True)
class History:
    """What happened in an episode."""

    world: LabWorld
    """The world in which its turns were taken again."""
    steps: list[Step] = field(default_factory=list)
    verified_at: int | None = None
    """The number of the turn, from 0, at which a hypothesis was checked against the data."""

    @property
    def lab(self) -> Lab:
        """The lab at the end."""
        return self.world.lab

    @property
    def final(self) -> ResolvedHypothesis | None:
        """What was believed in the end."""
        return self.steps[-1].belief if self.steps else None


def recall(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> History:
    """Go through recorded turns again.

    Raises:
        ContractError: A turn records an action that this family does not have.
    """
    world = (DialogWorld if rules.has_dialogs else LabWorld)(instance, rules)
    history = History(world)
    for number, turn in enumerate(turns[: world.max_turns]):
        if world.lab.submissions_left <= 0:
            break
        world.follow(turn)
        if world.verified and history.verified_at is None:
            history.verified_at = number
        history.steps.append(Step(world.held, world.lab.used))
    return history


_WITH_AREA = ("edge_f1", "shd", "root_f1", "freq_edge_f1", "weight_f1")


class Point(NamedTuple):
    """What was believed after one turn, and how it is graded."""

    turn: int
    """Counted from 1."""
    interventions: int
    """How many had been made."""
    edges: frozenset[Edge]
    """The arrows believed in, in the instance's names."""
    grade: Grade
    numbers: Mapping[str, float]
    """The grade as named numbers."""
    changed: bool
    """Whether this turn brought other arrows or numbers into force."""


def equivalent(instance: LabInstance, rows: Sequence[Row]) -> int:
    """Return the size of the interventional equivalence class after `rows` and the chain."""
    names = instance.public.names
    used = {row.target for row in rows if row.target is not None}
    used |= {names.index(step.property) for step in instance.public.chain if step.property}
    return class_size(instance.secret.mechanism(instance.public).dag, mask_of(used))


def points(instance: LabInstance, rules: LabRules, history: History) -> list[Point]:
    """Return the trajectory of a history."""
    truth = Truth.of(instance, rules)
    held: ResolvedHypothesis | None = None
    graded = grade(None, truth, rules)
    numbers, found = graded.numbers(), []
    for number, step in enumerate(history.steps, 1):
        changed = False
        if step.belief is not None and step.belief is not held:
            changed = not step.belief.agrees_with(held)
            held = step.belief
            graded = grade(held, truth, rules)
            numbers = graded.numbers()
        edges = held.edges if held else frozenset()
        found.append(Point(number, step.used, edges, graded, numbers, changed))
    return found


def areas(found: Sequence[Point], empty: Grade) -> dict[str, float]:
    """Return the areas under some numbers; `empty` is the grade of believing nothing."""
    grades = [point.numbers for point in found] or [empty.numbers()]
    return {f"{name}_area": fmean(one[name] for one in grades) for name in _WITH_AREA}

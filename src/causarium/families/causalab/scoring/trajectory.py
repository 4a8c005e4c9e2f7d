"""The grade of what was believed after each turn, and the area under it.

The area of a number is its mean over the turns: what a belief scored on average while it was held.
Turns before the first hypothesis count as what an empty one scores. An episode without turns has
the area of an empty hypothesis.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from causarium.contract.turn import Turn
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.instance import LabInstance
from causarium.families.causalab.scoring.episode_history import Belief, History, recall
from causarium.families.causalab.scoring.grade_hypothesis import (
    Grade,
    Truth,
    claim_of,
    grade,
    make_empty_claim,
)
from causarium.scoring.graph_scores import Edge


@dataclass(frozen=True, slots=True)
class Point:
    """What was believed after one turn, and how it is graded."""

    turn: int
    """Counted from 1."""
    interventions: int
    """How many had been made."""
    edges: frozenset[Edge]
    """The arrows believed in, in the instance's names."""
    grade: Grade
    changed: bool
    """Whether this turn brought other arrows or numbers into force."""

    @property
    def numbers(self) -> dict[str, float]:
        """The grade as named numbers."""
        return self.grade.numbers()


def trajectory(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> list[Point]:
    """Return the trajectory of recorded turns."""
    return points(instance, rules, recall(instance, rules, turns))


def points(instance: LabInstance, rules: LabRules, history: History) -> list[Point]:
    """Return the trajectory of a history."""
    truth = Truth.of(instance, rules)
    held: Belief | None = None
    graded = grade(make_empty_claim(rules), truth)
    found = []
    for number, step in enumerate(history.steps, 1):
        changed = False
        if step.belief is not None and step.belief is not held:
            changed = not step.belief.agrees_with(held)
            held = step.belief
            graded = grade(claim_of(held.sent, held.resolved, truth, rules), truth)
        edges = held.resolved.edges if held else frozenset()
        found.append(Point(number, step.used, edges, graded, changed))
    return found


def areas(found: Sequence[Point], empty: Grade) -> dict[str, float]:
    """Return the areas under the headline numbers; `empty` is the grade of believing nothing."""
    grades = [point.grade.headline() for point in found] or [empty.headline()]
    return {f"{name}_area": fmean(one[name] for one in grades) for name in grades[0]}

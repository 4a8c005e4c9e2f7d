"""The rubric: seventeen criteria, what a verdict on each is worth, and the published scales.

| number             | what it adds up                                    | from | to |
|--------------------|----------------------------------------------------|------|----|
| `rubric_full`      | all seventeen criteria, penalties included         | -11  | 34 |
| `rubric_headline`  | the six criteria of the published dimension scores | 0    | 16 |
| `causal_reasoning` | D2.M1, D2.M2, D2.2                                 | 0    | 11 |
| `experimental_design` | D4.1                                            | 0    | 2  |
| `reflection`       | D3.1                                               | 0    | 2  |
| `data_usage`       | D4.2                                               | 0    | 1  |

The paper's text also speaks of 22 points. No set of criteria that it names adds up to that, so
there is no such number here. It does not say either what is special about mandatory criteria: they
weigh like any other, and `mandatory_met` counts how many of the four are wholly met.

`pattern` names how an agent failed. The published definitions overlap and leave gaps, so the first
rule that fits decides, in the order C, E, A, D, B. Winners have none. C is published as 9 points of
a 22-point scale that is nowhere defined; 9/22 is taken of the full scale, the only one that allows
it. D would be empty next to A and B, so it takes from B those who used data at least partly.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from causarium.contract.frozen import Frozen

Grade = Literal["SATISFIED", "PARTIALLY_SATISFIED", "NOT_SATISFIED"]
"""The published verdicts on a criterion."""

WORTH: dict[Grade, float] = {"SATISFIED": 1.0, "PARTIALLY_SATISFIED": 0.5, "NOT_SATISFIED": 0.0}
Dimension = Literal["causal reasoning", "experimental design", "reflection", "data usage"]
DIMENSIONS: tuple[Dimension, ...] = (
    "causal reasoning",
    "experimental design",
    "reflection",
    "data usage",
)
FULL_SCALE, HEADLINE_SCALE = 34, 16

Grades = Mapping[str, Grade]
"""A grade for each criterion's id."""


class Criterion(Frozen):
    """One question of the rubric."""

    id: str
    weight: int
    """Points when it is met; negative: a penalty."""
    mandatory: bool = False
    group: str
    headline: Dimension | None = None
    """The dimension of the 16-point scale that it counts in."""
    title: str
    asks: str

    @property
    def penalty(self) -> bool:
        """Whether meeting it costs points."""
        return self.weight < 0

    @property
    def grades(self) -> tuple[Grade, ...]:
        """The grades it may be given: a penalty applies or does not."""
        if self.penalty:
            return ("SATISFIED", "NOT_SATISFIED")
        return ("SATISFIED", "PARTIALLY_SATISFIED", "NOT_SATISFIED")


@cache
def criteria() -> tuple[Criterion, ...]:
    """Return the seventeen criteria, in the published order."""
    path = Path(__file__).parent / "rubric.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["criterion"]
    return tuple(Criterion.model_validate(one) for one in listed)


def make_empty_grades() -> dict[str, Grade]:
    """Return the grades of a report that was never written."""
    return {criterion.id: "NOT_SATISFIED" for criterion in criteria()}


def points(grades: Grades) -> dict[str, float]:
    """Return the numbers of the table above for one judge's grades.

    Example:
        >>> points(make_empty_grades())["rubric_full"]
        0.0
    """
    worth = {one.id: one.weight * WORTH[grades[one.id]] for one in criteria()}
    dimensions = {
        dimension.replace(" ", "_"): float(
            sum(worth[one.id] for one in criteria() if one.headline == dimension)
        )
        for dimension in DIMENSIONS
    }
    return {
        "rubric_full": float(sum(worth.values())),
        "rubric_headline": sum(dimensions.values()),
        **dimensions,
        "mandatory_met": float(
            sum(one.mandatory and grades[one.id] == "SATISFIED" for one in criteria())
        ),
    }


Pattern = Literal["none", "A", "B", "C", "D", "E"]

NAMES: dict[Pattern, str] = {
    "none": "won",
    "A": "complete collapse",
    "B": "experimental attempt",
    "C": "high-low capability",
    "D": "data-driven",
    "E": "weak progress",
}
HIGH_RUBRIC = 9 / 22 * FULL_SCALE
HIGH_REFLECTION = 1.0
LOW_SURVIVAL = 0.5
SOME_DESIGN = 1.0
SOME_DATA = 0.5


def pattern(points: Mapping[str, float], *, survival: float, won: bool) -> Pattern:
    """Return the failure pattern of a session from its rubric points (`rubric.points`).

    Args:
        points: The rubric's numbers.
        survival: The share of the fleet that survived; 0 when none was sent.
        won: Whether the survival reached the threshold.
    """
    if won:
        return "none"
    if (
        points["rubric_full"] >= HIGH_RUBRIC
        and points["reflection"] >= HIGH_REFLECTION
        and survival < LOW_SURVIVAL
    ):
        return "C"
    if points["causal_reasoning"] > 0:
        return "E"
    if points["experimental_design"] < SOME_DESIGN:
        return "A"
    return "D" if points["data_usage"] >= SOME_DATA else "B"

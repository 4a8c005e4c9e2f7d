"""How an agent failed: the five published patterns, made into rules that never overlap.

The published definitions leave gaps and overlap, so they cannot be applied as they stand. These
rules can; the first that fits decides.

| order | pattern | rule |
|---|---|---|
| 1 | none | the mission was won: there is no failure to name |
| 2 | C, high-low capability | `rubric_full` ≥ 13.9 (9/22 of 34), reflection ≥ 1, survival < 50 % |
| 3 | A, complete collapse | causal reasoning = 0 and experimental design < 1 |
| 4 | D, data-driven | causal reasoning = 0, experimental design ≥ 1, data usage ≥ 0.5 |
| 5 | B, experimental attempt | causal reasoning = 0, experimental design ≥ 1, data usage < 0.5 |
| 6 | E, weak progress | causal reasoning > 0, and none of the above |

What was resolved, and how:

* Winners have no pattern. The published classes say nothing of them.
* C is published as 9 points of a 22-point scale that is nowhere defined. Nine of 16 points cannot
  be had without causal reasoning, of which C is said to have next to none, so the share 9/22 is
  taken of the full scale, the only published one on which C is possible.
* C comes first, since a C without causal reasoning would otherwise be an A, a B or a D.
* A and B together take every session without causal reasoning. D, published as "lacks causal
  reasoning but uses data", would then be empty; so it takes from B those whose data usage is at
  least partly met. It takes nothing from A, whose rule is in numbers.
* E is published in words alone. It takes all that lost in spite of some causal reasoning, so that
  every lost session has exactly one pattern.
* A session without a submission has lost, with nothing survived.
"""

from collections.abc import Mapping
from typing import Literal

from causarium.families.causalgame.scoring.published.rubric import FULL_SCALE

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

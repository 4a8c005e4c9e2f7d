"""Everything that is known after each turn of an episode, as named numbers."""

from collections.abc import Sequence
from math import nan

from causarium.contract.turn import Turn
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.instance import LabInstance
from causarium.families.causalab.scoring.ambiguity import Ambiguity, ambiguity
from causarium.families.causalab.scoring.trajectory import trajectory


def compute_turn_numbers(
    instance: LabInstance, rules: LabRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return the grade of what was believed after each turn, and what was then still open."""
    _, *still_open = ambiguity(instance, rules, turns)
    return [
        {"interventions": float(point.interventions), **point.numbers, **_counts(left)}
        for point, left in zip(trajectory(instance, rules, turns), still_open, strict=True)
    ]


def _counts(left: Ambiguity) -> dict[str, float]:
    counts = {
        "equivalent": left.equivalent,
        "equivalent_told": left.equivalent_told,
        "consistent": left.consistent,
        "consistent_loosely": left.consistent_loosely,
    }
    return {name: nan if count is None else float(count) for name, count in counts.items()}

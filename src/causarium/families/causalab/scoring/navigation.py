"""What the way to the devices costs: steps that are science, and steps that are walking.

A step is a turn in which an action could be read, refused or not: who runs against a wall has
taken a step. Walking is whatever gets an agent somewhere or changes its hands; science is talking
to a device, choosing, entering a value and reading.
"""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.families.causalab.actions import WALKS
from causarium.families.causalab.config import LabRules


def count_steps(rules: LabRules, turns: Sequence[Turn]) -> dict[str, float]:
    """Return how many steps were science and how many were walking; nothing where nobody walks."""
    if not rules.has_dialogs:
        return {}
    kinds = [turn.action.get("kind") for turn in turns if turn.action is not None]
    walking = sum(kind in WALKS for kind in kinds)
    return {"science_steps": float(len(kinds) - walking), "walking_steps": float(walking)}


def label_navigation(steps: dict[str, float]) -> dict[str, str]:
    """Return how much of the way was walking, as a label; none where nobody walks."""
    taken = sum(steps.values())
    if not taken:
        return {}
    share = steps["walking_steps"] / taken
    if share < 1 / 4:
        return {"navigation": "under a quarter of the steps"}
    return {"navigation": "up to half the steps" if share <= 1 / 2 else "over half the steps"}

"""The verdict on one case, from the instance and the recorded turns alone."""

from collections.abc import Sequence
from math import nan

from causarium.contract.episode import Turn
from causarium.contract.verdict import Verdict
from causarium.families.causallink.answer import ERROR_MODES
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.instance import ACTIONS, LinkInstance
from causarium.families.causallink.world import LinkWorld

METRICS = {
    "accuracy": "1 for the right answer; 0 for a wrong one, and where there is none.",
    "accuracy_true": "Accuracy on questions whose answer is yes.",
    "accuracy_false": "Accuracy on questions whose answer is no.",
    "interventions": "How many interventions were carried out.",
    "steps": "The published step counter; without its quirk, the interventions that were counted.",
    **{mode.replace(" ", "_"): f"1 if the case is filed under {mode}." for mode in ERROR_MODES},
}
"""Every number of a verdict, with a sentence on what it says."""


def play_again(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> LinkWorld:
    """Return a world in which the recorded turns were played again."""
    world = LinkWorld(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    return world


def score(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> Verdict:
    """Score one case."""
    world = play_again(instance, rules, turns)
    truth = instance.secret.truth
    right = float(world.answer == ("yes" if truth else "no"))
    numbers = {
        "accuracy": right,
        "accuracy_true": right if truth else nan,
        "accuracy_false": nan if truth else right,
        "interventions": float(len(world.steps)),
        "steps": float(world.requests if rules.uncounted_first_step else world.spent),
        **{mode.replace(" ", "_"): float(world.error == mode) for mode in ERROR_MODES},
    }
    return Verdict(numbers=numbers, labels={"error": world.error or "none"}, answer=world.answer)

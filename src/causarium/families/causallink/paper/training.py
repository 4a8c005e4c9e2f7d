"""What a trainer may ask of CausalLink beyond the verdict."""

from collections.abc import Sequence

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from .evidence import Case, judge
from .model.instance import LinkInstance, LinkPublic, LinkSecret
from .model.rules import LinkRules
from .scoring import replay


def progress(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> float:
    """Return 1 as soon as the evidence determines the answer, and 0 before."""
    world = replay(instance, rules, turns)
    return float(judge(Case.of(instance, world.steps)).since is not None)


TRAINING: Training[LinkPublic, LinkSecret, LinkRules] = Training(progress=progress)

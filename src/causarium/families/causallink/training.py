"""What a trainer may ask of CausalLink beyond the verdict."""

from collections.abc import Sequence

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from .evidence.diagnosis import Case, judge
from .model.instance import LinkInstance, LinkPublic, LinkSecret
from .play.world import LogWorld
from .scoring import replay, weigh_run
from .shared.rules import LinkRules


def progress(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> float:
    """Return how far a case has come, from 0 to 1.

    On graphs it is 1 as soon as the evidence determines the answer; on logs it is the share
    of the worlds that fit the log in which the run is decisive.
    """
    world = replay(instance, rules, turns)
    if isinstance(world, LogWorld):
        return weigh_run(instance, world.run)[0]
    return float(judge(Case.of(instance, world.steps)).since is not None)


TRAINING: Training[LinkPublic, LinkSecret, LinkRules] = Training(progress=progress)

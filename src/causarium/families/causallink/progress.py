"""How far a case has come: whether what was seen leaves one answer."""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.diagnosis import judge
from causarium.families.causallink.instance import LinkInstance
from causarium.families.causallink.score import describe_case, replay_turns


def progress(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> float:
    """Return 1 where the evidence determines the answer, and 0 before."""
    world = replay_turns(instance, rules, turns)
    return float(judge(describe_case(instance, world)).since is not None)

"""What a session earns, from the instance and the recorded turns alone."""

from collections.abc import Sequence
from math import nan

from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import AnyGame, by_edition
from causarium.families.causalgame.scoring.expeditions import (
    EXPEDITION_METRICS,
    score_expedition,
)
from causarium.families.causalgame.scoring.published.score import PUBLISHED_METRICS, score_session

METRICS = {**PUBLISHED_METRICS, **EXPEDITION_METRICS, "win": PUBLISHED_METRICS["win"]}
"""Every number of a verdict, with a sentence on what it says."""
_score_edition = by_edition(score_session, score_expedition)


def score(instance: AnyGame, rules: GameRules, turns: Sequence[Turn]) -> Verdict:
    """Score one session or expedition, without a judge.

    Args:
        instance: What was played.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    verdict = _score_edition(instance, rules, turns)
    return verdict.model_copy(
        update={"numbers": {**dict.fromkeys(METRICS, nan), **verdict.numbers}}
    )

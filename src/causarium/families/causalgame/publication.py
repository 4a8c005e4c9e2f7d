"""The paper's numbers that run over the turns of a session."""

from collections.abc import Sequence

from causarium.contract.companions import Publication
from causarium.contract.turn import Turn
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import (
    AnyGame,
    AnyPublic,
    AnySecret,
    GameSecret,
)
from causarium.families.causalgame.scoring.published.ideas import beliefs
from causarium.families.causalgame.scoring.published.score import distances


def follow_distance(
    instance: AnyGame, rules: GameRules, turns: Sequence[Turn]
) -> dict[str, Sequence[float]]:
    """Return how far the claims held are from the right ones, after each turn.

    Args:
        instance: A session of a published game; of others there is no such distance.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    if not rules.claims or not isinstance(instance.secret, GameSecret):
        return {}
    return {"claim_distance": distances(instance.secret.game, list(beliefs(turns)))}


PUBLICATION: Publication[AnyPublic, AnySecret] = Publication(follow_turns=follow_distance)

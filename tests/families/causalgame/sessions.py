"""Whole sessions for tests: what an agent did, as recorded turns."""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.contract.world import Action
from causarium.families.causalgame.paper.model.actions import (
    Believe,
    Claim,
    Deploy,
    Report,
    Status,
    Submit,
)
from causarium.families.causalgame.paper.model.game import Design, Game
from causarium.families.causalgame.paper.model.instance import GameInstance
from causarium.families.causalgame.paper.model.rules import GameRules
from causarium.families.causalgame.paper.play.world import GameWorld
from tests.families.causalgame.made import WHY, session, sound

Played = tuple[GameInstance, GameRules, list[Turn]]


def acted(instance: GameInstance, rules: GameRules, actions: Sequence[Action]) -> list[Turn]:
    world = GameWorld(instance, rules)
    turns = []
    for action in actions:
        seen = world.act(action)
        turns.append(
            Turn(action=action.record(), observation=seen.text, legal=seen.legal, cost=seen.cost)
        )
    return turns


def played(
    design: Design | None = None,
    *,
    game: Game | None = None,
    claims: tuple[Claim, ...] = (),
    report: str = "It was the antenna.",
    submits: bool = True,
    **rules: object,
) -> Played:
    """Test the standard design, state claims, submit `design` and report."""
    game = game or sound()
    instance, conduct = session(game), GameRules(**rules)
    chosen = design or game.best
    actions: list[Action] = [
        Status(thought=WHY),
        Deploy(thought="Start from the standard design.", count=20),
        Believe(thought=WHY, claims=claims),
    ]
    if submits:
        actions.append(
            Submit(thought=WHY, design=dict(chosen.armour), equipment=dict(chosen.equipment))
        )
    if submits and report:
        actions.append(Report(text=report))
    return instance, conduct, acted(instance, conduct, actions)

"""One session as a replay shows it: the game's true graph, and the claims held after each turn."""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import GameInstance
from causarium.families.causalgame.model.published.claims import Claim, sentence
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.scoring.published.claims.claim_truth import truth
from causarium.families.causalgame.scoring.published.replayed_session import Recalled, recall
from causarium.families.causalgame.views.published.game_graph_chart import select_shown_graph
from causarium.families.causalgame.views.published.step_words import StepWords

_RIGHT = {"true": True, "false": False}


def stage_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay of a session shows after each turn.

    Args:
        instance: The session.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    recalled, game = recall(instance, rules, turns), instance.secret.game
    nodes, edges = select_shown_graph(game)
    scenes = [Scene()]
    for number, held in enumerate(recalled.beliefs, 1):
        lines = tuple(_line(game, claim) for claim in held)
        scenes.append(Scene(lines=lines, note=_note(recalled, number)))
    graph = Graph(nodes=tuple(nodes), edges=tuple(edges))
    return ReplayScene(
        question=f"Which design survives? At least {game.threshold:.0%} of the fleet must.",
        steps=list_turn_steps(turns, scenes, StepWords().describe),
        truth=graph,
        scenes=tuple(scenes),
        column="claimed",
    )


def _line(game: Game, claim: Claim) -> Line:
    found = truth(game, claim)
    return Line(
        name=claim.__class__.__name__.lower(),
        believed=sentence(claim),
        true=found,
        right=_RIGHT.get(found),
    )


def _note(recalled: Recalled, number: int) -> str:
    said = [
        f"{batch.survived} of {batch.deployed} came back."
        for turn, batch in recalled.batches
        if turn == number
    ]
    if recalled.result is not None and recalled.submitted_at == number:
        how = "won" if recalled.result.won else "lost"
        said.append(f"{recalled.result.survived} of {recalled.result.fleet} survived: {how}.")
    return " ".join(said)

"""One session as a replay shows it: the game's true graph, and the claims held after each turn."""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.families.causalgame.charts.game_graph_chart import select_shown_graph
from causarium.families.causalgame.charts.pair_charts import true_edges
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import (
    AnyGame,
    GameInstance,
    TwinInstance,
    as_session,
    is_twin,
)
from causarium.families.causalgame.interface.claims import Claim, sentence
from causarium.families.causalgame.interface.missions import Mission
from causarium.families.causalgame.interface.step_words import StepWords
from causarium.families.causalgame.mechanics.game import Game
from causarium.families.causalgame.scoring.claims.claim_truth import truth
from causarium.families.causalgame.scoring.replayed_pair import replay_pair
from causarium.families.causalgame.scoring.replayed_session import Recalled, recall

_RIGHT = {"true": True, "false": False}


def make_scenes(instance: AnyGame, rules: GameRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    if is_twin(instance):
        return _stage_pair(instance, rules, turns)
    return _stage_session(as_session(instance), rules, turns)


def _stage_pair(instance: TwinInstance, rules: GameRules, turns: Sequence[Turn]) -> ReplayScene:
    edges = true_edges(instance)
    nodes = tuple(dict.fromkeys(name for edge in edges for name in edge))
    pair = replay_pair(instance, rules, turns)
    notes = {
        number: f"Mission {mission + 1}: {deployment.returned} of {deployment.ordered} came back."
        for number, mission, deployment in pair.deployments
    }
    scenes = [Scene(note=notes.get(number, "")) for number in range(len(turns) + 1)]
    return ReplayScene(
        question="Which design brings the fleet back in each of two missions? "
        f"At least {instance.public.threshold:.1%} must survive.".replace("%", " %"),
        outcome=_tell_pair(pair.world.missions),
        steps=list_turn_steps(turns, scenes, StepWords().describe),
        truth=Graph(nodes=nodes, edges=tuple(edges)),
        scenes=tuple(scenes),
    )


def _tell_pair(missions: Sequence[Mission]) -> str:
    words = [
        "nothing sent"
        if mission.survival is None
        else f"{mission.survival * 100:.0f} % {'✓' if mission.won else '✗'}"
        for mission in missions
    ]
    return "; ".join(f"mission {number} {text}" for number, text in enumerate(words, 1))


def _stage_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> ReplayScene:
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

"""One session as a replay shows it: the game's true graph, and the claims held after each turn."""

from collections.abc import Mapping, Sequence
from typing import Any

from causarium.contract.turn import Turn
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import GameInstance
from causarium.families.causalgame.model.published.claims import Claim, sentence
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.scoring.published.claims import truth
from causarium.families.causalgame.scoring.published.score import Recalled, recall
from causarium.families.causalgame.views.published.game_graph_chart import select_shown_graph

MOST_LETTERS = 200
_PLAIN = {
    "status": "Looked at how things stand.",
    "history": "Read the flights so far.",
    "action_space": "Asked what can be built.",
    "run_analysis": "Ran a program over the flights.",
    "play_program": "Played by a program.",
    "believe": "Stated what it believes.",
}
_QUOTED = {
    "report": ("Explained it", "text"),
    "query": ("Asked", "question"),
}


class StepWords:
    """Describes actions one after the other, so that a design is told by its changes."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}

    def describe(self, action: Mapping[str, Any]) -> str:
        """Say what an action does, given its fields."""
        kind = str(action.get("kind", ""))
        if kind == "deploy":
            count = action.get("count", 1)
            noun = "drone" if count == 1 else "drones"
            return f"Tested {count} {noun}: {self._tell_design(action)}."
        if kind == "submit":
            return f"Sent the fleet: {self._tell_design(action)}."
        quoted = _QUOTED.get(kind)
        if quoted:
            return f"{quoted[0]}: {_quote(action.get(quoted[1]))}"
        return _PLAIN.get(kind, f"{kind.replace('_', ' ').capitalize()}.")

    def _tell_design(self, action: Mapping[str, Any]) -> str:
        parts = {**(action.get("design") or {}), **(action.get("equipment") or {})}
        design = {str(n): str(value).replace("_", " ") for n, value in parts.items()}
        last, self._last = self._last, design
        if not design:
            return "the standard design"
        if not last:
            return ", ".join(f"{name} {value}" for name, value in design.items())
        changes = [
            f"{name} {last.get(name, 'as standard')} → {design.get(name, 'as standard')}"
            for name in dict.fromkeys([*design, *last])
            if design.get(name) != last.get(name)
        ]
        return ", ".join(changes) if changes else "the same design again"


def _quote(text: object) -> str:
    words = " ".join(str(text or "").split())
    if not words:
        return "without words."
    return f"“{words if len(words) <= MOST_LETTERS else words[: MOST_LETTERS - 1] + '…'}”"


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

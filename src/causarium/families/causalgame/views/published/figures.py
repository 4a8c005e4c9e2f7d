"""One session as a picture and as a replay: designs, beliefs over turns, the game's true graph.

Only what matters of the graph is drawn: what lies between is passed over (arrows lead through it),
and the weight of armour, through which every lever acts a little, is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from causarium.charts.axes import Frame, draw_column_names, draw_mark, draw_y_axis, shorten
from causarium.charts.causal_graph import Kind, NodeLook, draw_graph, find_reach
from causarium.charts.layout import lay_out
from causarium.charts.palette import ACCENT, BAD, GOOD, INK, SOFT, WARN
from causarium.charts.svg import Point, line, make_svg, polyline, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.families.causalgame.model.actions import Claim, sentence
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import GameInstance
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.scoring.published.claims import truth
from causarium.families.causalgame.scoring.published.ideas import ideas
from causarium.families.causalgame.scoring.published.judge import chain
from causarium.families.causalgame.scoring.published.score import (
    Recalled,
    compute_survival,
    describe_design,
    distances,
    landmarks,
    recall,
)
from causarium.scoring.graph_scores import Edge
from causarium.scoring.intervals import wilson_interval

_MARGIN, _LEFT, _RIGHT_OF_FRAME = 28.0, 46.0, 168.0
_NODE_WIDTH, _MOST_BESIDE = 116.0, 6
_LEAST_WIDTH, _LEAST_GAP, _LINE_HEIGHT = 900.0, 13.0, 17.0
_MOST_LISTED, _MOST_CHARS = 12, 136


def select_shown_graph(game: Game) -> tuple[list[str], list[Edge]]:
    """Return the nodes and arrows that are drawn of a game's graph."""
    on_chain = set(chain(game))
    weight = {one.name for one in game.variables if one.key == "agility"}
    levers = {one.name for one in game.variables if one.role == "lever"}
    names = {one.key: one.name for one in game.variables}
    pairs = {(names[key], one.name) for one in game.variables for key in one.parents}
    edges = {(a, b) for a, b in pairs if not {a, b} & weight and b not in levers}
    for one in game.variables:
        if one.role == "mediator" and one.name not in weight | on_chain:
            edges = _pass_over_node(edges, one.name)
    used = {name for edge in edges for name in edge}
    return [one.name for one in game.variables if one.name in used], sorted(edges)


def _pass_over_node(edges: set[Edge], name: str) -> set[Edge]:
    """Return the arrows with those into a node led on to where its own arrows go."""
    into = [a for a, b in edges if b == name]
    out = [b for a, b in edges if a == name]
    kept = {edge for edge in edges if name not in edge}
    return kept | {(a, b) for a in into for b in out}


def trap_levers(game: Game) -> set[str]:
    """Return the levers and slots that the trap moves away from the standard design."""
    armour = {
        f"{name}_def"
        for name, points in game.trap.armour.items()
        if points > game.default.get(name, 0)
    }
    fitted = {
        slot.name
        for slot in game.slots
        if game.trap.equipment.get(slot.name, slot.default) != slot.default
    }
    return {one.name for one in game.variables if one.key in armour | fitted}


def draw_true_graph(game: Game) -> tuple[str, float, float]:
    """Return the drawing of a game's graph, its width and its height."""
    nodes, edges = select_shown_graph(game)
    links, traps = set(pairwise(chain(game))), trap_levers(game)
    layout = lay_out(nodes, edges, lowest="survived", node_width=_NODE_WIDTH, most=_MOST_BESIDE)
    # All that is not on the decisive chain is thin, and lies beneath it.
    kinds: dict[Edge, Kind] = {edge: "matched" if edge in links else "missing" for edge in edges}
    looks = {
        name: NodeLook(
            filled=name == "survived",
            ringed=game.variable(name).sight != "visible",
            frame=WARN if name in traps else "",
        )
        for name in nodes
    }
    reach = find_reach(layout, kinds)
    drawn = draw_graph(layout, kinds, looks=looks)
    body = tag("g", drawn, transform=f"translate({reach.left + 8:.1f} {reach.top + 8:.1f})")
    wide, high = layout.width + reach.left + reach.right, layout.height + reach.top + reach.bottom
    return body, wide + 16, high + 16


def _make_frame(width: float, height: float, most: float) -> Frame:
    return Frame(_LEFT, 22.0, width - _LEFT - _RIGHT_OF_FRAME, height, y_range=(0.0, most))


def _draw_survival(game: Game, recalled: Recalled, turns: int, width: float) -> tuple[str, float]:
    """Draw the survival of every design tried, between the standard design and the optimum."""
    frame, marks = _make_frame(width, 230.0, 1.0), landmarks(game)
    body = [draw_y_axis(frame, (0.0, 0.25, 0.5, 0.75, 1.0), title="Survival of the designs tried")]
    named = [
        (marks.best, f"optimum {marks.best:.1%}", GOOD, ""),
        (game.threshold, f"threshold {game.threshold:.0%}", BAD, "7 4"),
        (marks.default, f"standard {marks.default:.1%}", SOFT, "2 3"),
    ]
    last = -_LEAST_GAP
    for value, said, colour, dash in sorted(named, key=lambda one: -one[0]):
        y = frame.y(value)
        last = max(y + 4, last + _LEAST_GAP)
        body.append(line((_LEFT, y), (frame.right, y), stroke=colour, width=1.4, dash=dash))
        body.append(text((frame.right + 10, last), said, size=11.5, fill=colour))
    for number, batch in recalled.batches:
        seen = wilson_interval(min(batch.survived, batch.deployed), batch.deployed)
        x, usual = frame.column(number - 1, turns), frame.y(compute_survival(game, batch.design))
        body.append(line((x, frame.y(seen.low)), (x, frame.y(seen.high)), stroke=ACCENT))
        body.append(line((x - 9, usual), (x + 9, usual), stroke=GOOD, width=2.2))
        radius = 3 + batch.deployed / 15
        body.append(draw_mark((x, frame.y(seen.value)), colour=ACCENT, radius=radius))
    if recalled.result is not None and recalled.submitted_at is not None:
        at = frame.column(recalled.submitted_at - 1, turns), frame.y(recalled.result.rate)
        body.append(draw_mark(at, colour=WARN, shape="square", radius=7))
        said = f"fleet {recalled.result.rate:.1%}"
        body.append(text((at[0], at[1] + 22), said, size=11, fill=WARN, anchor="middle"))
    return "".join([*body, _name_turns(frame, turns)]), frame.bottom + 34


def _draw_distance(found: Sequence[int], worst: int, width: float) -> tuple[str, float]:
    """Draw the distance of the claims held from the truth after each turn."""
    frame = _make_frame(width, 96.0, max(1, worst))
    title = "Distance of the claims from the truth"
    body = [draw_y_axis(frame, sorted({0, worst // 2, worst}), title=title)]
    steps: list[Point] = []
    for turn, distance in enumerate(found):
        y = frame.y(distance)
        steps += [(frame.column(turn + side, len(found)), y) for side in (-0.5, 0.5)]
    if steps:
        body.append(polyline(steps, stroke=INK, width=2))
        said = f"{found[-1]} of at most {worst} in the end"
        body.append(text((frame.right + 10, frame.y(found[-1]) + 4), said, size=11.5))
    return "".join([*body, _name_turns(frame, len(found))]), frame.bottom + 34


def _name_turns(frame: Frame, turns: int) -> str:
    """Draw the numbers of the turns, as many as there is room for."""
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 10**9) if turns <= 20 * n)
    numbers = range(1, turns + 1)
    names = [str(turn) if turn == 1 or turn % every == 0 else "" for turn in numbers]
    title = text((_LEFT - 8, frame.bottom + 16), "turn", size=11, fill=SOFT, anchor="end")
    return title + draw_column_names(frame, names)


def draw_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> Figure:
    """Draw one session of a published game.

    Args:
        instance: The session.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    recalled, game = recall(instance, rules, turns), instance.secret.game
    graph, graph_width, graph_height = draw_true_graph(game)
    width = max(_LEAST_WIDTH, graph_width + 2 * _MARGIN)
    inner = width - 2 * _MARGIN
    body, y = [_heading(instance, recalled)], 74.0
    panels = [_draw_survival(game, recalled, len(turns), inner), _list_designs(game, recalled)]
    if rules.claims:
        panels.append(_draw_distance(distances(game, recalled.beliefs), len(ideas(game)), inner))
    for panel, height in panels:
        body.append(tag("g", panel, transform=f"translate({_MARGIN:.0f} {y:.1f})"))
        y += height + 14
    levers = ", ".join(sorted(trap_levers(game)))
    head = f"What really happens (the trap: {levers})" if levers else "What really happens"
    body.append(text((_MARGIN + 6, y + 10), head, size=13, weight="600"))
    shift = (width - graph_width) / 2
    body.append(tag("g", graph, transform=f"translate({shift:.1f} {y + 34:.1f})"))
    title = f"{instance.id}, turn by turn"
    about, height = _describe_session(recalled), y + graph_height + 60
    return Figure(
        title=title,
        svg=make_svg(width, height, "".join(body), title=title, about=about),
        caption="Discs are test flights as the agent saw them, with 95 % intervals, larger for "
        "more drones; green bars are what such designs survive on average at evaluation, the "
        "square is the fleet. Below, the game's true graph: the decisive chain in blue, the trap "
        "framed in red, and with a dashed ring what is not seen from the start.",
    )


def _heading(instance: GameInstance, recalled: Recalled) -> str:
    game, result = instance.secret.game, recalled.result
    head = text((_MARGIN, 34), f"{game.name} ({instance.id})", size=17, weight="600")
    if result is None:
        said = "nothing was submitted"
    else:
        how = "won" if result.won else "lost"
        said = f"{result.survived} of {result.fleet} survived: {how}"
    used = recalled.session.drones_used
    about = f"deployments: {len(recalled.batches)}; test drones: {used}; {said}"
    return head + text((_MARGIN, 54), about, size=12.5, fill=SOFT)


def _list_designs(game: Game, recalled: Recalled) -> tuple[str, float]:
    lines = list(_describe_batches(game, recalled))
    if len(lines) > _MOST_LISTED:
        left = len(lines) - _MOST_LISTED + 1
        lines = [*lines[: _MOST_LISTED - 2], f"and {left} more", lines[-1]]
    body = [
        text((6, 10 + _LINE_HEIGHT * number), shorten(said, _MOST_CHARS), size=11.5, fill=SOFT)
        for number, said in enumerate(lines)
    ]
    return "".join(body), _LINE_HEIGHT * len(lines) + 6


def _describe_batches(game: Game, recalled: Recalled) -> Iterator[str]:
    for number, batch in recalled.batches:
        usual = compute_survival(game, batch.design)
        yield (
            f"turn {number}: {batch.survived} of {batch.deployed} came back (on average at "
            f"evaluation {usual:.1%}): {describe_design(game, batch.design)}"
        )
    if recalled.result is not None:
        usual, design = compute_survival(game, recalled.result.design), recalled.result.design
        yield f"submitted (on average {usual:.1%}): {describe_design(game, design)}"


def _describe_session(recalled: Recalled) -> str:
    result = recalled.result
    rates = ", ".join(f"{b.survived} of {b.deployed}" for _, b in recalled.batches)
    tests = f"Test flights that came back: {rates or 'none were flown'}."
    fleet = "No fleet was sent." if result is None else f"Of the fleet {result.rate:.1%} survived."
    return f"{tests} {fleet}"


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

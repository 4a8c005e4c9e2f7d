"""Paper edition: one session as a picture, as a replay, and as a board for people.

Only what matters of the graph is drawn: what lies between is passed over (arrows lead through it),
and the weight of armour, through which every lever acts a little, is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

from causarium.charts.axes import Frame, draw_column_names, draw_mark, draw_y_axis, shorten
from causarium.charts.causal_graph import Kind, NodeLook, draw_graph, find_reach
from causarium.charts.layout import lay_out
from causarium.charts.palette import ACCENT, BAD, GOOD, INK, SOFT, WARN
from causarium.charts.svg import Point, line, make_svg, polyline, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.play_page import Board, Draft, Exchange, Meter, Problem, read_whole
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.contract.world import Action
from causarium.scoring.graph_scores import Edge
from causarium.scoring.intervals import wilson_interval
from ..model.actions import (
    MOST_QUESTION_CHARS,
    Claim,
    Deploy,
    Query,
    Report,
    Submit,
    sentence,
)
from ..model.game import Game
from ..model.instance import Flight, GameInstance, GamePublic
from ..model.rules import GameRules
from ..play.wording import flight_table
from ..scoring.claims import ideas, truth
from ..scoring.judge import chain
from ..scoring.score import (
    Recalled,
    compute_survival,
    describe_design,
    distances,
    landmarks,
    recall,
)

_MARGIN, _LEFT, _RIGHT_OF_FRAME = 28.0, 46.0, 168.0
_NODE_WIDTH, _MOST_BESIDE = 116.0, 6
_LEAST_WIDTH, _LEAST_GAP, _LINE_HEIGHT = 900.0, 13.0, 17.0
_MOST_LISTED, _MOST_CHARS = 12, 136


def select_shown_graph(game: Game) -> tuple[list[str], list[Edge]]:
    """Return the nodes and arrows that are drawn of a game's graph."""
    on_chain = set(chain(game))
    weight = {"agility"}
    levers = {one.name for one in game.variables if one.role == "lever"}
    pairs = {(cause, one.name) for one in game.variables for cause in one.parents}
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
    return armour | fitted


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
    """Draw one session of a published game."""
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
_QUOTED = {"report": ("Explained it", "text"), "query": ("Asked", "question")}


class StepWords:
    """Describes actions one after the other, so that a design is described by its changes."""

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
    return f"“{shorten(words, MOST_LETTERS)}”" if words else "without words."


_RIGHT = {"true": True, "false": False}


def stage_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay of a session shows after each turn."""
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


def lay_out_session(public: GamePublic, _rules: GameRules, exchanges: Sequence[Exchange]) -> Board:
    """Return how a session stands."""
    submitted = next((one for one in exchanges if isinstance(one.move, Submit)), None)
    share = f"{100 * public.threshold:.0f} %"
    asked = f"Design a drone so that at least {share} of the fleet returns."
    return Board(
        question=asked if submitted is None else "The fleet has flown.",
        meters=_count_left(public, exchanges) if submitted is None else (),
        view={
            "phase": "explore" if submitted is None else "report",
            "edition": "paper",
            "parts": [
                {
                    "name": component.name,
                    "standard": component.default,
                    "low": public.lowest,
                    "high": public.highest,
                }
                for component in public.components
            ],
            "total": public.total,
            "slots": [
                {
                    "name": slot.name,
                    "options": [{"name": o.name, "about": o.blurb} for o in slot.options],
                }
                for slot in public.slots
            ],
            "standard_options": {slot.name: slot.default for slot in public.slots},
            "most": public.budget.per_deployment,
            "tests": [*_tell_history(public.history), *_list_tests(exchanges)],
            "needed": public.threshold,
            "results": submitted.seen.text.partition("\n\n")[0] if submitted else "",
            "commit_words": "Send the whole fleet",
            "can_query": public.queries_answered,
            "replies": [
                (exchange.move.question, exchange.seen.text)
                for exchange in exchanges
                if isinstance(exchange.move, Query)
            ],
        },
    )


def _count_left(public: GamePublic, exchanges: Sequence[Exchange]) -> tuple[Meter, ...]:
    budget = public.budget
    tests = [exchange for exchange in exchanges if isinstance(exchange.move, Deploy)]
    sent = sum(test.seen.cost for test in tests)
    asked = sum(isinstance(exchange.move, Query) for exchange in exchanges)
    meters = [
        Meter(left=budget.deployments - len(tests), of=budget.deployments, unit="tests"),
        Meter(left=budget.drones - sent, of=budget.drones, unit="drones"),
    ]
    if public.queries_answered:
        meters.append(Meter(left=budget.queries - asked, of=budget.queries, unit="questions"))
    return tuple(meters)


def _tell_history(history: Sequence[Flight]) -> list[dict[str, Any]]:
    if not history:
        return []
    home = sum(flight.status == "RETURNED" for flight in history)
    return [
        {
            "title": "records",
            "changed": "see each flight",
            "home": home,
            "sent": None,
            "share": None,
            "text": flight_table(history),
        }
    ]


def _list_tests(exchanges: Sequence[Exchange]) -> list[dict[str, Any]]:
    tests: list[dict[str, Any]] = []
    for one in exchanges:
        if not isinstance(one.move, Deploy):
            continue
        home = cast("int", one.seen.data["survived"])
        sent = cast("int", one.seen.data["deployed"])
        interval = wilson_interval(home, sent)
        design = ", ".join(
            [
                *(f"{name} {points}" for name, points in one.move.design.items()),
                *(f"{name} {choice}" for name, choice in one.move.equipment.items()),
            ]
        )
        tests.append(
            {
                "title": f"test {len(tests) + 1}",
                "changed": design,
                "home": home,
                "sent": sent,
                "share": home / sent,
                "low": interval.low,
                "high": interval.high,
                "text": one.seen.text,
            }
        )
    return tests


NOT_GIVEN = "not given"
"""Stands in the log where a person gave no reason: agents must, people need not."""
MOST_REPORT = 20_000


def read_session_draft(
    public: GamePublic, _rules: GameRules, _exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the move that was entered, or what is wrong with it."""
    kind = draft.get("kind", "")
    if kind in {"test", "commit"}:
        return _read_fly(public, draft)
    if kind == "question":
        return _read_query(draft)
    if kind == "explain":
        return Report(text=_read_words(draft, "text"))
    return (Problem(field="", words="There is no such move here."),)


def _read_design(
    public: GamePublic, draft: Draft, problems: list[Problem]
) -> tuple[dict[str, int], dict[str, str | bool]]:
    """Return armour by part and the options chosen; what is wrong is added to `problems`."""
    low, high = public.lowest, public.highest
    options = {slot.name: tuple(o.name for o in slot.options) for slot in public.slots}
    armour: dict[str, int] = {}
    for name in public.names:
        points = read_whole(draft, f"part {name}", what=name)
        if isinstance(points, Problem):
            problems.append(points)
        elif not low <= points <= high:
            words = f"{name} is {points}; it lies between {low} and {high}."
            problems.append(Problem(field=f"part {name}", words=words))
        else:
            armour[name] = points
    if sum(armour.values()) > public.total:
        over = sum(armour.values()) - public.total
        problems.append(Problem(field="total", words=f"{over} points over the budget."))
    equipment: dict[str, str | bool] = {}
    for name, values in options.items():
        choice = draft.get(f"slot {name}", values[0])
        if choice not in values:
            problems.append(Problem(field=f"slot {name}", words=f"Choose one for {name}."))
        equipment[name] = choice
    return armour, equipment


def _read_count(public: GamePublic, draft: Draft, problems: list[Problem]) -> int:
    count, most = read_whole(draft, "count", what="the drones"), public.budget.per_deployment
    if isinstance(count, Problem):
        problems.append(count)
        return 0
    if not 1 <= count <= most:
        problems.append(Problem(field="count", words=f"Send 1 to {most} drones at a time."))
    return count


def _read_words(draft: Draft, field: str) -> str:
    return draft.get(field, "").strip()[:MOST_REPORT] or NOT_GIVEN


def _read_fly(public: GamePublic, draft: Draft) -> Action | tuple[Problem, ...]:
    problems: list[Problem] = []
    armour, equipment = _read_design(public, draft, problems)
    thought = _read_words(draft, "thought")
    if draft.get("kind") == "commit":
        move: Action = Submit(design=armour, equipment=equipment, thought=thought)
    else:
        count = _read_count(public, draft, problems)
        move = Deploy(design=armour, equipment=equipment, count=count, thought=thought)
    return tuple(problems) or move


def _read_query(draft: Draft) -> Action | tuple[Problem, ...]:
    question = draft.get("question", "").strip()
    if not question or len(question) > MOST_QUESTION_CHARS:
        words = f"Ask in 1 to {MOST_QUESTION_CHARS} characters."
        return (Problem(field="question", words=words),)
    return Query(question=question, thought=_read_words(draft, "thought"))

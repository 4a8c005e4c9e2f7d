"""One session as a picture: designs over turns, beliefs over turns, and the game's true graph."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from causarium.charts.palette import ACCENT, BAD, FAINT, GOOD, INK, PAPER, SOFT, WARN
from causarium.charts.svg import Point, line, make_svg, polyline, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import GameInstance
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.scoring.published.ideas import ideas
from causarium.families.causalgame.scoring.published.score import (
    Landmarks,
    Recalled,
    compute_survival,
    describe_design,
    distances,
    landmarks,
    recall,
)
from causarium.families.causalgame.views.published.game_graph_chart import (
    draw_legend,
    draw_true_graph,
    trap_levers,
)
from causarium.scoring.intervals import wilson_interval

LEFT, RIGHT = 46.0, 168.0
_SURVIVAL, _DISTANCE = 230.0, 96.0
SEEN, TRUE, SENT = ACCENT, GOOD, WARN
_LEAST_GAP = 13.0


@dataclass(frozen=True, slots=True)
class Frame:
    """Where turns and values lie on paper."""

    width: float
    top: float
    height: float
    turns: int
    most: float

    def x(self, turn: float) -> float:
        """Return where the middle of a turn lies."""
        return LEFT + (self.width - LEFT - RIGHT) * (turn - 0.5) / max(1, self.turns)

    def y(self, value: float) -> float:
        """Return where a value lies."""
        return self.top + self.height * (1 - value / self.most)

    @property
    def end(self) -> float:
        """Where the turns end."""
        return self.width - RIGHT


def draw_survival(game: Game, recalled: Recalled, turns: int, width: float) -> tuple[str, float]:
    """Draw the survival of every design tried, between the standard design and the optimum."""
    frame, marks = Frame(width, 22.0, _SURVIVAL, turns, 1.0), landmarks(game)
    body = [text((LEFT - 40, 10), "Survival of the designs tried", size=13, weight="600")]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        body.append(line((LEFT, frame.y(tick)), (frame.end, frame.y(tick))))
        body.append(
            text((LEFT - 8, frame.y(tick) + 4), f"{tick:.0%}", size=11, fill=SOFT, anchor="end")
        )
    body += _bounds(game, marks, frame)
    for number, batch in recalled.batches:
        seen = wilson_interval(min(batch.survived, batch.deployed), batch.deployed)
        at = frame.x(number)
        body.append(line((at, frame.y(seen.low)), (at, frame.y(seen.high)), stroke=SEEN))
        body.append(_tick(at, frame.y(compute_survival(game, batch.design))))
        body.append(_dot((at, frame.y(seen.value)), 3 + batch.deployed / 15))
    if recalled.result is not None and recalled.submitted_at is not None:
        at, y = frame.x(recalled.submitted_at), frame.y(recalled.result.rate)
        body.append(tag("rect", x=at - 6, y=y - 6, width=12, height=12, fill=SENT, stroke=PAPER))
        said = f"fleet {recalled.result.rate:.1%}"
        body.append(text((at, y + 22), said, size=11, fill=SENT, anchor="middle"))
    body += turn_ticks(frame)
    return "".join(body), frame.top + frame.height + 34


def _bounds(game: Game, marks: Landmarks, frame: Frame) -> list[str]:
    named = [
        (marks.best, f"optimum {marks.best:.1%}", TRUE, ""),
        (game.threshold, f"threshold {game.threshold:.0%}", BAD, "7 4"),
        (marks.default, f"standard {marks.default:.1%}", SOFT, "2 3"),
    ]
    named.sort(key=lambda one: -one[0])
    body, last = [], -_LEAST_GAP
    for value, said, colour, dash in named:
        y = frame.y(value)
        body.append(line((LEFT, y), (frame.end, y), stroke=colour, width=1.4, dash=dash))
        last = max(y + 4, last + _LEAST_GAP)
        body.append(text((frame.end + 10, last), said, size=11.5, fill=colour))
    return body


def _dot(at: Point, radius: float) -> str:
    return tag(
        "circle",
        cx=at[0],
        cy=at[1],
        r=radius,
        fill=SEEN,
        fill_opacity=0.75,
        stroke=PAPER,
    )


def _tick(x: float, y: float) -> str:
    return line((x - 9, y), (x + 9, y), stroke=TRUE, width=2.2)


def draw_distance(found: Sequence[int], worst: int, turns: int, width: float) -> tuple[str, float]:
    """Draw the distance of the claims held from the truth after each turn."""
    frame = Frame(width, 22.0, _DISTANCE, turns, max(1, worst))
    title = "Distance of the claims from the truth"
    body = [text((LEFT - 40, 10), title, size=13, weight="600")]
    for tick in sorted({0, worst // 2, worst}):
        body.append(line((LEFT, frame.y(tick)), (frame.end, frame.y(tick))))
        body.append(
            text((LEFT - 8, frame.y(tick) + 4), f"{tick}", size=11, fill=SOFT, anchor="end")
        )
    half = (frame.end - LEFT) / max(1, turns) / 2
    steps: list[Point] = []
    for turn, distance in enumerate(found, 1):
        steps += [
            (frame.x(turn) - half, frame.y(distance)),
            (frame.x(turn) + half, frame.y(distance)),
        ]
    if steps:
        body.append(polyline(steps, stroke=INK, width=2))
        said = f"{found[-1]} of at most {worst} in the end"
        body.append(text((frame.end + 10, frame.y(found[-1]) + 4), said, size=11.5))
    body += turn_ticks(frame)
    return "".join(body), frame.top + frame.height + 34


def turn_ticks(frame: Frame) -> list[str]:
    """Return the numbers of the turns, as many as there is room for."""
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 10**9) if frame.turns <= 20 * n)
    y = frame.y(0) + 16
    body = [text((LEFT - 8, y), "turn", size=11, fill=SOFT, anchor="end")]
    body.append(line((LEFT, frame.y(0)), (frame.end, frame.y(0)), stroke=FAINT))
    body += [
        text((frame.x(turn), y), str(turn), size=11, fill=SOFT, anchor="middle")
        for turn in range(1, frame.turns + 1)
        if turn == 1 or turn % every == 0
    ]
    return body


MARGIN = 28.0
_LEAST_WIDTH = 900.0
_MOST_LISTED = 12
_LINE = 17.0
_MOST_CHARS = 96


def draw_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> Figure:
    """Draw one session of a published game.

    Args:
        instance: The session.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    recalled, game = recall(instance, rules, turns), instance.secret.game
    graph, graph_width, graph_height = draw_true_graph(game)
    width = max(_LEAST_WIDTH, graph_width + 2 * MARGIN)
    inner = width - 2 * MARGIN
    body, y = [_heading(instance, recalled)], 74.0
    panels = [draw_survival(game, recalled, len(turns), inner), _listing(game, recalled)]
    if rules.claims:
        panels.append(_beliefs(game, recalled, inner))
    for panel, height in panels:
        body.append(tag("g", panel, transform=f"translate({MARGIN:.0f} {y:.1f})"))
        y += height + 14
    body.append(text((MARGIN + 6, y + 10), _graph_title(game), size=13, weight="600"))
    shift = (width - graph_width) / 2
    body.append(tag("g", graph, transform=f"translate({shift:.1f} {y + 44:.1f})"))
    y += 44 + graph_height + 40
    body.append(draw_legend((MARGIN + 6, y)))
    title = f"{instance.id}, turn by turn"
    return Figure(
        title=title,
        svg=make_svg(width, y + 20, "".join(body), title=title, about=_describe_session(recalled)),
        caption="Discs are test flights as the agent saw them, with 95 % intervals, larger for "
        "more drones; green bars are what such designs survive on average at evaluation, the "
        "square is the fleet. Below, the game's true graph: the decisive chain in blue, the trap "
        "in red.",
    )


def _heading(instance: GameInstance, recalled: Recalled) -> str:
    game, result = instance.secret.game, recalled.result
    head = text((MARGIN, 34), f"{game.name} ({instance.id})", size=17, weight="600")
    if result is None:
        said = "nothing was submitted"
    else:
        how = "won" if result.won else "lost"
        said = f"{result.survived} of {result.fleet} survived: {how}"
    used = recalled.session.drones_used
    about = f"deployments: {len(recalled.batches)}; test drones: {used}; {said}"
    return head + text((MARGIN, 54), about, size=12.5, fill=SOFT)


def _listing(game: Game, recalled: Recalled) -> tuple[str, float]:
    lines = list(_describe_batches(game, recalled))
    if len(lines) > _MOST_LISTED:
        left = len(lines) - _MOST_LISTED + 1
        lines = [*lines[: _MOST_LISTED - 2], f"and {left} more", lines[-1]]
    body = [
        text((6, 10 + _LINE * number), _shorten_line(said), size=11.5, fill=SOFT)
        for number, said in enumerate(lines)
    ]
    return "".join(body), _LINE * len(lines) + 6


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


def _shorten_line(said: str) -> str:
    most = _MOST_CHARS + 40
    return said if len(said) <= most else f"{said[: most - 1]}…"


def _beliefs(game: Game, recalled: Recalled, width: float) -> tuple[str, float]:
    found = distances(game, recalled.beliefs)
    return draw_distance(found, len(ideas(game)), len(found), width)


def _graph_title(game: Game) -> str:
    levers = ", ".join(sorted(trap_levers(game)))
    return f"What really happens (the trap: {levers})" if levers else "What really happens"


def _describe_session(recalled: Recalled) -> str:
    result = recalled.result
    rates = ", ".join(f"{b.survived} of {b.deployed}" for _, b in recalled.batches)
    tests = f"Test flights that came back: {rates or 'none were flown'}."
    fleet = "No fleet was sent." if result is None else f"Of the fleet {result.rate:.1%} survived."
    return f"{tests} {fleet}"

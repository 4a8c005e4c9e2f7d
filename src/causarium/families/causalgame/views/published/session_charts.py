"""One session over its turns: how designs fared, and how far beliefs were from the truth."""

from collections.abc import Sequence
from dataclasses import dataclass

from causarium.charts.palette import ACCENT, BAD, FAINT, GOOD, INK, PAPER, SOFT, WARN
from causarium.charts.svg import Point, line, polyline, tag, text
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.scoring.published.design_values import (
    Landmarks,
    compute_survival,
    landmarks,
)
from causarium.families.causalgame.scoring.published.replayed_session import Recalled
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

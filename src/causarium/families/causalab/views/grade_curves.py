"""The lower part of an episode's picture: grades over the turns, and the interventions made."""

from collections.abc import Sequence
from dataclasses import dataclass

from causarium.charts.axes import Frame, draw_y_axis
from causarium.charts.palette import ACCENT, INK, PAPER, SERIES, SOFT, WARN, WASH
from causarium.charts.svg import Point as Place
from causarium.charts.svg import line, polyline, tag, text
from causarium.families.causalab.model.instance import LabInstance
from causarium.families.causalab.scoring.episode_history import History, Point

GRADES_HEIGHT, USES_HEIGHT = 150.0, 58.0
_LEFT, _RIGHT, _BETWEEN = 40.0, 190.0, 34.0
_LABEL_GAP = 15.0


@dataclass(frozen=True, slots=True)
class Line:
    """One number over the turns."""

    name: str
    values: tuple[float, ...]
    colour: str
    dash: str = ""


def _draw_steps(frame: Frame, values: Sequence[float]) -> list[Place]:
    """Return the corners of a line that keeps each value for the length of its turn."""
    corners = []
    for turn, value in enumerate(values):
        corners += [(frame.x(turn), frame.y(value)), (frame.x(turn + 1), frame.y(value))]
    return corners


def draw_curves(
    instance: LabInstance,
    history: History,
    course: Sequence[Point],
    width: float,
    *,
    graded: bool = True,
) -> tuple[str, float]:
    """Return the drawing and its height; without grades where no hypothesis is asked for."""
    turns, body, wide = len(course), list[str](), width - _LEFT - _RIGHT
    across = (0.0, max(1.0, turns))
    grades = Frame(_LEFT, 18, wide, GRADES_HEIGHT if graded else -_BETWEEN, across)
    top, most = grades.bottom + _BETWEEN, max(1.0, float(instance.public.budget))
    uses = Frame(_LEFT, top, wide, USES_HEIGHT, across, (0.0, most))
    if graded:
        head = "Grade of the hypothesis in force (a circle: a new one)"
        body += [text((0, 6), head, size=12, weight="600"), draw_y_axis(grades, (0.0, 0.5, 1.0))]
        body += _grades(instance, grades, course)
    body += [
        text((0, top - 10), "Interventions made", size=12, weight="600"),
        draw_y_axis(uses, (0.0, most)),
        *_uses(uses, course),
        *_turn_ticks(uses, turns),
        *_events(history, grades, uses),
    ]
    return "".join(body), top + USES_HEIGHT + 36


def _lines(instance: LabInstance, course: Sequence[Point]) -> list[Line]:
    nodes = len(instance.public.nodes)
    pairs = nodes * (nodes - 1) / 2
    shd = tuple(min(1.0, p.grade.edges.distance / pairs) for p in course)
    return [
        Line("edge F1", tuple(p.grade.edges.f1 for p in course), ACCENT),
        Line("weight F1", tuple(p.grade.weights.f1 for p in course), INK, "7 3"),
        Line("root F1", tuple(p.grade.roots.f1 for p in course), SERIES[4], "2 3"),
        Line("SHD, of all pairs", shd, WARN, "10 3 2 3"),
    ]


def _grades(instance: LabInstance, frame: Frame, course: Sequence[Point]) -> list[str]:
    if not course:
        return []
    lines = _lines(instance, course)
    body = [
        polyline(_draw_steps(frame, one.values), stroke=one.colour, dash=one.dash) for one in lines
    ]
    for point in course:
        if point.changed:
            at = frame.x(point.turn - 1), frame.y(point.grade.edges.f1)
            body.append(
                tag(
                    "circle",
                    cx=at[0],
                    cy=at[1],
                    r=3.2,
                    fill=PAPER,
                    stroke=ACCENT,
                    stroke_width=1.8,
                )
            )
    return body + _end_labels(frame, lines)


def _end_labels(frame: Frame, lines: Sequence[Line]) -> list[str]:
    """Name each line at its end, pushed apart where they would overlap."""
    ordered = sorted(lines, key=lambda one: -one.values[-1])
    places = [frame.y(one.values[-1]) for one in ordered]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + _LABEL_GAP)
    over = places[-1] - (frame.bottom + 4)
    if over > 0:
        places[-1] -= over
        for i in range(len(places) - 2, -1, -1):
            places[i] = min(places[i], places[i + 1] - _LABEL_GAP)
    end, body = frame.right, list[str]()
    for one, y in zip(ordered, places, strict=True):
        body.append(line((end + 4, frame.y(one.values[-1])), (end + 12, y), stroke=one.colour))
        body.append(line((end + 14, y), (end + 38, y), stroke=one.colour, width=2, dash=one.dash))
        said = f"{one.name}  {one.values[-1]:.2f}"
        body.append(text((end + 44, y + 4), said, size=11.5, fill=one.colour))
    return body


def _uses(frame: Frame, course: Sequence[Point]) -> list[str]:
    if not course:
        return []
    corners = _draw_steps(frame, [float(point.interventions) for point in course])
    floor = [(corners[-1][0], frame.y(0)), (corners[0][0], frame.y(0))]
    area = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*corners, *floor))
    end = corners[-1]
    return [
        tag("polygon", points=area, fill=WASH),
        polyline(corners, stroke=INK, width=1.6),
        text((end[0] + 14, end[1] + 4), f"{course[-1].interventions} made", size=11.5, fill=INK),
    ]


def _turn_ticks(frame: Frame, turns: int) -> list[str]:
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if turns <= 16 * n)
    y = frame.bottom + 14
    shown = [turn for turn in range(1, turns) if turn % every == 0 and turns - turn >= every / 2]
    body = [
        text((frame.x(turn - 0.5), y), str(turn), size=11, fill=SOFT, anchor="middle")
        for turn in sorted({1, *shown, turns} if turns else ())
    ]
    return [*body, text((_LEFT - 8, y), "turn", size=11, fill=SOFT, anchor="end")]


def _events(history: History, grades: Frame, uses: Frame) -> list[str]:
    marks = []
    if history.verified_at is not None:
        marks.append((history.verified_at, "verified"))
    first = next((i for i, step in enumerate(history.steps) if step.submitted), None)
    if first is not None:
        marks.append((first, "submitted"))
    body = []
    for number, said in marks:
        x = grades.x(number + 0.5)
        body.append(line((x, grades.top), (x, uses.bottom), stroke=SOFT, dash="1 3"))
        body.append(text((x, grades.top - 5), said, size=11, fill=SOFT, anchor="middle"))
    return body

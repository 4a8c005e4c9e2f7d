"""What tables cannot show of many sessions: gains, failure patterns, judges."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean

from causarium.charts.axes import (
    SHAPES,
    Frame,
    draw_bar,
    draw_legend,
    draw_mark,
    draw_references,
    draw_row_names,
    draw_x_axis,
    draw_y_axis,
)
from causarium.charts.palette import ACCENT, BAD, GOOD, INK, PAPER, SERIES, SOFT, WARN
from causarium.charts.svg import line, make_svg, text
from causarium.contract.row import Row, agents_of, mean_per_instance
from causarium.contract.views.figure import Figure
from causarium.scoring.rater_agreement import spearman
from ..scoring.judge import CRITERIA, NAMES

LEFT, TOP, ROW, WIDE = 330.0, 84.0, 24.0, 420.0
LOW = -1.5
"""What lies further to the left stands at the edge."""
_PATTERNS = dict(zip(NAMES, (GOOD, WARN, BAD, SERIES[4], SERIES[6], ACCENT), strict=True))
_MOST_AGENTS = len(SERIES)


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what tables cannot show: gains, failure patterns and judges of sessions."""
    scored = [row for row in rows if row.unscored is None and "gain" in row.numbers]
    found = [_draw_gains(scored), _draw_patterns(scored), _draw_judges(scored)]
    return tuple(picture for picture in found if picture is not None)


def _draw_gains(rows: Sequence[Row]) -> Figure | None:
    rows = select_rows(rows, "gain")
    if not rows:
        return None

    def find_gain(game: str, agent: str) -> float:
        return average(
            [one for one in rows if one.agent == agent and _find_game(one) == game], "gain"
        )

    everyone = agents_of(rows)
    more = len(everyone) - _MOST_AGENTS
    return draw_marks(
        "How good the submitted designs are",
        sorted({_find_game(row) for row in rows}),
        everyone[:_MOST_AGENTS],
        find_gain,
        ((-1.0, "-1"), (0.0, "0: standard design"), (1.0, "1: optimum")),
        "Each mark is an agent's mean on the scale from the standard design (0) to the best one "
        f"known (1), by the survival that its designs have on average. What is below {LOW:g} is "
        f"drawn there.{f' {more} more agents are not drawn.' if more > 0 else ''}",
    )


def _find_game(row: Row) -> str:
    return str(row.facets.get("game", row.id))


def _draw_patterns(rows: Sequence[Row]) -> Figure | None:
    rows = [row for row in rows if "pattern" in row.labels]
    if not rows:
        return None
    agents = agents_of(rows)
    frame = frame_rows(len(agents), 0.0)
    body = [text((28, 34), "How agents fail", size=17, weight="600")]
    body.append(draw_row_names(frame, agents))
    for place, agent in enumerate(agents):
        counts = Counter(row.labels["pattern"][:1] for row in rows if row.agent == agent)
        x, y = LEFT, TOP + ROW * place + 4
        for name, colour in _PATTERNS.items():
            wide = WIDE * counts[name[:1]] / counts.total()
            if wide:
                label = NAMES[name]
                body.append(draw_bar((x, y), wide, 16, colour=colour, about=label))
                letter = label if name == "none" else name
                body.append(text((x + 5, y + 12), letter, size=11, fill=PAPER))
            x += wide
    said = ", ".join(f"{code} {name}" for code, name in NAMES.items() if code != "none")
    body.append(text((28, frame.bottom + 22), said, size=11.5, fill=SOFT))
    title, size = "Failure patterns", (LEFT + WIDE + 60, frame.bottom + 46)
    about = f"Shares of the five failure patterns for {len(agents)} agents."
    return Figure(
        title=title,
        svg=make_svg(*size, "".join(body), title=title, about=about),
        caption="Shares of sessions by failure pattern, winners first. Every lost session has "
        "exactly one, by the first rule that fits in the order C, E, A, D, B.",
    )


def _draw_judges(rows: Sequence[Row]) -> Figure | None:
    rows = select_rows(rows, "judge_second")
    if not rows:
        return None
    span, ticks = (-11.0, 34.0), (-11, 0, 10, 20, 34)
    frame = Frame(70.0, 66.0, 300.0, 300.0, x_range=span, y_range=span)
    body = [text((28, 34), "Two judges on the same reports", size=17, weight="600")]
    body += [draw_x_axis(frame, ticks), draw_y_axis(frame, ticks)]
    corners = (frame.left, frame.bottom), (frame.right, frame.top)
    body.append(line(*corners, stroke=INK, dash="1 4"))
    for row in rows:
        at = frame.x(row.numbers["judge_first"]), frame.y(row.numbers["judge_second"])
        body.append(draw_mark(at, colour=ACCENT))
    said = agreement_in_words(rows)
    body.append(text((28, frame.bottom + 40), said, size=12))
    title, size = "Agreement of two judges", (frame.right + 90, frame.bottom + 62)
    return Figure(
        title=title,
        svg=make_svg(*size, "".join(body), title=title, about=said),
        caption="The full rubric score (-11 to 34) of the first judge across, of the second one "
        "up; on the dotted line both say the same.",
    )


def agreement_in_words(rows: Sequence[Row]) -> str:
    """Say how far the first two judges agree over all of some judged rows."""
    share = fmean(row.numbers["judge_agreement"] for row in rows)
    first, second = (_grade_shares(rows, name) for name in ("judge_first", "judge_second"))
    totals = [[row.numbers[name] for row in rows] for name in ("judge_first", "judge_second")]
    found = {"kappa": kappa_from_shares(share, first, second), "Spearman": spearman(*totals)}
    measured = "; ".join(
        f"{name} {'undefined' if math.isnan(value) else f'{value:.2f}'}"
        for name, value in found.items()
    )
    return f"{len(rows)} reports; same grade {share:.0%}; {measured}"


def kappa_from_shares(agreement: float, first: Sequence[float], second: Sequence[float]) -> float:
    """Return Cohen's kappa, given how often two judges agree and how often each gives each grade.

    Example:
        >>> kappa_from_shares(0.7, (0.5, 0.5), (0.6, 0.4))
        0.4
    """
    by_chance = sum(p * q for p, q in zip(first, second, strict=True))
    return round((agreement - by_chance) / (1 - by_chance), 12) if by_chance < 1 else math.nan


def _grade_shares(rows: Sequence[Row], judge: str) -> tuple[float, float, float]:
    met = fmean(row.numbers[f"{judge}_met"] for row in rows) / len(CRITERIA)
    partly = fmean(row.numbers[f"{judge}_partly"] for row in rows) / len(CRITERIA)
    return met, partly, 1 - met - partly


def select_rows(rows: Sequence[Row], number: str) -> list[Row]:
    """Return the rows that have a number."""
    return [row for row in rows if not math.isnan(row.numbers.get(number, math.nan))]


def average(rows: Sequence[Row], number: str) -> float:
    """Return the mean of a number over instances; nan if no row has it."""
    values = [v for v in mean_per_instance(rows, number).values() if not math.isnan(v)]
    return fmean(values) if values else math.nan


def frame_rows(rows: int, low: float) -> Frame:
    """Return the frame of a chart with so many rows."""
    return Frame(LEFT, TOP, WIDE, ROW * rows, x_range=(low, 1.0))


def draw_marks(
    title: str,
    names: Sequence[str],
    series: Sequence[str],
    find_value: Callable[[str, str], float],
    references: Sequence[tuple[float, str]],
    caption: str,
) -> Figure:
    """Draw a row a name, with a mark for each series; what lies too far left stands at the edge."""
    frame = frame_rows(len(names), LOW if references[0][0] < 0 else 0.0)
    body = [text((28, 34), title, size=17, weight="600"), draw_row_names(frame, names)]
    body.append(draw_references(frame, references))
    looks = [(SERIES[n % len(SERIES)], SHAPES[n % len(SHAPES)]) for n in range(len(series))]
    for place, name in enumerate(names):
        for one, (colour, shape) in zip(series, looks, strict=True):
            value = find_value(name, one)
            if not math.isnan(value):
                at = frame.x(value), frame.row(place, len(names))
                body.append(draw_mark(at, colour=colour, shape=shape))
    entries = [(one, *look) for one, look in zip(series, looks, strict=True)]
    legend, high = draw_legend((28, frame.bottom + 14), entries, width=LEFT + WIDE)
    about = f"{title}: {len(names)} rows, {len(series)} marks each."
    height = frame.bottom + high + 30
    whole = "".join([*body, legend])
    svg = make_svg(LEFT + WIDE + 60, height, whole, title=title, about=about)
    return Figure(title=title, svg=svg, caption=caption)

"""The causal profile as a chart: one row a run, one mark an agent, guess and oracle as lines."""

import math
from collections.abc import Sequence

import altair as alt

from causarium.report.data.causal_profile import Profile
from causarium.report.data.number_format import printable
from causarium.report.figures.headline_figures import STEP, WIDTH, Point, Vega, whiskers_of
from causarium.report.figures.vega_svg import BOUND, INK, MUTED, SERIES, draw

SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down")
"""A mark is told by its shape as well as by its colour."""
MOST_AGENTS = 20


def profile_figure(profile: Profile, name: str) -> str:
    """Draw the rescaled scores of every agent; nothing where there are no two runs to compare."""
    points: list[Point] = [
        {"run": printable(spoke.run), "agent": printable(agent), **whiskers_of(score)}
        for spoke in profile.spokes
        for agent, score in spoke.scores.items()
        if not math.isnan(score.value)
    ]
    if len(profile.spokes) < 2 or not points:
        return ""
    shown = list(dict.fromkeys(point["agent"] for point in points))[:MOST_AGENTS]
    points = [point for point in points if point["agent"] in shown]
    ends = [end for point in points for end in (point["low"], point["high"])]
    x = _Across(alt.Scale(domain=[min(-0.1, *ends), max(1.1, *ends)], nice=False))
    layers = [*_lines(x), *_marks(points, shown, [printable(s.run) for s in profile.spokes], x)]
    crowd = max(len(spoke.scores) for spoke in profile.spokes)
    height = len(profile.spokes) * max(2 * STEP, 9 * len(shown), 12 * crowd)
    return draw(alt.layer(*layers).properties(width=WIDTH, height=height), name)


class _Across:
    """The axis from a guess to the oracle."""

    def __init__(self, scale: Vega) -> None:
        self._scale = scale
        self._axis = alt.Axis(title="0: best without looking, 1: oracle", tickCount=6)

    def of(self, field: str) -> Vega:
        return alt.X(f"{field}:Q", scale=self._scale, axis=self._axis)


def _marks(
    points: Sequence[Point], shown: Sequence[str], runs: Sequence[str], x: _Across
) -> list[Vega]:
    colours = [SERIES[at % len(SERIES)] for at in range(len(shown))]
    shapes = [SHAPES[at % len(SHAPES)] for at in range(len(shown))]
    names = alt.Axis(title=None, labelColor=INK, labelLimit=260)
    base = alt.Chart(alt.Data(values=list(points))).encode(
        y=alt.Y("run:N", sort=list(runs), axis=names),
        yOffset=alt.YOffset("agent:N", scale=alt.Scale(domain=list(shown))),
        color=alt.Color(
            "agent:N",
            scale=alt.Scale(domain=list(shown), range=colours),
            legend=alt.Legend(title=None, orient="top", columns=3),
        ),
    )
    shape = alt.Shape("agent:N", scale=alt.Scale(domain=list(shown), range=shapes))
    return [
        base.mark_rule(strokeWidth=2).encode(x=x.of("low"), x2="high:Q"),
        base.mark_point(size=60, filled=True, opacity=1).encode(x=x.of("value"), shape=shape),
    ]


def _lines(x: _Across) -> list[Vega]:
    ends = [{"at": 0, "says": "guess"}, {"at": 1, "says": "oracle"}]
    lines = alt.Chart(alt.Data(values=ends)).encode(x=x.of("at"))
    return [
        lines.mark_rule(color=BOUND, strokeDash=[2, 3]),
        lines.mark_text(color=MUTED, fontSize=11, baseline="bottom", dy=-4).encode(
            y=alt.value(0), text="says:N"
        ),
    ]

"""The causal profile as a chart: one row a run, one mark an agent, guess and oracle as lines."""

import math

import altair as alt

from causarium.report.figures import STEP, WIDTH, Point, whiskers_of
from causarium.report.numbers import printable
from causarium.report.profile import Profile
from causarium.report.svg import BOUND, INK, MUTED, SERIES, draw

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
    agents = list(dict.fromkeys(point["agent"] for point in points))
    shown = agents[:MOST_AGENTS]
    points = [point for point in points if point["agent"] in shown]
    ends = [end for point in points for end in (point["low"], point["high"])]
    scale = alt.Scale(domain=[min(-0.1, *ends), max(1.1, *ends)], nice=False)
    base = alt.Chart(alt.Data(values=points)).encode(
        y=alt.Y(
            "run:N",
            sort=[printable(spoke.run) for spoke in profile.spokes],
            axis=alt.Axis(title=None, labelColor=INK, labelLimit=260),
        ),
        yOffset=alt.YOffset("agent:N", scale=alt.Scale(domain=shown)),
        color=alt.Color(
            "agent:N",
            scale=alt.Scale(
                domain=shown, range=[SERIES[at % len(SERIES)] for at in range(len(shown))]
            ),
            legend=alt.Legend(title=None, orient="top", columns=3),
        ),
    )
    axis = alt.Axis(title="0: best without looking, 1: oracle", tickCount=6)
    whiskers = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q"
    )
    marks = base.mark_point(size=60, filled=True, opacity=1).encode(
        x=alt.X("value:Q", scale=scale, axis=axis),
        shape=alt.Shape(
            "agent:N",
            scale=alt.Scale(
                domain=shown, range=[SHAPES[at % len(SHAPES)] for at in range(len(shown))]
            ),
        ),
    )
    lines = alt.Chart(
        alt.Data(values=[{"at": 0, "says": "guess"}, {"at": 1, "says": "oracle"}])
    ).encode(x=alt.X("at:Q", scale=scale, axis=axis))
    rules = lines.mark_rule(color=BOUND, strokeDash=[2, 3])
    says = lines.mark_text(color=MUTED, fontSize=11, baseline="bottom", dy=-4).encode(
        y=alt.value(0), text="says:N"
    )
    crowd = max(len(spoke.scores) for spoke in profile.spokes)
    height = len(profile.spokes) * max(2 * STEP, 9 * len(shown), 12 * crowd)
    return draw(
        alt.layer(rules, says, whiskers, marks).properties(width=WIDTH, height=height), name
    )

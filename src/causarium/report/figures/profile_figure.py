"""The causal profile as a chart: one row a run, one mark an agent, guess and oracle as lines."""

import math

from causarium.charts.axes import (
    LETTER,
    SHAPES,
    Frame,
    choose_ticks,
    draw_legend,
    draw_mark,
    draw_references,
    draw_row_names,
    draw_x_axis,
)
from causarium.charts.palette import series_colour
from causarium.charts.svg import line, make_svg
from causarium.report.data.causal_profile import Profile
from causarium.report.data.number_format import replace_unprintable
from causarium.report.figures.headline_figures import STEP, WIDTH, make_mark

MOST_AGENTS = 20
_TITLE = "0: best without looking, 1: oracle"


def profile_figure(profile: Profile) -> str:
    """Draw the rescaled scores of every agent; nothing where there are no two runs to compare."""
    scored = [
        (row, agent, make_mark(agent, score))
        for row, spoke in enumerate(profile.spokes)
        for agent, score in spoke.scores.items()
        if not math.isnan(score.value)
    ]
    if len(profile.spokes) < 2 or not scored:
        return ""
    agents = list(dict.fromkeys(agent for _, agent, _ in scored))[:MOST_AGENTS]
    marks = [(row, agents.index(agent), mark) for row, agent, mark in scored if agent in agents]
    runs = [replace_unprintable(spoke.run) for spoke in profile.spokes]
    left = min(260.0, 20 + LETTER * max(map(len, runs)))
    entries = [
        (replace_unprintable(agent), series_colour(at), SHAPES[at % len(SHAPES)])
        for at, agent in enumerate(agents)
    ]
    legend, tall = draw_legend((left, 2), entries, width=WIDTH)
    ends = [end for _, _, mark in marks for end in (mark.low, mark.high)]
    frame = Frame(
        *(left, tall + 22, WIDTH, len(runs) * max(2 * STEP, 9 * len(agents))),
        x_range=(min(-0.1, *ends), max(1.1, *ends)),
    )
    body = [legend, draw_x_axis(frame, choose_ticks(*frame.x_range), title=_TITLE)]
    body.append(draw_references(frame, [(0.0, "guess"), (1.0, "oracle")]))
    body.append(draw_row_names(frame, runs))
    for row, at, mark in marks:
        y = frame.row(row + ((at + 0.5) / len(agents) - 0.5) * 0.8, len(runs))
        colour, shape = series_colour(at), SHAPES[at % len(SHAPES)]
        body.append(line((frame.x(mark.low), y), (frame.x(mark.high), y), stroke=colour, width=2))
        body.append(draw_mark((frame.x(mark.value), y), colour=colour, shape=shape))
    about = f"{', '.join(map(replace_unprintable, agents))} on {', '.join(runs)}"
    return make_svg(
        frame.right + 44, frame.bottom + 46, "".join(body), title="Causal profile", about=about
    )

"""Many rows as pictures: what is found on each level, the disclosure ladder, what is left open."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from causarium.charts.axes import (
    MOST_SERIES,
    Frame,
    draw_interval_series,
    draw_series_legend,
    draw_series_mark,
    draw_stacked_names,
    draw_y_axis,
)
from causarium.charts.palette import SOFT, series_colour
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.row import Row
from causarium.contract.views.figure import Figure
from causarium.scoring.intervals import Interval, bootstrap_interval

LADDER = ("ordered", "block_order", "hidden_order", "hidden_roots")
"""The settings that ask for a model, the most disclosed first."""
SUPPORTS = ("original", "extra", "counterexample", "certified")
"""How much evidence there is, the least first."""
_TITLES = {
    "train_exact": "All training worlds replayed",
    "heldout_world": "Held-out worlds replayed",
}


class Cell(NamedTuple):
    """Where a row stands: a setting, and how much support its worlds give."""

    setting: str
    support: str


def cell_of(row: Row) -> Cell:
    """Return where a row stands."""
    return Cell(str(row.facets.get("setting", "")), str(row.facets.get("support", "")))


def _list_cells(rows: Iterable[Row]) -> list[Cell]:
    """Return where rows stand, the most disclosed settings first."""
    known = {setting: place for place, setting in enumerate(LADDER)}
    return sorted(
        {cell_of(row) for row in rows},
        key=lambda cell: (known.get(cell.setting, len(known)), cell.setting),
    )


def by_latent(rows: Iterable[Row], metric: str) -> dict[str, float]:
    """Return a metric's mean for each latent model; nan where it does not apply."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.unscored is None:
            values = found[str(row.facets.get("mechanism", row.id))]
            value = row.numbers.get(metric, math.nan)
            values += [] if math.isnan(value) else [value]
    return {latent: fmean(values) if values else math.nan for latent, values in found.items()}


def ladder(rows: Iterable[Row], metric: str) -> dict[str, dict[Cell, Interval]]:
    """Return, for each agent and cell, a metric's mean with a bootstrap by latent model."""
    grouped: dict[str, dict[Cell, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        grouped[row.agent][cell_of(row)].append(row)
    return {
        agent: {
            cell: bootstrap_interval(by_latent(mine, metric).values())
            for cell, mine in parts.items()
        }
        for agent, parts in grouped.items()
    }


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what rows say together; settings that were not played are left out."""
    played = [row for row in rows if row.unscored is None]
    certified = [row for row in played if not math.isnan(row.numbers.get("exact", math.nan))]
    scored = [row for row in played if not math.isnan(row.numbers.get("train_exact", math.nan))]
    asked = [row for row in scored if cell_of(row).setting in LADDER]
    pictures: list[Figure] = []
    for support in SUPPORTS:
        here = [row for row in asked if cell_of(row).support == support]
        if len(_list_cells(here)) > 1:
            caption = (
                "The same latent models with less and less told of their structure. Bars are 95 % "
                "intervals from resampling latent models."
            )
            title = f"The disclosure ladder: {support}"
            pictures.append(_draw_cells(title, here, _TITLES, caption, joined=True))
    pictures += _draw_open_models(asked)
    if certified:
        caption = (
            "The share of problems whose whole model is right. Bars are 95 % intervals from "
            "resampling clans and quads, each of which counts as one problem."
        )
        shown = {"exact": "The one model that fits"}
        pictures.append(_draw_cells("What is found on each level", certified, shown, caption))
    return tuple(pictures)


def _draw_cells(
    title: str,
    rows: Sequence[Row],
    metrics: dict[str, str],
    caption: str,
    *,
    joined: bool = False,
) -> Figure:
    """Draw the intervals of several agents side by side, a panel for each metric.

    Args:
        title: What the figure is called.
        rows: What is drawn.
        metrics: The metrics, each with the title of its panel.
        caption: What stands below the figure.
        joined: Whether the intervals of an agent are joined by a line.
    """
    cells = _list_cells(rows)
    names = [cell.setting.replace("_", " ") for cell in cells]
    agents = sorted({row.agent for row in rows}, key=lambda a: (a.startswith("player/"), a))
    agents, width, body = agents[:MOST_SERIES], 190.0 + 70 * len(cells), []
    for number, (metric, heading) in enumerate(metrics.items()):
        frame = Frame(64 + number * width, 92, width - 70, 250, y_range=(0, 1))
        body.append(draw_y_axis(frame, [part / 4 for part in range(5)], title=heading))
        body.append(draw_stacked_names(frame, names))
        found = ladder(rows, metric)
        for place, agent in enumerate(agents):
            values = [found[agent].get(cell) for cell in cells]
            body.append(draw_interval_series(frame, values, place, len(agents), joined=joined))
    end = width * len(metrics)
    body.append(draw_series_legend((end + 40, 104), agents))
    svg = _draw_frame(end + 290, max(392, 110 + 18 * len(agents)), body, title)
    return Figure(title=title, svg=svg, caption=caption)


def _draw_open_models(rows: Sequence[Row]) -> list[Figure]:
    """Draw how many models fit, a dot for each problem where they were counted."""
    counts = {row.id: row for row in rows if row.numbers.get("models_log2", math.nan) >= 0}
    if not counts:
        return []
    found = list(counts.values())
    supports = [name for name in SUPPORTS if any(cell_of(row).support == name for row in found)]
    columns = int(max(row.numbers["worlds"] for row in found)) + 1
    top = max(4.0, *(row.numbers["models_log2"] for row in found))
    frame = Frame(left=64, top=92, width=560, height=270, y_range=(0, top))
    ticks = [float(tick) for tick in range(0, int(top) + 1, 4 if top <= 24 else 8)]
    body = [draw_y_axis(frame, ticks, title="Models that fit, as a power of two")]
    below = frame.top + frame.height
    for place in range(0, columns, 2 if columns <= 24 else 5):
        at = (frame.column(place, columns), below + 18)
        body.append(text(at, str(place), size=11, fill=SOFT, anchor="middle"))
    middle = (frame.left + frame.width / 2, below + 38)
    body.append(text(middle, "training worlds shown", size=11.5, fill=SOFT, anchor="middle"))
    for number, support in enumerate(supports):
        points = [
            (frame.column(row.numbers["worlds"], columns), frame.y(row.numbers["models_log2"]))
            for row in found
            if cell_of(row).support == support
        ]
        colour = series_colour(number)
        body += [
            tag("circle", cx=x, cy=y, r=2.2, fill=colour, fill_opacity=0.35) for x, y in points
        ]
        centre = (fmean(x for x, _ in points), fmean(y for _, y in points))
        body.append(draw_series_mark(centre, number, radius=6))
    body.append(draw_series_legend((frame.left + frame.width + 30, 104), supports))
    title = "What the training worlds leave open"
    return [
        Figure(
            title=title,
            svg=_draw_frame(frame.left + frame.width + 230, 420, body, title),
            caption="Each small dot is a problem: how many admissible models fit all its training "
            "worlds, counted exactly. At 0 there is just one. Large marks are means.",
        )
    ]


def _draw_frame(width: float, height: float, body: Sequence[str], title: str) -> str:
    head = text((28, 40), title, size=16, weight="600")
    return make_svg(width, height, head + "".join(body), title=title, about=title)

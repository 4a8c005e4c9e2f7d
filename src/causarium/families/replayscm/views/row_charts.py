"""Many rows as pictures: what is found on each level, and the disclosure ladder."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean

from causarium.charts.axes import (
    MOST_SERIES,
    Frame,
    draw_interval_series,
    draw_series_legend,
    draw_stacked_names,
    draw_y_axis,
)
from causarium.charts.svg import make_svg, text
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


def _read_setting(row: Row) -> str:
    return str(row.facets.get("setting", ""))


def _list_settings(rows: Iterable[Row]) -> list[str]:
    """Return the settings of rows, the most disclosed first."""
    found = set(map(_read_setting, rows))
    return [name for name in LADDER if name in found] + sorted(found.difference(LADDER))


def by_latent(rows: Iterable[Row], metric: str) -> dict[str, float]:
    """Return a metric's mean for each latent model; nan where it does not apply."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.unscored is None:
            values = found[str(row.facets.get("mechanism", row.id))]
            value = row.numbers.get(metric, math.nan)
            values += [] if math.isnan(value) else [value]
    return {latent: fmean(values) if values else math.nan for latent, values in found.items()}


def ladder(rows: Iterable[Row], metric: str) -> dict[tuple[str, str], Interval]:
    """Return, for each agent and setting, a metric's mean with a bootstrap by latent model."""
    grouped: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row.agent, _read_setting(row)].append(row)
    return {
        key: bootstrap_interval(by_latent(mine, metric).values()) for key, mine in grouped.items()
    }


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what rows say together; settings that were not played are left out."""
    played = [row for row in rows if row.unscored is None]
    certified = [row for row in played if not math.isnan(row.numbers.get("exact", math.nan))]
    scored = [row for row in played if not math.isnan(row.numbers.get("train_exact", math.nan))]
    asked = [row for row in scored if _read_setting(row) in LADDER]
    pictures: list[Figure] = []
    for support in SUPPORTS:
        here = [row for row in asked if row.facets.get("support") == support]
        if len(_list_settings(here)) > 1:
            caption = (
                "The same latent models with less and less told of their structure. Bars are 95 % "
                "intervals from resampling latent models."
            )
            title = f"The disclosure ladder: {support}"
            pictures.append(_draw_settings(title, here, _TITLES, caption, joined=True))
    if certified:
        caption = (
            "The share of problems with the whole model right. Bars are 95 % intervals from "
            "resampling clans and quads; each counts as one problem."
        )
        shown = {"exact": "The one model that fits"}
        pictures.append(_draw_settings("What is found on each level", certified, shown, caption))
    return tuple(pictures)


def _draw_settings(
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
    settings = _list_settings(rows)
    names = [setting.replace("_", " ") for setting in settings]
    agents = sorted({row.agent for row in rows}, key=lambda a: (a.startswith("player/"), a))
    agents, width, body = agents[:MOST_SERIES], 190.0 + 70 * len(settings), []
    for number, (metric, heading) in enumerate(metrics.items()):
        frame = Frame(64 + number * width, 92, width - 70, 250, y_range=(0, 1))
        body.append(draw_y_axis(frame, [part / 4 for part in range(5)], title=heading))
        body.append(draw_stacked_names(frame, names))
        found = ladder(rows, metric)
        for place, agent in enumerate(agents):
            values = [found.get((agent, cell)) for cell in settings]
            body.append(draw_interval_series(frame, values, place, len(agents), joined=joined))
    end = width * len(metrics)
    body.append(draw_series_legend((end + 40, 104), agents))
    drawn = text((28, 40), title, size=16, weight="600") + "".join(body)
    height = max(392, 110 + 18 * len(agents))
    svg = make_svg(end + 290, height, drawn, title=title, about=title)
    return Figure(title=title, svg=svg, caption=caption)

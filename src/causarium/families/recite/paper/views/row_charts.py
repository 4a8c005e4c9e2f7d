"""Many rows as pictures: F1 against explicitness, and by what else a document is like."""

import math
from collections.abc import Mapping, Sequence

from causarium.charts.axes import (
    Frame,
    draw_interval_series,
    draw_series_legend,
    draw_y_axis,
    shorten,
)
from causarium.charts.palette import SERIES, SOFT
from causarium.charts.svg import Point, make_svg, text
from causarium.contract.row import Row, agents_of, mean_per_instance, mechanism_per_instance
from causarium.contract.views.figure import Figure
from causarium.scoring.intervals import Interval, summarize
from ..generation.facets import (
    BETWEEN_DOMAINS,
    DENSITY_BINS,
    EDGE_BINS,
    EXPLICITNESS_BINS,
    LENGTH_BINS,
    SIZE_BINS,
)
from ..model.wordings import RUNGS

FACETS: Mapping[str, str] = {
    "explicitness": "how much of the graph the text tells",
    "explicitness_strict": "how much of the graph the text tells by name",
    "rung": "how a made text tells its edges",
    "source": "where the document comes from",
    "length": "characters of the text",
    "size": "nodes of the graph",
    "edges": "edges of the graph",
    "density": "density of the graph",
    "cyclic": "whether the graph has cycles",
    "domain": "the document's domains; it counts under each",
    "year": "when the document was published",
}
"""What scores are looked at by, in words."""

ORDERS: Mapping[str, Sequence[str]] = {
    "explicitness": EXPLICITNESS_BINS,
    "explicitness_strict": EXPLICITNESS_BINS,
    "rung": RUNGS,
    "density": DENSITY_BINS,
    "length": LENGTH_BINS,
    "size": SIZE_BINS,
    "edges": EDGE_BINS,
    "cyclic": ("False", "True"),
    "year": (),
}
"""The values of facets that have an order; of the empty one, their own."""


def values_of(rows: Sequence[Row], facet: str) -> list[str]:
    """Return the values that a facet has in rows, in their order."""
    present = {value for row in rows for value in _values(row, facet)}
    order = ORDERS.get(facet, ())
    return [value for value in order if value in present] + sorted(present - set(order))


def by_facet(rows: Sequence[Row], facet: str, metric: str = "f1") -> dict[str, dict[str, Interval]]:
    """Return the mean of a metric for each agent and each value of a facet.

    Rows without the facet are left out; epochs of one instance count once.
    """
    found: dict[str, dict[str, Interval]] = {}
    for agent in agents_of(rows):
        for value in values_of(rows, facet):
            mine = [r for r in rows if r.agent == agent and value in _values(r, facet)]
            if mine:
                found.setdefault(agent, {})[value] = _mean(mine, metric)
    return found


def _mean(rows: Sequence[Row], metric: str) -> Interval:
    """Return the mean over texts where a metric applies; draws of one document are one cluster."""
    values, documents = mean_per_instance(rows, metric), mechanism_per_instance(rows)
    clusters = [documents[id_] for id_ in values]
    return summarize(values.values(), clusters=clusters, share=False)


def _values(row: Row, facet: str) -> tuple[str, ...]:
    found = row.facets.get(facet)
    if found is None:
        return ()
    return tuple(str(found).split(BETWEEN_DOMAINS)) if facet == "domain" else (str(found),)


MOST_AGENTS = len(SERIES)
_AGAINST = ("explicitness", "explicitness_strict")
"""Facets that have a picture of their own."""
_WIDE, _HIGH, _LEFT, _TOP = 420.0, 210.0, 62.0, 104.0


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what rows say together; a facet with one value says nothing and is left out."""
    scored = [row for row in rows if row.unscored is None and "f1" in row.numbers]
    pictures = [_draw_facet(scored, facet) for facet in _AGAINST]
    pictures.append(_likeness(scored))
    return tuple(picture for picture in pictures if picture is not None)


def _draw_facet(rows: Sequence[Row], facet: str) -> Figure | None:
    columns = values_of(rows, facet)
    if len(columns) < 2:
        return None
    agents = agents_of(rows)[:MOST_AGENTS]
    return _draw_beside_legend(
        f"F1 against {FACETS[facet]}",
        _panel(rows, facet, agents, (_LEFT, _TOP)),
        _WIDE,
        agents,
        "Means over documents, with 95 % intervals from resampling them. Documents "
        "differ in more than this, so a slope need not be its effect.",
    )


def _draw_beside_legend(
    title: str, body: str, wide: float, agents: Sequence[str], caption: str
) -> Figure:
    body += draw_series_legend((_LEFT + wide + 36, _TOP), agents)
    height = max(_TOP + _HIGH + 60, _TOP + 18 * len(agents) + 20)
    svg = _draw_frame(_LEFT + wide + 270, height, body, title)
    return Figure(title=title, svg=svg, caption=caption)


def _likeness(rows: Sequence[Row]) -> Figure | None:
    facets = [f for f in FACETS if f not in _AGAINST and len(values_of(rows, f)) > 1]
    if not facets:
        return None
    agents = agents_of(rows)[:MOST_AGENTS]
    body = []
    for place, facet in enumerate(facets):
        at = (_LEFT + (place % 2) * (_WIDE + 80), _TOP + (place // 2) * (_HIGH + 90))
        body.append(_panel(rows, facet, agents, at))
    body.append(draw_series_legend((_LEFT + 2 * (_WIDE + 80) - 30, _TOP), agents))
    height = _TOP + math.ceil(len(facets) / 2) * (_HIGH + 90)
    title = "F1 by what a document is like"
    return Figure(
        title=title,
        svg=_draw_frame(_LEFT + 2 * (_WIDE + 80) + 220, height, "".join(body), title),
        caption="Means over documents, with 95 % intervals from resampling them.",
    )


def _panel(rows: Sequence[Row], facet: str, agents: Sequence[str], at: Point) -> str:
    every = by_facet(rows, facet)
    means = {agent: every.get(agent, {}) for agent in agents}
    frame = Frame(at[0], at[1], _WIDE, _HIGH)
    columns = values_of(rows, facet)
    return _draw_columns(frame, columns, means, title=FACETS[facet], joined=facet in ORDERS)


def _draw_columns(
    frame: Frame,
    columns: Sequence[str],
    means: Mapping[str, Mapping[str, Interval]],
    *,
    title: str,
    joined: bool = False,
) -> str:
    """Draw a column for each name, with the means of each agent in it."""
    ticks = [tick for tick in (-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0) if tick >= frame.y_range[0]]
    parts = [draw_y_axis(frame, ticks, title=title)]
    for place, column in enumerate(columns):
        y = frame.bottom + 18 + (14 if place % 2 and len(columns) > 4 else 0)
        middle = (frame.column(place, len(columns)), y)
        parts.append(text(middle, shorten(column, 17), size=11, fill=SOFT, anchor="middle"))
    for number, found in enumerate(means.values()):
        intervals = [found.get(column) for column in columns]
        parts.append(draw_interval_series(frame, intervals, number, len(means), joined=joined))
    return "".join(parts)


def _draw_frame(width: float, height: float, body: str, title: str) -> str:
    head = text((28, 42), title, size=16, weight="600")
    return make_svg(width, height, head + body, title=title, about=title)

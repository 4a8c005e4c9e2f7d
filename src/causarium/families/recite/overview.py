"""Many rows as pictures: F1 by what a document is like, what became of edges, how judges agree."""

import math
from collections.abc import Mapping, Sequence
from statistics import fmean

from causarium.contract.instance import Facet
from causarium.contract.picture import Picture
from causarium.contract.row import Row, per_instance
from causarium.drawing.svg import FAINT, INK, SOFT, Point, drawing, line, polyline, tag, words
from causarium.families.recite.facets import DENSITY_BINS, EXPLICITNESS_BINS
from causarium.families.recite.reliability import opinions, pairwise_agreement
from causarium.scoring.uncertainty import Interval, summarise

COLOURS = ("#0b6bb0", "#c2352b", "#2b8a57", "#7a5195", "#c77700", "#0f8b8d", "#5b6470", "#b0447f")
MOST_AGENTS = len(COLOURS)
_WIDE, _HIGH, _LEFT, _TOP = 420.0, 210.0, 62.0, 104.0
_TITLES = {
    "explicitness": "how much of the graph the text tells",
    "told": "percent of the graph that a made text tells",
    "length": "characters of the text",
    "size": "nodes of the graph",
    "density": "density of the graph",
    "cyclic": "whether the graph has cycles",
    "domain": "the document's first domain",
}
_ORDERS: Mapping[str, Sequence[str]] = {
    "explicitness": EXPLICITNESS_BINS,
    "told": ("25", "50", "75", "100"),
    "density": DENSITY_BINS,
    "length": ("under 10k", "10k-25k", "25k-50k", "over 50k"),
    "size": ("up to 12", "13-24", "25-40", "over 40"),
    "cyclic": ("False", "True"),
}
_ERRORS = {
    "edges_matched": "matched",
    "edges_correct": "right way",
    "edges_reversed": "reversed",
    "edges_supported": "text supports",
    "shd": "edges to mend",
    "shd_norm": "of all pairs",
}


def draw_rows(rows: Sequence[Row]) -> tuple[Picture, ...]:
    """Draw what rows say together; a facet with one value says nothing and is left out."""
    scored = [row for row in rows if row.unscored is None and "f1" in row.numbers]
    pictures = [_against(scored, facet) for facet in ("explicitness", "told")]
    pictures.append(_likeness(scored))
    pictures.append(_errors(scored))
    pictures.append(_judges(scored))
    return tuple(picture for picture in pictures if picture is not None)


def by_facet(rows: Sequence[Row], facet: str, metric: str = "f1") -> dict[str, dict[str, Interval]]:
    """Return the mean of a metric for each agent and each value of a facet.

    Rows without the facet are left out; epochs of one instance count once.
    """
    found: dict[str, dict[str, Interval]] = {}
    for agent in _agents(rows):
        for value in _values(rows, facet):
            mine = [r for r in rows if r.agent == agent and _shown(r.facets.get(facet)) == value]
            if mine:
                kept = per_instance(mine, metric).values()
                found.setdefault(agent, {})[value] = summarise(kept, share=False)
    return found


def _agents(rows: Sequence[Row]) -> list[str]:
    found = {row.agent for row in rows}
    return sorted(found, key=lambda agent: (agent.startswith("player/"), agent))


def _shown(value: Facet | None) -> str | None:
    return None if value is None else str(value)


def _values(rows: Sequence[Row], facet: str) -> list[str]:
    present = {str(row.facets[facet]) for row in rows if facet in row.facets}
    order = _ORDERS.get(facet, ())
    return [v for v in order if v in present] + sorted(present - set(order))


def _against(rows: Sequence[Row], facet: str) -> Picture | None:
    columns = _values(rows, facet)
    if len(columns) < 2:
        return None
    agents = _agents(rows)[:MOST_AGENTS]
    body = _panel(rows, facet, agents, (_LEFT, _TOP)) + _legend((_LEFT + _WIDE + 36, _TOP), agents)
    title = f"F1 against {_TITLES[facet]}"
    height = max(_TOP + _HIGH + 60, _TOP + 18 * len(agents) + 20)
    return Picture(
        title=title,
        svg=_framed(_LEFT + _WIDE + 270, height, body, title),
        caption="Means over documents, with 95 % intervals from resampling them."
        + (
            " The same graphs are told at each step, so the slope is what telling less costs."
            if facet == "told"
            else " Documents differ in more than this, so a slope need not be its effect."
        ),
    )


def _likeness(rows: Sequence[Row]) -> Picture | None:
    facets = [f for f in _TITLES if f not in ("explicitness", "told") and len(_values(rows, f)) > 1]
    if not facets:
        return None
    agents = _agents(rows)[:MOST_AGENTS]
    body = []
    for place, facet in enumerate(facets):
        at = (_LEFT + (place % 2) * (_WIDE + 80), _TOP + (place // 2) * (_HIGH + 90))
        body.append(_panel(rows, facet, agents, at))
    body.append(_legend((_LEFT + 2 * (_WIDE + 80) - 30, _TOP), agents))
    height = _TOP + math.ceil(len(facets) / 2) * (_HIGH + 90)
    title = "F1 by what a document is like"
    return Picture(
        title=title,
        svg=_framed(_LEFT + 2 * (_WIDE + 80) + 220, height, "".join(body), title),
        caption="Means over documents, with 95 % intervals from resampling them.",
    )


def _panel(rows: Sequence[Row], facet: str, agents: Sequence[str], at: Point) -> str:
    columns, means = _values(rows, facet), by_facet(rows, facet)
    parts = [words((at[0], at[1] - 14), _TITLES[facet], size=12.5, weight="600")]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _height(at, tick)
        parts.append(line((at[0], y), (at[0] + _WIDE, y), stroke=FAINT))
        parts.append(words((at[0] - 8, y + 4), f"{tick:.2f}", size=11, fill=SOFT, anchor="end"))
    for place, column in enumerate(columns):
        x = at[0] + _WIDE * (place + 0.5) / len(columns)
        shown = column if len(column) < 18 else f"{column[:16]}…"
        y = at[1] + _HIGH + 18 + (14 if place % 2 and len(columns) > 4 else 0)
        parts.append(words((x, y), shown, size=11, fill=SOFT, anchor="middle"))
    for number, agent in enumerate(agents):
        shift = (number - (len(agents) - 1) / 2) * 7
        points: list[Point] = []
        for place, column in enumerate(columns):
            mean = means.get(agent, {}).get(column)
            if mean is not None and not math.isnan(mean.value):
                x = at[0] + _WIDE * (place + 0.5) / len(columns) + shift
                points.append((x, _height(at, mean.value)))
                parts.append(_whisker(x, at, mean, COLOURS[number]))
        if len(points) > 1 and facet in _ORDERS:
            parts.append(polyline(points, stroke=COLOURS[number], width=1.2))
        parts += [tag("circle", cx=x, cy=y, r=4, fill=COLOURS[number]) for x, y in points]
    return "".join(parts)


def _whisker(x: float, at: Point, mean: Interval, colour: str) -> str:
    if math.isnan(mean.low):
        return ""
    return line((x, _height(at, mean.low)), (x, _height(at, mean.high)), stroke=colour, width=1.4)


def _height(at: Point, value: float) -> float:
    return at[1] + _HIGH * (1 - min(max(value, 0.0), 1.0))


def _legend(at: Point, agents: Sequence[str]) -> str:
    parts = []
    for number, agent in enumerate(agents):
        y = at[1] + 18 * number
        parts.append(tag("circle", cx=at[0], cy=y - 4, r=4, fill=COLOURS[number]))
        shown = agent if len(agent) <= 30 else f"{agent[:29]}…"
        parts.append(words((at[0] + 12, y), shown, size=11.5))
    return "".join(parts)


def _errors(rows: Sequence[Row]) -> Picture | None:
    lines = []
    for agent in _agents(rows):
        mine = [row for row in rows if row.agent == agent]
        means = [_mean(mine, name) for name in _ERRORS]
        if any(not math.isnan(value) for value in means):
            lines.append([agent, str(len(mine)), *map(_number, means)])
    if not lines:
        return None
    return _tabled(
        "What became of the edges",
        ["agent", "answers", *_ERRORS.values()],
        lines,
        "Shares of the edges of an answer, averaged over answers. Text support is only known "
        "where a judge was asked. Turning an edge round counts as one edge to mend.",
    )


def _judges(rows: Sequence[Row]) -> Picture | None:
    pairs = pairwise_agreement(opinions(rows))
    if not pairs:
        return None
    lines = [
        [
            f"{one.first} and {one.second}",
            str(one.n),
            *map(_number, (one.pearson, one.spearman, one.difference, one.deviation)),
        ]
        for one in pairs
    ]
    return _tabled(
        "How far judges agree",
        ["judges", "answers", "r", "rank r", "mean difference", "its deviation"],
        lines,
        "F1 of the same answers by two judges. A positive difference means that the first one "
        "is more generous.",
    )


def _mean(rows: Sequence[Row], metric: str) -> float:
    kept = [v for v in per_instance(rows, metric).values() if not math.isnan(v)]
    return fmean(kept) if kept else math.nan


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _tabled(
    title: str, header: Sequence[str], lines: Sequence[Sequence[str]], caption: str
) -> Picture:
    wide = [max(len(row[i]) for row in (header, *lines)) * 6.8 + 20 for i in range(len(header))]
    parts = []
    for number, row in enumerate((header, *lines)):
        x, y = 28.0, 84.0 + 19 * number
        for place, text in enumerate(row):
            x += wide[place]
            at, anchor = ((28.0, y), "start") if place == 0 else ((x - 20, y), "end")
            fill = INK if number else SOFT
            parts.append(words(at, text, size=11.5, fill=fill, anchor=anchor))
    height = 84.0 + 19 * len(lines) + 20
    svg = _framed(sum(wide) + 40, height, "".join(parts), title)
    return Picture(title=title, svg=svg, caption=caption)


def _framed(width: float, height: float, body: str, title: str) -> str:
    head = words((28, 42), title, size=16, weight="600")
    return drawing(width, height, head + body, title=title, about=title)

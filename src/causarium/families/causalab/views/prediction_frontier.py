"""Many episodes as a picture: what an agent gets right against what it has to go by.

In the paper edition that is how much of the graph it found, at the bench how many questions its
experiments settle. Who is right without that stands high and left; who has it and uses it stands in
the upper right corner. Each agent has a colour and a mark of its own.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from causarium.charts.axes import SHAPES, Frame, draw_legend, draw_mark, draw_x_axis, draw_y_axis
from causarium.charts.palette import LINE, SOFT, series_colour
from causarium.charts.svg import Point, line, make_svg, polyline, text
from causarium.contract.row import Row, mean_per_instance
from causarium.contract.views.figure import Figure
from causarium.families.causalab.scoring.score import METRICS
from causarium.scoring.intervals import Interval, summarize

_FRAME = Frame(64, 70, 440, 440)
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_LEGEND_WIDTH = 300.0
_MAX_AGENTS = 16
_LABEL_GAP = 14.0
Group = Callable[[Row], str]


@dataclass(frozen=True, slots=True)
class Frontier:
    """Two numbers of a verdict, and how a picture speaks of them."""

    across: str
    up: str
    title: str
    across_words: str
    up_words: str
    hint: str


_FRONTIERS = (
    Frontier(
        across="edge_f1",
        up="prediction",
        title="Prediction against the graph",
        across_words="F1 of all edges, final hypothesis",
        up_words="Right predictions",
        hint="High and to the left: right predictions without the graph.",
    ),
    Frontier(
        across="settled",
        up="answered",
        title="Answers against experiments",
        across_words="Questions settled by the experiments made",
        up_words="Right answers",
        hint="Above the diagonal: guesses. Below it: evidence that was not used.",
    ),
)


@dataclass(frozen=True, slots=True)
class Spot:
    """One agent on one group of rows."""

    label: str
    across: Interval
    up: Interval


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw each edition's frontier, by number of nodes and, where they say more, by level."""
    return tuple(picture for one in _FRONTIERS for picture in _draw_frontier(rows, one))


def _draw_frontier(rows: Sequence[Row], one: Frontier) -> Iterator[Figure]:
    scored = [row for row in rows if row.unscored is None and one.up in row.numbers]
    asked = [row for row in scored if not math.isnan(row.numbers[one.across])]
    if not asked:
        return
    yield _frontier(asked, one, _nodes, "number of nodes", joined=True)
    if len({_level(row) for row in asked}) > len({_nodes(row) for row in asked}):
        yield _frontier(asked, one, _level, "level", joined=False)


def _nodes(row: Row) -> str:
    return str(row.facets.get("nodes", row.facets.get("properties", "?")))


def _level(row: Row) -> str:
    return row.id.removeprefix(f"{row.family}-").rpartition("-")[0] or row.id


def _agent(row: Row) -> str:
    return f"{row.agent} ({row.interface})" if row.interface != "json" else row.agent


def _is_player(agent: str) -> bool:
    return agent.startswith("player/")


def _spots(rows: Iterable[Row], one: Frontier, group: Group) -> dict[str, list[Spot]]:
    found: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[_agent(row)][group(row)].append(row)
    return {
        agent: [
            Spot(label, _summary(groups[label], one.across), _summary(groups[label], one.up))
            for label in sorted(groups, key=lambda label: (len(label), label))
        ]
        for agent, groups in sorted(found.items(), key=lambda item: (_is_player(item[0]), item[0]))
    }


def _summary(rows: Sequence[Row], name: str) -> Interval:
    return summarize(mean_per_instance(rows, name).values(), share=METRICS[name].share)


def _frontier(rows: Sequence[Row], one: Frontier, group: Group, by: str, *, joined: bool) -> Figure:
    everyone = _spots(rows, one, group)
    shown = dict(list(everyone.items())[:_MAX_AGENTS])
    corners = (_FRAME.left, _FRAME.bottom), (_FRAME.right, _FRAME.top)
    body = [
        draw_x_axis(_FRAME, _TICKS, title=one.across_words),
        draw_y_axis(_FRAME, _TICKS, title=one.up_words),
        line(*corners, stroke=LINE, dash="1 4"),
    ]
    taken: list[Point] = []
    entries = []
    for number, (agent, spots) in enumerate(shown.items()):
        colour, shape = series_colour(number), SHAPES[number % len(SHAPES)]
        if joined and len(spots) > 1:
            body.append(polyline([_locate(s) for s in spots], stroke=colour, width=1.2, dash="3 3"))
        if not _is_player(agent):
            body += [_whiskers(spot, colour) for spot in spots]
        body += [draw_mark(_locate(spot), colour=colour, shape=shape) for spot in spots]
        body += [_label(spot, colour, taken) for spot in spots]
        entries.append((agent, colour, shape))
    at = _FRAME.right + 30, _FRAME.top
    legend, tall = draw_legend(at, entries, width=_LEGEND_WIDTH)
    if len(shown) < len(everyone):
        more = f"and {len(everyone) - len(shown)} more agents, not drawn"
        legend += text((at[0], at[1] + tall + 14), more, fill=SOFT)
    title = f"{one.title}, by {by}"
    head = text((_FRAME.left - 36, 32), title, size=16, weight="600")
    about = f"{one.up_words} against {one.across_words}, of {len(shown)} agents, by {by}."
    size = at[0] + _LEGEND_WIDTH, max(_FRAME.bottom + 62, at[1] + tall + 40)
    return Figure(
        title=title,
        svg=make_svg(*size, head + "".join(body) + legend, title=title, about=about),
        caption=f"Each mark is one agent on the instances of one {by}, models with 95 % "
        f"intervals. {one.hint}",
    )


def _locate(spot: Spot) -> Point:
    return _FRAME.x(spot.across.value), _FRAME.y(spot.up.value)


def _whiskers(spot: Spot, colour: str) -> str:
    x, y = _locate(spot)
    across, up = spot.across, spot.up
    ends = [((_FRAME.x(across.low), y), (_FRAME.x(across.high), y))]
    ends += [((x, _FRAME.y(up.low)), (x, _FRAME.y(up.high)))]
    known = (not math.isnan(across.low), not math.isnan(up.low))
    return "".join(
        line(*two, stroke=colour, width=0.6)
        for two, is_known in zip(ends, known, strict=True)
        if is_known
    )


def _label(spot: Spot, colour: str, taken: list[Point]) -> str:
    """Name a spot beside its mark; what finds no room there goes without."""
    x, y = _locate(spot)
    if any(abs(x - a) < _LABEL_GAP and abs(y - b) < _LABEL_GAP for a, b in taken):
        return ""
    taken.append((x, y))
    return text((x + 9, y - 8), spot.label, size=11, fill=colour)

"""Many episodes as a picture: what an agent gets right against what it has to go by.

In the paper edition that is how much of the graph it found, at the bench how many questions its
experiments settle. Who is right without that stands high and left; who has it and uses it stands in
the upper right corner. Each agent has a colour and a mark of its own.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from causarium.charts.palette import FAINT, LINE, PAPER, SERIES, SOFT
from causarium.charts.svg import Point, line, make_svg, polyline, tag, text
from causarium.contract.row import Row, mean_per_instance
from causarium.contract.views.figure import Figure
from causarium.families.causalab.scoring.score import METRICS
from causarium.scoring.intervals import Interval, summarize

SIDE, LEFT, TOP, RIGHT, BOTTOM = 440.0, 64.0, 70.0, 250.0, 62.0
_SHAPES: tuple[tuple[Point, ...], ...] = (
    (),
    ((-4.6, -4.6), (4.6, -4.6), (4.6, 4.6), (-4.6, 4.6)),
    ((0, -6), (5.6, 4.4), (-5.6, 4.4)),
    ((0, -6.4), (6.4, 0), (0, 6.4), (-6.4, 0)),
)
"""A circle, then corners around the middle."""
_MAX_AGENTS = 16
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
    body, marks = [_axes(one)], []
    for number, (agent, spots) in enumerate(shown.items()):
        colour = _colour(number)
        draw = _marker(agent, number)
        if joined and len(spots) > 1:
            body.append(
                polyline([_locate_spot(s) for s in spots], stroke=colour, width=1.2, dash="3 3")
            )
        if not _is_player(agent):
            body += [_whiskers(spot, colour) for spot in spots]
        marks += [draw(_locate_spot(spot)) for spot in spots]
        marks.append(_legend_line(number, agent, draw))
    marks += _labels((spots, _colour(n)) for n, spots in enumerate(shown.values()))
    if len(shown) < len(everyone):
        more = f"and {len(everyone) - len(shown)} more agents, not drawn"
        body.append(text((LEFT + SIDE + 30, TOP + 20 * len(shown) + 14), more, fill=SOFT))
    title = f"{one.title}, by {by}"
    height = max(TOP + SIDE + BOTTOM, TOP + 20 * len(shown) + 60)
    head = text((LEFT - 36, 32), title, size=16, weight="600")
    about = f"{one.up_words} against {one.across_words}, of {len(shown)} agents, by {by}."
    svg = make_svg(
        LEFT + SIDE + RIGHT, height, head + "".join((*body, *marks)), title=title, about=about
    )
    caption = (
        f"Each mark is one agent on the instances of one {by}, players hollow, models with "
        f"95 % intervals. {one.hint}"
    )
    return Figure(title=title, svg=svg, caption=caption)


def _locate_spot(spot: Spot) -> Point:
    return _x(spot.across.value), _y(spot.up.value)


def _x(value: float) -> float:
    return LEFT + SIDE * value


def _y(value: float) -> float:
    return TOP + SIDE * (1 - value)


def _axes(one: Frontier) -> str:
    body = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        body.append(line((_x(tick), _y(0)), (_x(tick), _y(1)), stroke=FAINT))
        body.append(line((_x(0), _y(tick)), (_x(1), _y(tick)), stroke=FAINT))
        at_x, at_y = (_x(tick), _y(0) + 18), (_x(0) - 10, _y(tick) + 4)
        body.append(text(at_x, f"{tick:g}", size=11, fill=SOFT, anchor="middle"))
        body.append(text(at_y, f"{100 * tick:.0f} %", size=11, fill=SOFT, anchor="end"))
    body.append(line((_x(0), _y(0)), (_x(1), _y(1)), stroke=LINE, dash="1 4"))
    below = (_x(0.5), _y(0) + 42)
    body.append(text(below, one.across_words, size=12, anchor="middle"))
    body.append(text((LEFT - 36, TOP - 16), one.up_words, size=12))
    return "".join(body)


def _whiskers(spot: Spot, colour: str) -> str:
    x, y = _locate_spot(spot)
    body = ""
    if not math.isnan(spot.across.low):
        ends = (_x(spot.across.low), y), (_x(spot.across.high), y)
        body += line(*ends, stroke=colour, width=0.6)
    if not math.isnan(spot.up.low):
        ends = (x, _y(spot.up.low)), (x, _y(spot.up.high))
        body += line(*ends, stroke=colour, width=0.6)
    return body


def _colour(number: int) -> str:
    return SERIES[number % len(SERIES)]


def _marker(agent: str, number: int) -> Callable[[Point], str]:
    """Return how an agent's marks are drawn: a player's hollow, so that they cover no other."""
    hollow = _is_player(agent)
    fill, rim = ("none", _colour(number)) if hollow else (_colour(number), PAPER)
    corners = _SHAPES[number % len(_SHAPES)]

    def mark(at: Point) -> str:
        width = 1.8 if hollow else 1.0
        if not corners:
            return tag("circle", cx=at[0], cy=at[1], r=5, fill=fill, stroke=rim, stroke_width=width)
        points = " ".join(f"{at[0] + dx:.1f},{at[1] + dy:.1f}" for dx, dy in corners)
        return tag("polygon", points=points, fill=fill, stroke=rim, stroke_width=width)

    return mark


def _labels(shown: Iterable[tuple[Sequence[Spot], str]]) -> list[str]:
    """Name the spots beside their marks, where there is room; what finds none goes without."""
    named = [(spot, content, colour) for spots, colour in shown for spot, content in _names(spots)]
    taken = [_box(_locate_spot(spot), 0, 0) for spot, _, _ in named]
    body = []
    for spot, content, colour in named:
        x, y = _locate_spot(spot)
        wide = 5.8 * len(content)
        for dx, dy in ((9, -8), (-9 - wide, -8), (9, 16), (-9 - wide, 16), (9, 4), (-9 - wide, 4)):
            box = _box((x + dx, y + dy - 4), wide, 10)
            inside = box[0] > LEFT and box[2] < LEFT + SIDE + 24 and box[3] < _y(0)
            if inside and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                body.append(text((x + dx, y + dy), content, size=11, fill=colour))
                break
    return body


def _names(spots: Sequence[Spot]) -> list[tuple[Spot, str]]:
    """Return what to write beside an agent's spots; those that coincide share a name.

    An agent whose spots are all in one place needs none.
    """
    places: dict[tuple[int, int], list[Spot]] = defaultdict(list)
    for spot in spots:
        x, y = _locate_spot(spot)
        places[round(x / 12), round(y / 12)].append(spot)
    if len(places) == 1 and len(spots) > 1:
        return []
    return [(here[0], ", ".join(spot.label for spot in here)) for here in places.values()]


def _box(at: Point, wide: float, tall: float) -> tuple[float, float, float, float]:
    return at[0] - 4, at[1] - tall / 2 - 2, at[0] + wide + 4, at[1] + tall / 2 + 2


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]


def _legend_line(number: int, agent: str, draw: Callable[[Point], str]) -> str:
    at = LEFT + SIDE + 36, TOP + 20.0 * number + 8
    shown = agent if len(agent) <= 30 else f"{agent[:29]}…"
    return draw(at) + text((at[0] + 12, at[1] + 4), shown, size=12)

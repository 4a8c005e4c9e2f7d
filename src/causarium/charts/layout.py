"""Where the nodes of a causal graph stand on paper, and how arrows get around them.

Causes stand above their effects: a node's layer is the length of the longest path to it, arrows
that close a cycle left aside, and within a layer nodes are ordered by where their causes stand.
Drawings that are to be compared share one layout, so that only arrows differ.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from causarium.charts.svg import Point
from causarium.scoring.graph_scores import Edge

NODE_WIDTH, NODE_HEIGHT = 82.0, 22.0
GAP_X, GAP_Y = 26.0, 36.0
LEAST_WIDTH = 228.0
_SWEEPS = 6
_CLEARANCE = 5.0
_LANE = 3.0
_BENDS = (0.0, *(sign * bend / 100 for bend in range(8, 112, 8) for sign in (1, -1)))


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions of the nodes' centres, within a box that begins at 0, 0."""

    at: Mapping[str, Point]
    width: float
    height: float
    node_width: float = NODE_WIDTH
    node_height: float = NODE_HEIGHT


@dataclass(frozen=True, slots=True)
class Curve:
    """The path of one arrow between the rims of two nodes: one bend, or lanes between others."""

    start: Point
    control: Point
    end: Point
    lanes: tuple[Point, ...] = ()
    """Where it passes rows of other nodes; it goes straight up or down there."""

    def point(self, t: float) -> Point:
        """Return the point at `t`, from 0 to 1."""
        if self.lanes:
            stops = (self.start, *self.lanes, self.end)
            return stops[round(t * (len(stops) - 1))]
        s = 1 - t
        return (
            s * s * self.start[0] + 2 * s * t * self.control[0] + t * t * self.end[0],
            s * s * self.start[1] + 2 * s * t * self.control[1] + t * t * self.end[1],
        )

    @property
    def heading(self) -> float:
        """The angle at which the curve arrives."""
        return math.atan2(self.end[1] - self.control[1], self.end[0] - self.control[0])


def lay_out(
    nodes: Sequence[str],
    edges: Sequence[Edge],
    *,
    lowest: str | None = None,
    node_width: float = NODE_WIDTH,
    node_height: float = NODE_HEIGHT,
    most: int | None = None,
) -> Layout:
    """Place the nodes of a graph.

    Args:
        nodes: The nodes; there is at least one.
        edges: The arrows to place them by, cycles allowed.
        lowest: A node that stands below all others unless it causes something.
        node_width: How wide every node is.
        node_height: How tall every node is.
        most: How many nodes may stand side by side; a layer with more takes several rows.
    """
    layers = _layers(nodes, _drop_cycle_edges(nodes, edges), lowest)
    for sweep in range(_SWEEPS):
        _reorder(layers, edges, down=sweep % 2 == 0)
    if most is not None:
        layers = [row for layer in layers for row in _rows(layer, most)]
    wide = max(map(len, layers))
    width = max(LEAST_WIDTH, wide * node_width + (wide - 1) * GAP_X)
    at = {}
    for depth, layer in enumerate(layers):
        free = width - len(layer) * node_width - (len(layer) - 1) * GAP_X
        # Lone nodes stand on an arc, where no arrow between two of them crosses a third.
        alone = len(layer) == 1 and len(layers) > 1
        lean = math.sin(math.pi * depth / (len(layers) - 1)) if alone else 0.5
        for place, node in enumerate(layer):
            x = free * lean + node_width / 2 + place * (node_width + GAP_X)
            at[node] = (x, node_height / 2 + depth * (node_height + GAP_Y))
    height = len(layers) * node_height + (len(layers) - 1) * GAP_Y
    return Layout(at, width, height, node_width, node_height)


def _rows(layer: list[str], most: int) -> list[list[str]]:
    """Split a layer into rows of about the same length."""
    count = -(-len(layer) // most)
    return [layer[at::count] for at in range(count)]


def _drop_cycle_edges(nodes: Sequence[str], edges: Sequence[Edge]) -> list[Edge]:
    """Return the arrows in the order given, but for those that would close a cycle."""
    below: dict[str, set[str]] = {node: {node} for node in nodes}
    acyclic = []
    for cause, effect in edges:
        if cause in below[effect]:
            continue
        acyclic.append((cause, effect))
        for reach in below.values():
            if cause in reach:
                reach.update(below[effect])
    return acyclic


def _layers(nodes: Sequence[str], edges: Sequence[Edge], lowest: str | None) -> list[list[str]]:
    depth = dict.fromkeys(nodes, 0)
    for _ in nodes:
        for cause, effect in edges:
            depth[effect] = max(depth[effect], depth[cause] + 1)
    if lowest is not None and not any(cause == lowest for cause, _ in edges):
        depth[lowest] = max(1, *depth.values())
    return [
        [node for node in nodes if depth[node] == layer] for layer in range(max(depth.values()) + 1)
    ]


def _reorder(layers: list[list[str]], edges: Sequence[Edge], *, down: bool) -> None:
    place = {n: (i + 0.5) / len(layer) for layer in layers for i, n in enumerate(layer)}
    for layer in layers if down else reversed(layers):
        wanted = {}
        for node in layer:
            near = [place[a if b == node else b] for a, b in edges if (b if down else a) == node]
            wanted[node] = sum(near) / len(near) if near else place[node]
        layer.sort(key=lambda node: wanted[node])
        place |= {node: (i + 0.5) / len(layer) for i, node in enumerate(layer)}


def route(layout: Layout, edge: Edge, *, twin: bool = False) -> Curve:
    """Return the path of an arrow that bends no more than it needs to clear the other nodes.

    `twin` bends it in any case, so that an arrow and its reverse stay apart.
    """
    cause, effect = edge
    others = [at for node, at in layout.at.items() if node not in edge]
    bends = _BENDS[1:] if twin else _BENDS
    curves = [_curve(layout, layout.at[cause], layout.at[effect], bend) for bend in bends]
    costs: list[float] = []
    for curve in curves:
        costs.append(_crowding(curve, others, layout) + _measure_overhang(curve, layout))
        if costs[-1] == 0:
            return curve
    bent = curves[costs.index(min(costs))]
    lanes = _find_lanes(layout, edge) if _crowding(bent, others, layout) else []
    if not lanes:
        return bent
    # It leaves and arrives at the side of a node, where no straight arrow does.
    (x, y), (goal, bottom) = layout.at[cause], layout.at[effect]
    quarter = layout.node_width / 4
    reach = math.copysign(layout.node_height / 2 + 1, bottom - y)
    start = (x + math.copysign(quarter, lanes[0][0] - x), y + reach)
    end = (goal + math.copysign(quarter, lanes[-1][0] - goal), bottom - reach)
    return Curve(start, (end[0], lanes[-1][1]), end, tuple(lanes))


def _find_lanes(layout: Layout, edge: Edge) -> list[Point]:
    """Return where a path can pass each row between two of its nodes, or beside them all.

    There are none within a row. From one row to the next it only has to leave its own first.
    """
    (x, y), (goal, bottom) = layout.at[edge[0]], layout.at[edge[1]]
    down = 1 if bottom >= y else -1
    half, tall = layout.node_width / 2, layout.node_height / 2 + _CLEARANCE
    # Arrows from different nodes keep a little apart in one lane.
    shift = (list(layout.at).index(edge[0]) % 5 - 2) * _LANE
    lanes: list[Point] = []
    rows = sorted({at[1] for at in layout.at.values()}, reverse=down < 0)
    for row in rows[rows.index(y) + 1 : rows.index(bottom)]:
        xs = sorted(at[0] for at in layout.at.values() if at[1] == row)
        inner = [(one + other) / 2 for one, other in pairwise(xs)]
        outer = [xs[0] - half - GAP_X / 2, xs[-1] + half + GAP_X / 2]
        x = min([*inner, *outer], key=lambda lane: abs(lane - x) + abs(lane - goal))
        lanes += [(x + shift, row - down * tall), (x + shift, row + down * tall)]
    return lanes if lanes or y == bottom else [(x, y + down * tall)]


def _curve(layout: Layout, a: Point, b: Point, bend: float) -> Curve:
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    control = (middle[0] - bend * (b[1] - a[1]), middle[1] + bend * (b[0] - a[0]))
    return Curve(_rim(layout, a, control), control, _rim(layout, b, control))


def _rim(layout: Layout, centre: Point, towards: Point) -> Point:
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    scale = min(
        (layout.node_width / 2 + 1) / abs(dx) if dx else math.inf,
        (layout.node_height / 2 + 1) / abs(dy) if dy else math.inf,
    )
    return centre[0] + dx * min(scale, 1), centre[1] + dy * min(scale, 1)


def _measure_overhang(curve: Curve, layout: Layout) -> float:
    x, y = curve.point(0.5)
    return max(0.0, -x, x - layout.width) + max(0.0, -y, y - layout.height)


def _crowding(curve: Curve, others: Sequence[Point], layout: Layout) -> float:
    """Return how much of a curve runs over other nodes; ties go to the earlier, straighter one."""
    steps = [curve.point(i / 24) for i in range(25)]
    far_x, far_y = layout.node_width / 2 + _CLEARANCE, layout.node_height / 2 + _CLEARANCE
    (left, right), (top, bottom) = ((min(at), max(at)) for at in zip(*steps, strict=True))
    near = [
        (cx, cy)
        for cx, cy in others
        if left - far_x < cx < right + far_x and top - far_y < cy < bottom + far_y
    ]
    total = 0.0
    for (x0, y0), (x1, y1) in pairwise(steps):
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        over = sum(abs(x - cx) < far_x and abs(y - cy) < far_y for cx, cy in near)
        total += over * math.dist((x0, y0), (x1, y1))
    return total

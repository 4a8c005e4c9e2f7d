"""The true graph of a game as a picture, with the trap and the decisive chain marked.

The chain runs down the middle, the environment stands to its left, levers and equipment to its
right, each near what it acts on first. Only what matters is drawn: what lies between is passed over
(arrows lead through it), and the weight of armour, through which every lever acts a little, is left
out, and so is equipment that makes all armour a little better or worse.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from causarium.charts.layout import NODE_HEIGHT, Layout, route
from causarium.charts.palette import ACCENT, INK, LINE, PAPER, SOFT, WARN, WARN_WASH, WASH
from causarium.charts.svg import Point, arrow_head, tag, text
from causarium.families.causalgame.model.published.game import Game, Variable
from causarium.families.causalgame.scoring.published.judge import chain
from causarium.scoring.graph_scores import Edge


def list_edges(game: Game) -> set[Edge]:
    """Return all pairs of cause and effect in a game, by name."""
    names = {variable.key: variable.name for variable in game.variables}
    return {(names[key], one.name) for one in game.variables for key in one.parents}


TRAP, CHAIN, PLAIN = WARN, ACCENT, LINE
_NODE_WIDTH, _GAP_X, _GAP_Y = 116.0, 52.0, 58.0
_FILLS = {"visible": WASH, "discoverable": PAPER, "hidden": PAPER}
_DASHES = {"visible": None, "discoverable": "5 3", "hidden": "1.5 3"}
LEGEND = (
    ("visible", "seen from the start"),
    ("discoverable", "found by asking"),
    ("hidden", "never shown"),
)


def select_shown_graph(game: Game) -> tuple[list[str], list[Edge]]:
    """Return the nodes and arrows that are drawn of a game's graph."""
    on_chain = set(chain(game))
    by_name = {one.name: one for one in game.variables}
    weight = {one.name for one in game.variables if one.key == "agility"}
    levers = {one.name for one in game.variables if one.role == "lever"}
    edges = {(a, b) for a, b in list_edges(game) if not {a, b} & weight and b not in levers}
    for name in [one.name for one in game.variables]:
        if name not in weight and not _stays(by_name[name], on_chain):
            edges = _pass_over_node(edges, name)
    used = {name for edge in edges for name in edge}
    return [one.name for one in game.variables if one.name in used], sorted(edges)


def _stays(variable: Variable, on_chain: set[str]) -> bool:
    return variable.role in {"lever", "equipment", "environment", "outcome"} or (
        variable.name in on_chain
    )


def _pass_over_node(edges: set[Edge], name: str) -> set[Edge]:
    """Return the arrows with those into a node led on to where its own arrows go."""
    into = [a for a, b in edges if b == name]
    out = [b for a, b in edges if a == name]
    kept = {edge for edge in edges if name not in edge}
    return kept | {(a, b) for a in into for b in out}


def trap_levers(game: Game) -> set[str]:
    """Return the levers and slots that the trap moves away from the standard design."""
    armour = {
        f"{name}_def"
        for name, points in game.trap.armour.items()
        if points > game.default.get(name, 0)
    }
    fitted = {
        slot.name
        for slot in game.slots
        if game.trap.equipment.get(slot.name, slot.default) != slot.default
    }
    return {one.name for one in game.variables if one.key in armour | fitted}


def draw_true_graph(game: Game) -> tuple[str, float, float]:
    """Return the drawing of a game's graph, its width and its height."""
    nodes, edges = select_shown_graph(game)
    on_chain = chain(game)
    layout = _place_nodes(game, nodes, edges)
    links = set(pairwise(on_chain))
    order = sorted(edges, key=lambda edge: edge in links)
    arrows = [_arrow(layout, edge, strong=edge in links) for edge in order]
    traps = trap_levers(game)
    boxes = [_box(layout, game.variable(name), trap=name in traps) for name in nodes]
    return "".join((*arrows, *boxes)), layout.width, layout.height


def _place_nodes(game: Game, nodes: Sequence[str], edges: Sequence[Edge]) -> Layout:
    """Place the chain down the middle and everything else beside what it acts on first."""
    spine = chain(game)
    row = {name: number for number, name in enumerate(spine)}
    sides: dict[bool, list[_Wish]] = {True: [], False: []}
    for name in nodes:
        if name not in row:
            chosen = game.variable(name).role in {"lever", "equipment", "outcome"}
            sides[chosen].append(_wish(name, edges, row))
    left = _slots(sorted(sides[False]), len(spine))
    right = _slots(sorted(sides[True]), len(spine))
    middle = 1 + max((column for column, _ in left.values()), default=-1)
    cells = {name: (float(middle), float(row[name])) for name in spine}
    cells |= {name: (float(middle - 1 - c), r + 0.5) for name, (c, r) in left.items()}
    cells |= {name: (float(middle + 1 + c), r + 0.5) for name, (c, r) in right.items()}
    at = {
        name: (_NODE_WIDTH / 2 + c * (_NODE_WIDTH + _GAP_X), NODE_HEIGHT / 2 + r * _GAP_Y)
        for name, (c, r) in cells.items()
    }
    width = max(x for x, _ in at.values()) + _NODE_WIDTH / 2
    height = max(y for _, y in at.values()) + NODE_HEIGHT / 2
    return Layout(at, width, height, _NODE_WIDTH)


class _Wish(NamedTuple):
    """Where a node beside the chain would best stand."""

    row: float
    column: int
    """How far from the chain."""
    name: str


def _wish(name: str, edges: Sequence[Edge], row: dict[str, int]) -> _Wish:
    effects = [b for a, b in edges if a == name]
    if not effects:
        # What has no effect stands behind its cause, out of the way.
        causes = [_wish(a, edges, row).row for a, b in edges if b == name and a not in row]
        return _Wish(min(causes, default=0.0), 1, name)
    below = [row[b] for b in effects if b in row]
    return _Wish(min(below, default=1) - 1.0, 0, name)


def _slots(wishes: Sequence[_Wish], rows: int) -> dict[str, tuple[int, int]]:
    """Give every node a column and a row of its own, as near as can be to where it wants to be."""
    rows = max(1, rows - 1)
    columns = max(-(-len(wishes) // rows), *(1 + wish.column for wish in wishes), 1)
    free = {(column, row) for column in range(columns) for row in range(rows)}
    found = {}
    for row, column, name in wishes:

        def cost(slot: tuple[int, int], row: float = row, column: int = column) -> float:
            return abs(slot[1] - row) + 1.1 * abs(slot[0] - column)

        best = min(free, key=lambda slot: (cost(slot), slot))
        free.discard(best)
        found[name] = best
    return found


def _arrow(layout: Layout, edge: Edge, *, strong: bool) -> str:
    curve = route(layout, edge)
    colour, width = (CHAIN, 2.6) if strong else (PLAIN, 1.0)
    start, control, end = (f"{x:.1f},{y:.1f}" for x, y in (curve.start, curve.control, curve.end))
    path = tag(
        "path", d=f"M{start}Q{control} {end}", fill="none", stroke=colour, stroke_width=width
    )
    size = 9 if strong else 6
    return path + arrow_head(curve.end, curve.heading, fill=colour, rim=colour, size=size)


def _box(layout: Layout, variable: Variable, *, trap: bool) -> str:
    at = layout.at[variable.name]
    return node(at, variable.name, variable.sight, trap=trap, outcome=variable.key == "survived")


def node(at: Point, name: str, sight: str, *, trap: bool = False, outcome: bool = False) -> str:
    """Return one node: its rim says who may see it."""
    fill = INK if outcome else WARN_WASH if trap else _FILLS[sight]
    rim = TRAP if trap else INK if outcome else LINE
    most = int(_NODE_WIDTH / 6.3)
    label = name if len(name) <= most else f"{name[: most - 1]}…"
    box = tag(
        "rect",
        x=at[0] - _NODE_WIDTH / 2,
        y=at[1] - NODE_HEIGHT / 2,
        width=_NODE_WIDTH,
        height=NODE_HEIGHT,
        rx=NODE_HEIGHT / 2,
        fill=fill,
        stroke=rim,
        stroke_width=2.0 if trap else 1.0,
        stroke_dasharray=None if outcome else _DASHES[sight],
    )
    colour = PAPER if outcome else INK
    content = text((at[0], at[1] + 3.8), label, size=11, fill=colour, anchor="middle")
    mark = (at[0] + _NODE_WIDTH / 2 - 2, at[1] - NODE_HEIGHT / 2 - 3)
    flag = text(mark, "trap", size=11, fill=TRAP, anchor="end", weight="600") if trap else ""
    return box + content + flag


def draw_legend(at: Point) -> str:
    """Return what rims and arrows mean, in one line."""
    x, y = at
    body = []
    for sight, said in LEGEND:
        rim = tag(
            "rect",
            x=x,
            y=y - 9,
            width=24,
            height=11,
            rx=5,
            fill=_FILLS[sight],
            stroke=LINE,
            stroke_dasharray=_DASHES[sight],
        )
        body.append(rim + text((x + 30, y), said, size=11.5, fill=SOFT))
        x += 30 + 6.2 * len(said) + 22
    stroke = tag("line", x1=x, y1=y - 4, x2=x + 24, y2=y - 4, stroke=CHAIN, stroke_width=2.6)
    body.append(stroke + text((x + 30, y), "the decisive chain", size=11.5, fill=SOFT))
    return "".join(body)
